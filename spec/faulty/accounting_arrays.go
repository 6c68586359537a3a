package faulty

import (
	"sync"
	"weak"

	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// byteArrays holds faults of counting host arrays and what borrows their memory.
func byteArrays() []Fault {
	return []Fault{
		{
			Name: "does not count host arrays", Breaks: []string{"ACC-12", "ACC-12.export", "ACC-12.buffer"}, Follows: []string{"ACC-13.overlap", "ACC-15"},
			Parts: leavingOut(func(s sight) bool { return s.array != nil }),
		}, {
			Name: "does not count a host array whose elements have gaps", Breaks: []string{"ACC-12"}, Met: "the real manager counts nothing of a strided array",
			Parts: leavingOut(func(s sight) bool { return s.array != nil && !s.t.IsContiguous() }),
		}, {
			Name: "does not count a slice of a host array", Breaks: []string{"ACC-12"},
			Parts: leavingOut(func(s sight) bool { return s.array != nil && !s.whole() }),
		}, {
			Name: "counts a slice of a host array by its elements", Breaks: []string{"ACC-12"},
			Parts: each(func(s *sight) {
				if s.array != nil {
					s.bytes = min(s.bytes, s.elements())
				}
			}),
		}, {
			Name: "counts a broadcast host array by its elements", Breaks: []string{"ACC-12"},
			Parts: each(func(s *sight) {
				if s.array != nil {
					s.bytes = max(s.bytes, s.elements())
				}
			}),
		}, {
			Name: "counts every slice of a host array apart", Breaks: []string{"ACC-12"},
			Parts: each(func(s *sight) {
				if s.array != nil && !s.whole() {
					s.apart = s.array
				}
			}),
		},
		{
			Name: "does not count a host array that was exported from a tensor", Breaks: []string{"ACC-12.export"},
			Met:   "the real manager counts nothing of an exported array",
			Parts: borrowing("export", func(s *sight) { s.bytes = 0 }),
		}, {
			Name: "counts an exported host array beside its tensor", Breaks: []string{"ACC-12.export"},
			Parts: borrowing("export", func(s *sight) { s.apart = s.array }),
		},
		{
			Name: "does not count a host array over a buffer", Breaks: []string{"ACC-12.buffer"},
			Met:   "the real manager counts nothing of an array over borrowed memory",
			Parts: borrowing("buffer", func(s *sight) { s.bytes = 0 }),
		}, {
			Name: "rounds a host array over a buffer up to a page", Breaks: []string{"ACC-12.buffer"},
			Parts: borrowing("buffer", func(s *sight) { s.bytes = pages(s.bytes) }),
		},
		{
			Name: "does not count a tensor over part of a host array", Breaks: []string{"ACC-12.part-of-array"}, Follows: []string{"ACC-13.overlap"},
			Parts: borrowing("part-of-array", func(s *sight) { s.bytes = 0 }),
		}, {
			Name: "counts a tensor over part of a host array by pages", Breaks: []string{"ACC-12.part-of-array"}, Follows: []string{"ACC-13.overlap"},
			Parts: borrowing("part-of-array", func(s *sight) { s.bytes = pages(s.bytes) }),
		},
		{
			Name: "counts a mapped file and its host array", Breaks: []string{"ACC-12.mapped-file"},
			Parts: borrowing("mapped-file", func(s *sight) { s.bytes *= 2 }),
		}, {
			Name: "counts nothing that comes after a mapped file", Breaks: []string{"ACC-12.mapped-file"},
			Parts: borrowed("mapped-file", func(ss []sight, is func(sight) bool) []sight {
				for i, s := range ss {
					if is(s) {
						return ss[:i+1]
					}
				}
				return ss
			}),
		}, {
			Name: "fails at a mapped file", Breaks: []string{"ACC-12.mapped-file"},
			Parts: borrowing("mapped-file", func(*sight) { panic(failure("a mapped file")) }),
		},
		{
			Name: "dedups by address", Breaks: []string{"ACC-13.overlap"}, Met: "the real manager, by device and address",
			Parts: counting(func(ss []sight) (kept []sight) {
				met := map[uintptr]bool{}
				for _, s := range ss {
					s.apart = s.start
					if !met[s.start] {
						kept = append(kept, s)
					}
					met[s.start] = s.bytes > 0
				}
				return kept
			}),
		}, {
			Name: "dedups by address and length", Breaks: []string{"ACC-13.overlap"},
			Parts: each(func(s *sight) { s.apart = [2]int64{int64(s.start), s.bytes} }),
		}, {
			Name: "counts a tensor over all of a host array beside the array", Breaks: []string{"ACC-13.overlap"},
			Parts: borrowed("part-of-array", func(ss []sight, is func(sight) bool) []sight {
				arrays := map[uintptr]int64{}
				for _, s := range ss {
					if s.array != nil {
						arrays[s.start] = s.bytes
					}
				}
				for i, s := range ss {
					if is(s) && arrays[s.start] == s.bytes {
						ss[i].apart = "wrapped"
					}
				}
				return ss
			}),
		},
	}
}

// borrowing is each for what borrowed its memory in one way.
func borrowing(how string, change func(*sight)) func() subject.Parts {
	return borrowed(how, func(ss []sight, is func(sight) bool) []sight {
		for i := range ss {
			if is(ss[i]) {
				change(&ss[i])
			}
		}
		return ss
	})
}

// borrowed is counting for a counter that knows what borrowed its memory in one
// way: it remembers weakly what was made so. It may fail.
func borrowed(how string, over func(ss []sight, is func(sight) bool) []sight) func() subject.Parts {
	return func() subject.Parts {
		var mu sync.Mutex
		arrays, tensors := map[weak.Pointer[subject.HostArray]]bool{}, map[weak.Pointer[tensor.Tensor]]bool{}
		is := func(s sight) bool {
			mu.Lock()
			defer mu.Unlock()
			return s.array != nil && arrays[weak.Make(s.array)] || s.t != nil && tensors[weak.Make(s.t)]
		}
		parts := failing(func() naive { return naive{over: func(ss []sight) []sight { return over(ss, is) }} })()
		parts.Made = func(r spec.Recipe, v any) any {
			mu.Lock()
			defer mu.Unlock()
			if r.Step == "borrow" && r.Text == how {
				switch v := v.(type) {
				case *subject.HostArray:
					arrays[weak.Make(v)] = true
				case *tensor.Tensor:
					tensors[weak.Make(v)] = true
				}
			}
			return v
		}
		return parts
	}
}

// pages rounds up to whole pages.
func pages(n int64) int64 { return (n + 4095) / 4096 * 4096 }
