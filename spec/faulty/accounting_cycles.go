package faulty

import (
	"slices"

	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
)

// byteCycles holds faults of meeting a container that contains itself.
func byteCycles() []Fault {
	return []Fault{
		{
			Name: "fails at a container that contains itself", Breaks: []string{"ACC-14.cycle"}, Met: "the real manager",
			Parts: failing(func() naive { return naive{again: func(*way) { panic(failure("a container that contains itself")) }} }),
		}, {
			Name: "overflows its stack in two lists that contain each other", Breaks: []string{"ACC-14.cycle"},
			Parts: counted(func() naive {
				return naive{again: func(w *way) {
					if w.up.is != w.is {
						panic("too deep")
					}
				}}
			}),
		}, {
			Name: "goes round for ever in a list that contains itself", Breaks: []string{"ACC-14.cycle"},
			Parts: counted(func() naive {
				return naive{again: func(w *way) {
					if w.up.is == w.is {
						select {}
					}
				}}
			}),
		}, {
			Name: "counts what is in a cycle once more", Breaks: []string{"ACC-14.cycle"},
			Parts: inCycles(func(s *sight) []sight { more := *s; more.apart = "again"; return []sight{*s, more} }),
		}, {
			Name: "counts nothing that is in a cycle", Breaks: []string{"ACC-14.cycle"},
			Parts: inCycles(func(*sight) []sight { return nil }),
		},
	}
}

// inCycles is counted for a counter that makes other sights of those that lie in
// containers that contain themselves.
func inCycles(as func(*sight) []sight) func() subject.Parts {
	return counted(func() naive {
		var round []any
		return naive{
			again: func(w *way) { round = append(round, w.is) },
			over: func(ss []sight) (changed []sight) {
				for i := range ss {
					if slices.ContainsFunc(round, func(is any) bool { return ss[i].passes(is, 0) }) {
						changed = append(changed, as(&ss[i])...)
					} else {
						changed = append(changed, ss[i])
					}
				}
				return changed
			},
		}
	})
}

// byteDepth holds faults of meeting containers nested deep.
func byteDepth() []Fault {
	return []Fault{
		{
			Name: "fails at nesting a thousand deep", Breaks: []string{"ACC-14.deep"}, Met: "the real manager, by its language's limit of recursion",
			Parts: failing(func() naive {
				return naive{into: func(w *way) (bool, string) {
					if w.deep >= 1000 {
						panic(failure("nested too deep"))
					}
					return true, ""
				}}
			}),
		}, {
			Name: "overflows its stack five thousand deep", Breaks: []string{"ACC-14.deep"},
			Parts: notInto(func(w *way) bool {
				if w.deep > 5000 {
					panic("too deep")
				}
				return false
			}),
		}, {
			Name: "stops a hundred deep and does not say so", Breaks: []string{"ACC-14.deep"},
			Parts: notInto(func(w *way) bool { return w.deep > 100 }),
		}, {
			Name: "counts nothing of a session that is nested deep, and names it", Breaks: []string{"ACC-14.deep"},
			Parts: counted(func() naive {
				deep := map[any]bool{}
				return naive{
					into: func(w *way) (bool, string) {
						if w.deep > 100 && w.kind == spec.KindList {
							deep[w.session] = true
							return false, "what is nested deep"
						}
						return true, ""
					},
					over: func(ss []sight) []sight {
						return slices.DeleteFunc(ss, func(s sight) bool { return deep[s.session] })
					},
				}
			}),
		},
	}
}
