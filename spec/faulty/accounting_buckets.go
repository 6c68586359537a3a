package faulty

import (
	"github.com/statespec/statespec/reference/object"
)

// byteBuckets holds faults of counting one of the two buckets, or part of it.
func byteBuckets() []Fault {
	return []Fault{
		{
			Name: "does not count attributes", Breaks: []string{"ACC-06"}, Met: "the first version of the real manager",
			Parts: leavingOut(sight.attribute),
		}, {
			Name: "counts attributes only beside a state object", Breaks: []string{"ACC-06"},
			Parts: counting(func(ss []sight) []sight {
				for _, s := range ss {
					if !s.attribute() {
						return ss
					}
				}
				return nil
			}),
		}, {
			Name: "counts the elements of an attribute instead of their bytes", Breaks: []string{"ACC-06"},
			Parts: each(func(s *sight) {
				if s.attribute() && s.t != nil {
					s.bytes /= int64(s.t.DType().Size())
				}
			}),
		},
		{
			Name: "does not count state objects", Breaks: []string{"ACC-06.object"}, Follows: []string{"ACC-19", "PRK-03"},
			Parts: leavingOut(func(s sight) bool { return !s.attribute() }),
		}, {
			Name: "does not count encode-once objects", Breaks: []string{"ACC-06.object"}, Follows: []string{"PRK-03"},
			Parts: leavingOut(func(s sight) bool { _, is := s.object.(*object.EncodeOnce); return is }),
		}, {
			Name: "counts one state object a session", Breaks: []string{"ACC-06.object"}, Follows: []string{"PRK-03"},
			Parts: counting(func(ss []sight) (kept []sight) {
				first := map[any]string{}
				for _, s := range ss {
					if _, met := first[s.session]; !met && !s.attribute() {
						first[s.session] = s.name
					}
					if s.attribute() || first[s.session] == s.name {
						kept = append(kept, s)
					}
				}
				return kept
			}),
		}, {
			Name: "counts two payloads of a buffer at most", Breaks: []string{"ACC-06.object"},
			Parts: leavingOut(func(s sight) bool {
				b, is := s.object.(*object.LatentBuffer)
				return is && s.at >= 2 && s.at < b.Len()
			}),
		},
	}
}
