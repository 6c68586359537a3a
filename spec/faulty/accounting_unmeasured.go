package faulty

import (
	"slices"

	"github.com/statespec/statespec/reference/subject"
)

// byteUnmeasured holds faults of meeting what cannot be measured.
func byteUnmeasured() []Fault {
	return []Fault{
		{
			Name: "leaves out in silence what it cannot measure", Breaks: []string{"ACC-14"},
			Parts: counted(func() naive { return naive{blind: func(*way) bool { return false }} }),
		},
		{
			Name: "fails at what it cannot measure", Breaks: []string{"ACC-14.opaque"}, Met: "the real manager, at sparse, opaque, jagged and wrapper tensors",
			Parts: failing(func() naive {
				return naive{blind: func(*way) bool { panic(failure("what cannot be measured")) }}
			}),
		}, {
			Name: "panics at what it cannot measure", Breaks: []string{"ACC-14", "ACC-14.opaque"},
			Parts: counted(func() naive {
				return naive{blind: func(*way) bool { panic("a value without storage") }}
			}),
		}, {
			Name: "counts nothing of a session that holds what it cannot measure", Breaks: []string{"ACC-14.opaque"},
			Parts: without(func(s sight, blind *way) bool { return s.session == blind.session }),
		}, {
			Name: "counts nothing at all beside what it cannot measure", Breaks: []string{"ACC-14.opaque"},
			Parts: without(func(sight, *way) bool { return true }),
		}, {
			Name: "counts nothing in a list that comes after what it cannot measure", Breaks: []string{"ACC-14.opaque"},
			Parts: without(func(s sight, blind *way) bool { return blind.is != nil && s.passes(blind.is, blind.at+1) }),
		}, {
			Name: "counts no attribute that comes after one that it cannot measure", Breaks: []string{"ACC-14.opaque"},
			Parts: without(func(s sight, blind *way) bool { return s.session == blind.session && s.name > blind.name }),
		}, {
			Name: "counts no session beside one that holds what it cannot measure", Breaks: []string{"ACC-14.opaque"},
			Parts: without(func(s sight, blind *way) bool { return s.session != blind.session }),
		},
	}
}

// without is counted for a counter that leaves out sights because of something
// that cannot be measured.
func without(unseen func(s sight, blind *way) bool) func() subject.Parts {
	return counted(func() naive {
		var met []*way
		return naive{
			blind: func(w *way) bool { met = append(met, w); return true },
			over: func(ss []sight) []sight {
				return slices.DeleteFunc(ss, func(s sight) bool {
					return slices.ContainsFunc(met, func(blind *way) bool { return unseen(s, blind) })
				})
			},
		}
	})
}

// passes reports whether the way comes through a container, from a thing in it on.
func (w *way) passes(is any, from int) bool {
	for ; w != nil; w = w.up {
		if w.is == is && w.at >= from {
			return true
		}
	}
	return false
}
