package reference_test

import (
	"strings"
	"unsafe"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

// bytes is a tensor of n bytes over a storage of its own.
func (s *scene) bytes(n int) *tensor.Tensor {
	s.t.Helper()
	return got[*tensor.Tensor](s)(tensor.New(dtype.UInt8, n))
}

// wrapping is a tensor over a host array's own memory.
func (s *scene) wrapping(array []byte) *tensor.Tensor {
	s.t.Helper()
	return got[*tensor.Tensor](s)(tensor.Of(tensor.WrapBytes(array), dtype.UInt8, []int{len(array)}, []int{1}, 0))
}

// buffer puts a latent buffer in the session and commits to it. It keeps the
// tensors that it is handed, as the recorded manager does.
func (s *scene) buffer(bound object.Bound, payloads ...*tensor.Tensor) *object.LatentBuffer {
	s.t.Helper()
	b := object.NewLatentBuffer("latents", object.KeepReferences())
	s.good(b.Allocate(bound))
	for _, p := range payloads {
		s.good(b.Append(p))
	}
	s.good(s.session("a").Put("latents", b))
	return b
}

// A sparse tensor has no storage that could be measured.
type sparse struct{}

func (sparse) Unmeasurable() string { return "sparse tensor" }

// constructions are the cases of accounting.json in the reference's types: a
// host array is a Go slice, a tensor that wraps one is over WrapBytes, a tuple
// is an array, a set a map with empty values.
func constructions() map[string]func(*scene) {
	all := map[string]func(*scene){}
	for _, some := range []map[string]func(*scene){views(), contents(), hostArrays(), troubles()} {
		for name, construct := range some {
			all[name] = construct
		}
	}
	return all
}

// views are storages that are reached more than once, or in part.
func views() map[string]func(*scene) {
	return map[string]func(*scene){
		"slice of 1000 in an attribute": func(s *scene) { s.set("v", s.slice(s.bytes(1000), 100, 10)) },
		"two disjoint views of 1000 in two attributes": func(s *scene) {
			whole := s.bytes(1000)
			s.set("v", s.slice(whole, 0, 100))
			s.set("w", s.slice(whole, 500, 100))
		},
		"view of 1000 in an attribute and another of it in a buffer with a 7-byte item": func(s *scene) {
			whole := s.bytes(1000)
			s.set("v", s.slice(whole, 0, 100))
			s.buffer(object.Bound{}, s.slice(whole, 500, 100), s.bytes(7))
		},
		"nested map, list, tuple with two views of 1000 and scalars": func(s *scene) {
			whole := s.bytes(1000)
			s.set("v", map[string]any{
				"list":  []any{s.slice(whole, 0, 100), 3, "text"},
				"tuple": [2]any{s.slice(whole, 500, 100), 1.5},
			})
		},
		"1000 shared by two sessions, 50 more in the second": func(s *scene) {
			whole := s.bytes(1000)
			s.session("a").SetAttr("v", whole)
			s.session("b").SetAttr("v", []any{s.slice(whole, 0, 10), s.bytes(50)})
		},
		"ten 100-byte rows of one 1000-byte storage in a ring of 4": func(s *scene) {
			whole := s.bytes(1000)
			ring := s.buffer(object.Bound{Unit: object.Payloads, N: 4})
			for i := range 10 {
				s.good(ring.Append(s.slice(whole, 100*i, 100)))
			}
		},
		"1 byte broadcast to 100000": func(s *scene) { s.set("v", got[*tensor.Tensor](s)(s.bytes(1).Expand(100000))) },
	}
}

// contents are storages that come and go, of several sizes.
func contents() map[string]func(*scene) {
	return map[string]func(*scene){
		"ten 100-byte items in a ring of 4": func(s *scene) {
			ring := s.buffer(object.Bound{Unit: object.Payloads, N: 4})
			for range 10 {
				s.good(ring.Append(s.bytes(100)))
			}
		},
		"two empty storages and 16 bytes": func(s *scene) { s.set("v", []any{s.bytes(0), s.bytes(0), s.bytes(16)}) },
		"10 bf16 and 10 complex64": func(s *scene) {
			s.set("v", got[*tensor.Tensor](s)(tensor.New(dtype.BFloat16, 10)))
			s.set("w", got[*tensor.Tensor](s)(tensor.New(dtype.Complex64, 10)))
		},
		"100 committed, 5000 staged": func(s *scene) {
			s.good(s.buffer(object.Bound{}, s.bytes(100)).Stage(s.bytes(5000)))
		},
		"1000 replaced by 10 in one attribute": func(s *scene) {
			s.set("v", s.bytes(1000))
			s.set("v", s.bytes(10))
		},
		"buffer and attribute, then session reset": func(s *scene) {
			s.set("v", s.bytes(10))
			s.buffer(object.Bound{}, s.bytes(100))
			s.good(s.session("a").Reset())
		},
		"list with a tensor and a hole": func(s *scene) { s.set("v", []any{s.bytes(1024), nil}) },
		"400 bytes inside a set":        func(s *scene) { s.set("v", map[any]struct{}{s.bytes(400): {}}) },
	}
}

// hostArrays are Go slices, and tensors over their memory.
func hostArrays() map[string]func(*scene) {
	return map[string]func(*scene){
		"host array of 800 bytes with two views": func(s *scene) {
			array := make([]float64, 100)
			s.set("v", []any{array, array[:50], array[30:60]})
		},
		"host array of 800 bytes and a tensor wrapping it": func(s *scene) {
			array := make([]byte, 800)
			s.set("v", []any{array, s.wrapping(array)})
		},
		"host array wrapping an 800-byte immutable buffer": func(s *scene) {
			buffer := strings.Repeat("x", 800) // Go's immutable bytes are a string's
			s.set("v", unsafe.Slice(unsafe.StringData(buffer), len(buffer)))
		},
		"host array of 800 and a tensor wrapping its second half": func(s *scene) {
			array := make([]byte, 800)
			s.set("v", []any{array, s.wrapping(array[400:])})
		},
		"tensor wrapping the first 80 of a host array of 800, then the array": func(s *scene) {
			array := make([]byte, 800)
			s.set("v", []any{s.wrapping(array[:80:80]), array})
		},
		"host array exported from a 400-byte tensor that is not otherwise held": func(s *scene) {
			s.set("v", s.bytes(400).Storage().Bytes())
		},
		"host array of 80 bytes strided to 1000 elements": func(s *scene) {
			// A Go slice has no strides: the view is a tensor over the array.
			memory := tensor.WrapBytes(make([]byte, 80))
			s.set("v", got[*tensor.Tensor](s)(tensor.Of(memory, dtype.Float64, []int{100, 10}, []int{0, 1}, 0)))
		},
	}
}

// troubles are values that stop a careless walk.
func troubles() map[string]func(*scene) {
	return map[string]func(*scene){
		"list containing itself and 4 bytes": func(s *scene) {
			list := []any{s.bytes(4), nil}
			list[1] = list
			s.set("v", list)
		},
		"sparse tensor beside 10 bytes": func(s *scene) { s.set("v", []any{sparse{}, s.bytes(10)}) },
	}
}
