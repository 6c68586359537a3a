package faulty

import (
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// views are faults of what a reader gets, and what it can do with it.
func views() []Fault {
	return []Fault{
		{
			Name: "hands out its own list", Breaks: []string{"OBJ-13"},
			Parts: handsOut(func(list *[]any) *[]any { return list }),
		}, {
			Name: "hands out its own slots", Breaks: []string{"OBJ-13"},
			Parts: handsOut(func(list *[]any) *[]any {
				own := (*list)[:len(*list):len(*list)]
				return &own // of which only what is added is the reader's
			}),
		}, {
			Name: "declares that views keep their bits, and lends its ring", Breaks: []string{"OBJ-22"},
			Parts: func() subject.Parts { return subject.Parts{Hello: func(h *spec.Hello) { h.Views = "always" }} },
		}, {
			Name: "declares that views keep their bits, and wipes them at an evict", Breaks: []string{"OBJ-22"},
			Parts: wipes,
		}, {
			Name: "reads all objects into one buffer", Breaks: []string{"OBJ-22"},
			Parts: readsIntoOne(func(b *alteredBuffer, into *output) {
				b.view = func(o object.ViewOptions) ([]*tensor.Tensor, error) {
					held, err := b.own.View(o)
					return into.of(held...), err
				}
			}),
		}, {
			Name: "reads all windows into one buffer", Breaks: []string{"OBJ-22"},
			Parts: readsIntoOne(func(b *alteredBuffer, into *output) {
				b.last = func(n int) (*tensor.Tensor, error) {
					window, err := b.own.Last(n)
					if err != nil {
						return nil, err
					}
					return into.of(window)[0], nil
				}
			}),
		},
	}
}
