package faulty

import (
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
)

// uniformity are faults of kinds that lack a part of the lifecycle.
func uniformity() []Fault {
	return []Fault{
		lacking("allocate"), lacking("commit"), lacking("view"), lacking("evict"), lacking("reset"), lacking("byte figures"),
	}
}

// lacking is the fault of encode-once objects that are without an operation.
func lacking(call string) Fault {
	return Fault{
		Name: "has encode-once objects without " + call, Breaks: []string{"OBJ-21"},
		Parts: func() subject.Parts {
			return subject.Parts{Object: func(_ *subject.Subject, o spec.Object) spec.Object {
				if kindOf(o) != spec.EncodeOnceKV {
					return o
				}
				return &partial{o, call}
			}}
		},
	}
}

// partial is an object without one operation.
type partial struct {
	spec.Object
	lacks string
}

// does is an error where the object lacks an operation.
func (p *partial) does(call string) error {
	if call == p.lacks {
		return spec.Refuse(spec.Unsupported, "%s: there is no such method", call)
	}
	return nil
}

func (p *partial) Allocate(b spec.Bound) error {
	if err := p.does("allocate"); err != nil {
		return err
	}
	return p.Object.Allocate(b)
}

func (p *partial) Commit(vs ...spec.Value) error {
	if err := p.does("commit"); err != nil {
		return err
	}
	return p.Object.Commit(vs...)
}

func (p *partial) View(v spec.View) (spec.Value, error) {
	if err := p.does("view"); err != nil {
		return nil, err
	}
	return p.Object.View(v)
}

func (p *partial) Evict() (int64, error) {
	if err := p.does("evict"); err != nil {
		return 0, err
	}
	return p.Object.Evict()
}

func (p *partial) Reset() error {
	if err := p.does("reset"); err != nil {
		return err
	}
	return p.Object.Reset()
}

func (p *partial) State() (spec.ObjectState, error) {
	if err := p.does("byte figures"); err != nil {
		return spec.ObjectState{}, err
	}
	return p.Object.State()
}
