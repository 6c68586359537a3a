package faulty

import (
	"sync"
	"weak"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// byteChanges holds faults of counting what was replaced or cleared.
func byteChanges() []Fault {
	return []Fault{
		{
			Name: "counts a replaced value beside the new one", Breaks: []string{"ACC-09"},
			Parts: haunted(func(old, new any) bool { return new != nil }),
		}, {
			Name: "goes on counting a cleared attribute", Breaks: []string{"ACC-09"},
			Parts: haunted(func(old, new any) bool { return new == nil }),
		}, {
			Name: "counts a replaced payload beside the new one", Breaks: []string{"ACC-09"},
			Parts: onces(func(e *altered) {
				var replaced *tensor.Tensor
				keep := func(t *tensor.Tensor) {
					e.own.Guard().Lock()
					defer e.own.Guard().Unlock()
					replaced = t
				}
				e.hidden = func(visit func(any)) { visit(replaced) }
				e.commit = func(ts ...*tensor.Tensor) error {
					for _, t := range e.payloads() {
						keep(t)
					}
					return e.own.Commit(ts...)
				}
				e.evict = func() (int64, error) { keep(nil); return e.own.Evict() }
				e.reset = func() error { keep(nil); return e.own.Reset() }
			}),
		},
	}
}

// ghosts are bytes that attributes held and are counted still. A write and what
// it does to them is one step to a count.
type ghosts struct {
	mu    sync.RWMutex
	bytes map[weak.Pointer[manager.Session]]map[string]int64
}

// haunted is a subject that goes on counting what an attribute held, once it
// holds something else and that is so.
func haunted(goesOn func(old, new any) bool) func() subject.Parts {
	return func() subject.Parts {
		g := &ghosts{bytes: map[weak.Pointer[manager.Session]]map[string]int64{}}
		return subject.Parts{
			Measure: g.count,
			Session: func(_ *subject.Subject, s spec.Session) spec.Session { return hauntedSession{s, g, goesOn} },
		}
	}
}

func (g *ghosts) count(of ...*manager.Session) account.Report {
	g.mu.RLock()
	defer g.mu.RUnlock()
	r := naive{}.count(of...)
	for _, s := range of {
		for _, n := range g.bytes[weak.Make(s)] {
			r.ByDevice[tensor.CPU] += n
			r.Total += n
		}
	}
	return r
}

type hauntedSession struct {
	spec.Session
	*ghosts
	goesOn func(old, new any) bool
}

func (h hauntedSession) SetAttr(name string, v spec.Value) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := subject.SessionOf(h.Session)
	var now any
	if v != nil {
		now = subject.Content(v)
	}
	of := h.bytes[weak.Make(s)]
	if of == nil {
		of = map[string]int64{}
		h.bytes[weak.Make(s)] = of
	}
	delete(of, name)
	if old, set := s.Attr(name); set && h.goesOn(old, now) {
		of[name] = account.Measure(old).Total
	}
	return h.Session.SetAttr(name, v)
}
