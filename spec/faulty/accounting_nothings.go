package faulty

import (
	"slices"

	"github.com/statespec/statespec/reference/subject"
)

// byteNothings holds faults of meeting storages of zero bytes.
func byteNothings() []Fault {
	return []Fault{
		{
			Name: "counts a page for a storage of zero bytes", Breaks: []string{"ACC-15"},
			Parts: each(func(s *sight) {
				if s.bytes == 0 && s.t != nil {
					s.bytes, s.apart = 4096, s.st
				}
			}),
		}, {
			Name: "stops at a storage of zero bytes", Breaks: []string{"ACC-15"},
			Parts: hiding(func(empty, s int) bool { return s > empty }),
		}, {
			Name: "takes a storage for the one of zero bytes that it comes after", Breaks: []string{"ACC-15"},
			Met:   "the real manager, to which all tensors without memory have one address",
			Parts: hiding(func(empty, s int) bool { return s == empty+1 }),
		}, {
			Name: "takes a storage for the one of zero bytes that comes after it", Breaks: []string{"ACC-15"},
			Parts: hiding(func(empty, s int) bool { return s == empty-1 }),
		}, {
			Name: "takes a host array for an empty one", Breaks: []string{"ACC-15"},
			Parts: counting(func(ss []sight) []sight {
				empty := false
				for i := range ss {
					if ss[i].array != nil {
						empty = empty || ss[i].bytes == 0
						if empty {
							ss[i].bytes = 0
						}
					}
				}
				return ss
			}),
		},
	}
}

// hiding is counting in which a tensor of zero bytes in an attribute hides
// others, by where both are in the list of sights.
func hiding(hides func(empty, s int) bool) func() subject.Parts {
	return counting(func(ss []sight) (kept []sight) {
		var empties []int
		for i, s := range ss {
			if s.bytes == 0 && s.attribute() {
				empties = append(empties, i)
			}
		}
		for i, s := range ss {
			if !slices.ContainsFunc(empties, func(empty int) bool { return hides(empty, i) }) {
				kept = append(kept, s)
			}
		}
		return kept
	})
}
