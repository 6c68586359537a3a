package faulty

import (
	"github.com/statespec/statespec/reference/tensor"
)

// byteReleases holds faults of what evict says was released.
func byteReleases() []Fault {
	return []Fault{
		{
			Name: "says released what somebody else holds still", Breaks: []string{"ACC-18"},
			Met:   "the real manager: two objects on one storage both say so",
			Parts: keepingReferences,
		}, {
			Name: "says released what it goes on holding", Breaks: []string{"ACC-18"}, Follows: []string{"OBJ-06"},
			Parts: objectsOf(func(a *altered) {
				var leaked []*tensor.Tensor
				a.evict = func() (int64, error) {
					leaked = append(leaked, a.payloads()...)
					return a.own.Evict()
				}
				a.reset = func() error { leaked = nil; return a.own.Reset() }
			}),
		},
	}
}
