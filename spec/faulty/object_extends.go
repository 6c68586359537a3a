package faulty

import (
	"iter"

	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// extends are faults of commits of several payloads at once.
func extends() []Fault {
	return []Fault{
		{
			Name: "keeps the first payloads of a long extend", Breaks: []string{"OBJ-12"},
			Parts: buffers(func(b *alteredBuffer) {
				b.commit = func(ps ...*tensor.Tensor) error {
					if bound, _ := b.own.Bound(); bound.Unit == object.Payloads && len(ps) > bound.N {
						ps = ps[:bound.N]
					}
					return b.own.Commit(ps...)
				}
			}),
		}, {
			Name: "lets go of one payload after an extend", Breaks: []string{"OBJ-12"},
			Parts: letsGoOfOne,
		}, {
			Name: "forgets its bound when an extend is longer", Breaks: []string{"OBJ-12"},
			Parts: buffers(func(b *alteredBuffer) {
				b.commit = func(ps ...*tensor.Tensor) error {
					if bound, _ := b.own.Bound(); bound.Unit == object.Payloads && bound.N > 1 && len(ps) > bound.N {
						kept := b.payloads()
						b.own.Allocate(object.Bound{})
						ps = append(kept, ps...)
					}
					return b.own.Commit(ps...)
				}
			}),
		}, {
			Name: "hides that the source of an extend failed", Breaks: []string{"OBJ-12.iterable"},
			Parts: extending(func(b *alteredBuffer, from source) error {
				b.own.Extend(from)
				return nil
			}),
		}, {
			Name: "leaves nothing of an extend whose source failed", Breaks: []string{"OBJ-12.iterable"},
			Parts: extending(func(b *alteredBuffer, from source) error {
				kept := b.payloads()
				bound, _ := b.own.Bound()
				err := b.own.Extend(from)
				if err != nil {
					b.own.Allocate(bound)
					b.own.Commit(kept...)
				}
				return err
			}),
		}, {
			Name: "loses its content to an extend whose source failed", Breaks: []string{"OBJ-12.iterable"},
			Parts: extending(func(b *alteredBuffer, from source) error {
				bound, _ := b.own.Bound()
				err := b.own.Extend(from)
				if err != nil {
					b.own.Allocate(bound)
				}
				return err
			}),
		}, {
			Name: "declares that a failed extend leaves nothing, and leaves its beginning", Breaks: []string{"OBJ-12.iterable"},
			Parts: func() subject.Parts { return subject.Parts{Hello: func(h *spec.Hello) { h.Extend = "none" }} },
		}, {
			Name: "dies of a source that fails", Breaks: []string{"OBJ-12.iterable"},
			Parts: extending(func(b *alteredBuffer, from source) error {
				if err := b.own.Extend(from); err != nil {
					panic(err)
				}
				return nil
			}),
		}, {
			Name: "stays locked after a source that failed", Breaks: []string{"OBJ-12.iterable"},
			Parts: extending(func(b *alteredBuffer, from source) error {
				err := b.own.Extend(from)
				if err != nil {
					b.own.Guard().Lock() // and nobody unlocks it
				}
				return err
			}),
		},
	}
}

// A source is what an extend is given.
type source = iter.Seq2[*tensor.Tensor, error]

// extending is a subject whose buffers extend in another way.
func extending(extend func(b *alteredBuffer, from source) error) func() subject.Parts {
	return buffers(func(b *alteredBuffer) {
		b.extend = func(from source) error { return extend(b, from) }
	})
}

// letsGoOfOne is a subject whose buffers look at their bound once a commit, and
// let go of the oldest payload alone.
func letsGoOfOne() subject.Parts {
	return subject.Parts{StateObject: buffersOf(func(b *alteredBuffer) {
		most := 0 // payloads, none when 0
		var room object.Bound
		b.allocate = func(bound object.Bound) error {
			n := 0
			if bound.Unit == object.Payloads && bound.N > 1 {
				n, bound.N = bound.N, 1<<20
			}
			err := b.own.Allocate(bound)
			if err == nil {
				most, room = n, bound
			}
			return err
		}
		b.commit = func(ps ...*tensor.Tensor) error {
			err := b.own.Commit(ps...)
			if most > 0 && b.own.Len() > most {
				kept := b.payloads()[1:]
				b.own.Allocate(room)
				b.own.Commit(kept...)
			}
			return err
		}
	})}
}
