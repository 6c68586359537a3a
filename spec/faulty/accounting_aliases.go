package faulty

import (
	"fmt"
	"slices"

	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
)

// byteAliases holds faults of counting once what several ways lead to in one session.
func byteAliases() []Fault {
	return []Fault{
		{
			Name: "dedups by the address of a view", Breaks: []string{"ACC-03", "ACC-04"},
			Parts: apart(func(s sight) any { return s.t.Offset() * s.t.DType().Size() }),
		}, {
			Name: "dedups by storage and dtype", Breaks: []string{"ACC-03"},
			Parts: apart(func(s sight) any { return s.t.DType() }),
		}, {
			Name: "dedups by storage and shape", Breaks: []string{"ACC-03", "ACC-04", "ACC-05"},
			Parts: apart(func(s sight) any { return fmt.Sprint(s.t.Shape()) }),
		}, {
			Name: "counts a transposed view beside what it is a view of", Breaks: []string{"ACC-03"},
			Parts: apart(func(s sight) any { return s.t.Rank() == 2 && s.t.Strides()[0] < s.t.Strides()[1] && s.whole() }),
		}, {
			Name: "counts a broadcast view by its elements", Breaks: []string{"ACC-03"},
			Parts: each(func(s *sight) {
				if n := s.elements(); s.array == nil && n > s.bytes {
					s.bytes, s.apart = n, s.st
				}
			}),
		}, {
			Name: "counts a view again that is larger than those met before", Breaks: []string{"ACC-03"}, Follows: []string{"ACC-13"},
			Parts: againWhen(func(s sight, before []sight) bool {
				for _, b := range before {
					if b.elements() >= s.elements() {
						return false
					}
				}
				return true
			}),
		}, {
			Name: "counts disjoint slices apart", Breaks: []string{"ACC-03"}, Follows: []string{"ACC-13"},
			Parts: againWhen(func(s sight, before []sight) bool {
				for _, b := range before {
					if overlap(s, b) {
						return false
					}
				}
				return true
			}),
		}, {
			Name: "counts overlapping slices apart", Breaks: []string{"ACC-03"},
			Parts: againWhen(func(s sight, before []sight) bool {
				for _, b := range before {
					if !s.whole() && !b.whole() && overlap(s, b) {
						return true
					}
				}
				return false
			}),
		},
		{
			Name: "counts the two buckets apart", Breaks: []string{"ACC-04"},
			Parts: each(func(s *sight) { s.apart = s.attribute() }),
		}, {
			Name: "counts a slice beside the state object that it is a slice of", Breaks: []string{"ACC-04"},
			Parts: inBoth(func(s *sight) {
				if s.attribute() && !s.whole() {
					s.apart = "slices"
				}
			}),
		}, {
			Name: "counts an attribute beside the encode-once object that shows it", Breaks: []string{"ACC-04"},
			Parts: each(func(s *sight) {
				if _, is := s.object.(*object.EncodeOnce); is {
					s.apart = "encode-once"
				}
			}),
		}, {
			Name: "counts in neither bucket what is in both", Breaks: []string{"ACC-04"},
			Parts: inBoth(func(s *sight) { s.bytes = 0 }),
		},
		{
			Name: "counts a storage under every name", Breaks: []string{"ACC-05"},
			Parts: counting(func(ss []sight) []sight {
				first := map[held]string{}
				for i := range ss {
					s := &ss[i]
					if !s.attribute() || s.array != nil {
						continue
					}
					if name, met := first[held{s.session, s.st}]; !met {
						first[held{s.session, s.st}] = s.name
					} else if name != s.name {
						s.apart = s.name
					}
				}
				return ss
			}),
		}, {
			Name: "counts a storage again that is in a container of a container", Breaks: []string{"ACC-05"},
			Parts: each(func(s *sight) {
				if s.deep > 2 {
					s.apart = "nested"
				}
			}),
		}, {
			Name: "counts a state object under every name", Breaks: []string{"ACC-05"},
			Parts: counting(func(ss []sight) []sight {
				first := map[object.StateObject]string{}
				for i := range ss {
					s := &ss[i]
					if s.attribute() {
						continue
					}
					if name, met := first[s.object]; !met {
						first[s.object] = s.name
					} else if name != s.name {
						s.apart = s.name
					}
				}
				return ss
			}),
		},
	}
}

// held is a storage in a session.
type held struct {
	in *manager.Session
	st *tensor.Storage
}

// apart is counting that counts tensors once for each key, unless a host array
// or other wrapping shows their storage too.
func apart(key func(sight) any) func() subject.Parts {
	return counting(func(ss []sight) []sight {
		wrapped := map[*tensor.Storage]bool{}
		for _, s := range ss {
			wrapped[s.st] = wrapped[s.st] || s.t == nil || s.array != nil || !s.st.Owned()
		}
		for i := range ss {
			if !wrapped[ss[i].st] {
				ss[i].apart = key(ss[i])
			}
		}
		return ss
	})
}

// againWhen is counting that counts a tensor once more when its storage was met
// before, and those sights of it make it so. A view itself is met once.
func againWhen(again func(s sight, before []sight) bool) func() subject.Parts {
	return counting(func(ss []sight) []sight {
		before := map[*tensor.Storage][]sight{}
		for i := range ss {
			s := &ss[i]
			if s.t == nil || s.array != nil {
				continue
			}
			met := before[s.st]
			if slices.ContainsFunc(met, func(b sight) bool { return b.t == s.t }) {
				continue
			}
			if len(met) > 0 && again(*s, met) {
				s.apart = i
			}
			before[s.st] = append(met, *s)
		}
		return ss
	})
}

// inBoth is each for sights of storages that are both in an object and in an
// attribute.
func inBoth(change func(*sight)) func() subject.Parts {
	return counting(func(ss []sight) []sight {
		in := map[bool]map[*tensor.Storage]bool{true: {}, false: {}}
		for _, s := range ss {
			in[s.attribute()][s.st] = true
		}
		for i := range ss {
			if in[true][ss[i].st] && in[false][ss[i].st] {
				change(&ss[i])
			}
		}
		return ss
	})
}

// start is how many bytes of its storage lie before the first element of a tensor.
func start(t *tensor.Tensor) int64 { return int64(t.Offset() * t.DType().Size()) }

// overlap reports whether the elements of two sights of one storage lie among
// each other.
func overlap(a, b sight) bool { return start(b.t) < reach(a.t) && start(a.t) < reach(b.t) }
