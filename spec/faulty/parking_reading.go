package faulty

import (
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// parkedReads are faults of what a read of something parked answers.
func parkedReads() []Fault {
	return []Fault{
		{
			Name: "answers a read of what is parked and leaves it on the host", Breaks: []string{"PRK-02"},
			Parts: beside(fronted(func(_ *subject.Subject, own spec.Session) spec.Session { return unmoved{own} })),
		}, {
			Name: "says that it refuses to read what is parked, and answers", Breaks: []string{"PRK-02"},
			Parts: beside(func() subject.Parts {
				return subject.Parts{Hello: func(h *spec.Hello) { h.Parked = "refused" }}
			}),
		}, {
			Name: "reads an attribute as it was when it was parked first", Breaks: []string{"PRK-02"}, Follows: []string{"PRK-01"},
			Parts: beside(snapshots),
		}, {
			Name: "reads an attribute that was parked as zeros until it is unparked", Breaks: []string{"PRK-02"},
			Parts: beside(fronted(func(s *subject.Subject, own spec.Session) spec.Session { return blanking{own, s} })),
		}, {
			Name: "loses what is committed to an object while it is parked", Breaks: []string{"PRK-02"},
			Parts: beside(objectsOf(func(a *altered) {
				a.commit = func(ps ...*tensor.Tensor) error {
					if a.own.Parked() {
						_, err := a.own.Unpark()
						return err
					}
					return a.own.Commit(ps...)
				}
			})),
		},
	}
}

// unmoved reads an attribute, and parks it again when it was parked.
type unmoved struct{ spec.Session }

func (u unmoved) Attr(name string) (spec.Value, error) {
	parked := parkedIn(u.Session, name)
	v, err := u.Session.Attr(name)
	if err == nil && parked {
		_, err = u.Session.Park(name)
	}
	return v, err
}

// parkedIn reports whether some of an attribute waits on the host.
func parkedIn(s spec.Session, name string) bool {
	for _, st := range subject.SessionOf(s).Storages(name) {
		if st.Parked() {
			return true
		}
	}
	return false
}

// blanking reads a parked tensor as zeros. It is brought back all the same.
type blanking struct {
	spec.Session
	sub *subject.Subject
}

func (b blanking) Attr(name string) (spec.Value, error) {
	parked := parkedIn(b.Session, name)
	v, err := b.Session.Attr(name)
	if err != nil || v == nil || !parked {
		return v, err
	}
	t, is := subject.Content(v).(*tensor.Tensor)
	if !is {
		return v, nil
	}
	blank, err := tensor.New(t.DType(), t.Shape()...)
	if err != nil {
		return nil, err
	}
	if blank, err = blank.CopyOn(t.Storage().Allocator()); err != nil {
		return nil, err
	}
	return b.sub.Wrap(blank), nil
}

// snapshots is a subject that reads an attribute as a copy of what it was when it
// was parked first, from the second time on that it is parked.
func snapshots() subject.Parts {
	var memory attrMemory[*tensor.Tensor]
	var parked attrMemory[int]
	return fronted(func(s *subject.Subject, own spec.Session) spec.Session {
		return &stalePark{own, s, &memory, &parked}
	})()
}

type stalePark struct {
	spec.Session
	sub    *subject.Subject
	memory *attrMemory[*tensor.Tensor]
	parked *attrMemory[int]
}

func (p *stalePark) Park(name string) (int64, error) {
	if parkedIn(p.Session, name) { // reading it would bring it back
		return p.Session.Park(name)
	}
	if v, set := subject.SessionOf(p.Session).Attr(name); set {
		if t, is := v.(*tensor.Tensor); is {
			p.memory.getOrMake(p.Session, name, func() *tensor.Tensor { return t.Clone() })
			times, _ := p.parked.get(p.Session, name)
			p.parked.set(p.Session, name, times+1)
		}
	}
	return p.Session.Park(name)
}

func (p *stalePark) Attr(name string) (spec.Value, error) {
	v, err := p.Session.Attr(name)
	kept, has := p.memory.get(p.Session, name)
	times, _ := p.parked.get(p.Session, name)
	if err != nil || v == nil || !has || times < 2 {
		return v, err
	}
	return p.sub.Wrap(kept), nil
}
