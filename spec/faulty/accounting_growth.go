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

// byteGrowth holds faults of counting a container as it was.
func byteGrowth() []Fault {
	return []Fault{
		{
			Name: "counts a list as long as it was when it was first counted", Breaks: []string{"ACC-20"},
			Parts: remembered(func(w *way) bool { return w.kind == spec.KindList }),
		}, {
			Name: "counts a map as large as it was when it was first counted", Breaks: []string{"ACC-20"},
			Parts: remembered(func(w *way) bool { return w.kind == spec.KindMap }),
		}, {
			Name: "looks anew into an attribute's own list and not into lists in it", Breaks: []string{"ACC-20"},
			Parts: remembered(func(w *way) bool { return w.kind == spec.KindList && w.in(spec.KindList) == 2 }),
		}, {
			Name: "does not see that a list was emptied", Breaks: []string{"ACC-20"},
			Parts: emptied,
		},
	}
}

// remembered is a subject that counts of some containers no more than as many
// things as they held when they were first counted. Of a map it leaves out all
// when there are more.
func remembered(which func(*way) bool) func() subject.Parts {
	return func() subject.Parts {
		var mu sync.Mutex
		first := map[any]int{}
		known := func(w *way) int {
			mu.Lock()
			defer mu.Unlock()
			is := w.is
			if l, ok := is.(*[]any); ok {
				is = weak.Make(l)
			}
			if _, met := first[is]; !met {
				first[is] = w.holds
			}
			return first[is]
		}
		return counted(func() naive {
			most := map[any]int{}
			return naive{
				into: func(w *way) (bool, string) {
					if which(w) {
						most[w.is] = known(w)
					}
					return w.kind != spec.KindMap || !which(w) || w.holds <= most[w.is], ""
				},
				over: func(ss []sight) (kept []sight) {
					for _, s := range ss {
						if n, ok := most[s.is]; s.is == nil || !ok || s.at < n {
							kept = append(kept, s)
						}
					}
					return kept
				},
			}
		})()
	}
}

// emptied is a subject that goes on counting what a list held that is empty now.
func emptied() subject.Parts {
	var mu sync.Mutex
	held := map[weak.Pointer[[]any]]int64{}
	return subject.Parts{Measure: func(of ...*manager.Session) account.Report {
		mu.Lock()
		defer mu.Unlock()
		var missing int64
		n := naive{}
		n.into = func(w *way) (bool, string) {
			if l, ok := w.is.(*[]any); ok && w.holds == 0 {
				missing += held[weak.Make(l)]
			}
			return true, ""
		}
		n.over = func(ss []sight) []sight {
			now := map[weak.Pointer[[]any]]int64{}
			for _, s := range ss {
				if l, ok := s.is.(*[]any); ok {
					now[weak.Make(l)] += s.bytes
				}
			}
			for l, bytes := range now {
				held[l] = bytes
			}
			return append(ss, sight{device: tensor.CPU, bytes: missing, apart: "emptied"})
		}
		return n.count(of...)
	}}
}
