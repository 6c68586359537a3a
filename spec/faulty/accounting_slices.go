package faulty

import (
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// byteSlices holds faults of what a slice counts as that keeps a whole storage alive.
func byteSlices() []Fault {
	return []Fault{
		{
			Name: "counts elements", Breaks: []string{"ACC-02", "ACC-12"}, Follows: []string{"ACC-03"},
			Parts: each(func(s *sight) { s.bytes = min(s.bytes, s.elements()) }),
		}, {
			Name: "counts a slice by its elements where nothing else shows its storage", Breaks: []string{"ACC-02"},
			Parts: lone(func(s *sight) { s.bytes = s.elements() }),
		}, {
			Name: "counts a storage up to the end of the slice that keeps it", Breaks: []string{"ACC-02"},
			Parts: lone(func(s *sight) { s.bytes = reach(s.t) }),
		}, {
			Name: "counts a column by its elements", Breaks: []string{"ACC-02"},
			Parts: lone(func(s *sight) {
				if !s.t.IsContiguous() {
					s.bytes = s.elements()
				}
			}),
		}, {
			Name: "takes a slice of a few bytes for a number", Breaks: []string{"ACC-02"},
			Parts: lone(func(s *sight) {
				if s.elements() < 8 {
					s.bytes = 0
				}
			}),
		}, {
			Name: "keeps the slices that it is given and counts their elements", Breaks: []string{"ACC-02"}, Follows: []string{"ACC-18"},
			Parts: func() subject.Parts {
				parts := keepingReferences()
				parts.Measure = each(func(s *sight) {
					if !s.attribute() {
						s.bytes = s.elements()
					}
				})().Measure
				return parts
			},
		},
	}
}

// lone is each for slices in attributes, of storages that nothing else shows. Host
// arrays are left as they are.
func lone(change func(*sight)) func() subject.Parts {
	return counting(func(ss []sight) []sight {
		shown := map[*tensor.Storage]int{}
		for _, s := range ss {
			shown[s.st]++
		}
		for i := range ss {
			if s := &ss[i]; s.attribute() && s.array == nil && shown[s.st] == 1 && !s.whole() {
				change(s)
			}
		}
		return ss
	})
}

// reach is how many bytes of its storage lie before the end of a tensor.
func reach(t *tensor.Tensor) int64 {
	last := t.Offset()
	for axis, n := range t.Shape() {
		last += (n - 1) * t.Strides()[axis]
	}
	return int64((last + 1) * t.DType().Size())
}

// keepingReferences is a subject whose objects keep what they are given.
func keepingReferences() subject.Parts {
	return subject.Parts{Options: []object.Option{object.KeepReferences()}, Hello: func(h *spec.Hello) {
		for i := range h.Kinds {
			h.Kinds[i].Keeps = "reference"
		}
	}}
}
