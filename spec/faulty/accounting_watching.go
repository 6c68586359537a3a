package faulty

import (
	"slices"
	"sync"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
)

// byteWatching holds faults of counts that change what they count, or later counts.
func byteWatching() []Fault {
	return []Fault{
		{
			Name: "sorts the lists that it counts", Breaks: []string{"ACC-10"},
			Parts: notInto(func(w *way) bool { sortList(w); return false }),
		}, {
			Name: "marks a tensor that it counts in a map in a list", Breaks: []string{"ACC-10"},
			Parts: each(func(s *sight) {
				if s.deep == 2 && s.kind == spec.KindMap && s.up.kind == spec.KindList {
					s.st.Bytes()[0]++
				}
			}),
		}, {
			Name: "makes a number beside a list a float when it counts", Breaks: []string{"ACC-10"},
			Parts: watching(floatNumbers),
		}, {
			Name: "leaves its figure among the attributes", Breaks: []string{"ACC-10"},
			Parts: watching(func(s *manager.Session) {
				if len(s.AttrNames()) > 0 {
					s.SetAttr("nbytes", s.Bytes().Total)
				}
			}),
		}, {
			Name: "leaves an empty buffer among the objects that it counts", Breaks: []string{"ACC-10"},
			Parts: watching(func(s *manager.Session) {
				if len(s.Names()) > 0 {
					s.Put("counted", object.NewLatentBuffer("counted"))
				}
			}),
		}, {
			Name: "promotes what is staged when it counts", Breaks: []string{"ACC-10"}, Follows: []string{"ACC-16"},
			Parts: watching(func(s *manager.Session) {
				for _, name := range s.Names() {
					if o, err := s.Object(name); err == nil {
						o.Commit()
					}
				}
			}),
		}, {
			Name: "does not look again into a map that is as long as it was", Breaks: []string{"ACC-10"},
			Parts: func() subject.Parts {
				var mu sync.Mutex
				type mark struct {
					is    any
					holds int
				}
				marks := map[mark]bool{}
				return notInto(func(w *way) bool {
					if w.kind != spec.KindMap {
						return false
					}
					mu.Lock()
					defer mu.Unlock()
					m := mark{w.is, w.holds}
					defer func() { marks[m] = true }()
					return marks[m]
				})()
			},
		},
	}
}

// watching is a subject that does something to each session that it has counted.
func watching(after func(*manager.Session)) func() subject.Parts {
	return func() subject.Parts {
		return subject.Parts{Measure: func(of ...*manager.Session) account.Report {
			r := naive{}.count(of...)
			for _, s := range of {
				after(s)
			}
			return r
		}}
	}
}

// sortList puts the containers of a list in front of its tensors.
func sortList(w *way) {
	if l, ok := w.is.(*[]any); ok {
		place := func(v any) int {
			if kind, _, _ := opened(v); kind != "" {
				return 0
			}
			return 1
		}
		order := func(a, b any) int { return place(a) - place(b) }
		if !slices.IsSortedFunc(*l, order) {
			slices.SortStableFunc(*l, order)
		}
	}
}

// floatNumbers makes the numbers of a session floats that has a list among its
// attributes, and no object.
func floatNumbers(s *manager.Session) {
	lists, names := 0, s.AttrNames()
	for _, name := range names {
		v, _ := s.Attr(name)
		if _, is := v.(*[]any); is {
			lists++
		}
	}
	if lists == 0 || len(s.Names()) > 0 {
		return
	}
	for _, name := range names {
		v, _ := s.Attr(name)
		if n, whole := v.(int64); whole {
			s.SetAttr(name, float64(n))
		}
	}
}
