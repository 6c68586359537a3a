package faulty

import (
	"sync"
	"weak"

	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// byteStaging holds faults of counting what is staged, which the reference does
// and says so.
func byteStaging() []Fault {
	return []Fault{
		{
			Name: "does not count what is staged, and says that it does", Breaks: []string{"ACC-16"},
			Parts: leavingOut(func(s sight) bool { return !s.attribute() && s.staged() }),
		}, {
			Name: "counts what is staged, and says that it does not", Breaks: []string{"ACC-16"},
			Parts: func() subject.Parts {
				return subject.Parts{Hello: func(h *spec.Hello) { h.Staged = "not-counted" }}
			},
		}, {
			Name: "does not count what is staged in an encode-once object", Breaks: []string{"ACC-16"},
			Parts: leavingOut(func(s sight) bool { _, once := s.object.(*object.EncodeOnce); return once && s.staged() }),
		}, {
			Name: "counts what is staged the first time only", Breaks: []string{"ACC-16"},
			Parts: func() subject.Parts {
				var mu sync.Mutex
				met := map[weak.Pointer[tensor.Storage]]bool{}
				return leavingOut(func(s sight) bool {
					if s.attribute() || !s.staged() {
						return false
					}
					mu.Lock()
					defer mu.Unlock()
					st := weak.Make(s.st)
					defer func() { met[st] = true }()
					return met[st]
				})()
			},
		}, {
			Name: "goes on counting what was discarded", Breaks: []string{"ACC-16"},
			Parts: buffers(countDiscarded),
		},
	}
}

// countDiscarded makes a buffer name what was discarded as held until it starts
// over: by figures alone, the memory is gone.
func countDiscarded(b *alteredBuffer) {
	var discarded []*tensor.Storage
	b.hidden = func(visit func(any)) {
		for _, st := range discarded {
			visit(st)
		}
	}
	forget := func() {
		b.own.Guard().Lock()
		defer b.own.Guard().Unlock()
		discarded = nil
	}
	b.discard = func() error {
		all, _ := b.own.View(object.ViewOptions{Staged: true})
		shown, _ := b.own.View(object.ViewOptions{})
		if err := b.own.Discard(); err != nil {
			return err
		}
		b.own.Guard().Lock()
		defer b.own.Guard().Unlock()
		for _, t := range all[len(shown):] {
			nowhere := uintptr(1+len(discarded)) << 40
			discarded = append(discarded, tensor.NewForeignStorage(tensor.CPU, nowhere, t.Storage().Len()))
		}
		return nil
	}
	b.allocate = func(bound object.Bound) error { forget(); return b.own.Allocate(bound) }
	b.evict = func() (int64, error) { forget(); return b.own.Evict() }
	b.reset = func() error { forget(); return b.own.Reset() }
}
