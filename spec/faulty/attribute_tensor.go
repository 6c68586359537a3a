package faulty

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// carriedTensors holds faults of a tensor that is carried in an attribute: of
// its bits, its dtype, its shape, and of what a view shows.
func carriedTensors() []Fault {
	read := func(name string, as func(*tensor.Tensor) *tensor.Tensor) Fault {
		return Fault{Name: name, Breaks: []string{"ATT-01"}, Parts: readsAs(ofTensors(as))}
	}
	assign := func(name string, as func(before, t *tensor.Tensor) *tensor.Tensor) Fault {
		return Fault{Name: name, Breaks: []string{"ATT-01"}, Parts: holdsAs(ofSecond(as))}
	}
	return []Fault{
		read("quiets a signalling NaN", floats(func(f *float) {
			if quiet := uint64(1) << (f.width - 1); f.nan() {
				f.mantissa |= quiet
			}
		})),
		read("drops the payload of a NaN", floats(func(f *float) {
			if f.nan() {
				f.mantissa = 1 << (f.width - 1)
			}
		})),
		read("drops the sign of a zero", floats(func(f *float) {
			if f.exponent == 0 && f.mantissa == 0 {
				f.sign = 0
			}
		})),
		read("flushes subnormals to zero", floats(func(f *float) {
			if f.exponent == 0 {
				f.mantissa = 0
			}
		})),
		read("carries integers as floats", through64),
		read("widens half floats", recast(dtype.Float16, dtype.Float32)),
		read("keeps the real part of a complex tensor", recast(dtype.Complex64, dtype.Float32)),
		read("reads a tensor of booleans as bytes", recast(dtype.Bool, dtype.UInt8)),
		read("reads columns from the first one on", fromStart),
		read("reads a view without its strides", unstrided),
		read("reads a broadcast once", once),
		read("reads no more than 64 KiB of a tensor", func(t *tensor.Tensor) *tensor.Tensor {
			if t.NumBytes() <= spec.ReadLimit {
				return t
			}
			t = t.Clone()
			clear(t.Storage().Bytes()[spec.ReadLimit:])
			return t
		}),
		read("reads a tensor without elements as nothing", func(t *tensor.Tensor) *tensor.Tensor {
			if t.NumElements() == 0 {
				return nil
			}
			return t
		}),
		{
			Name: "reads a host array as a tensor", Breaks: []string{"ATT-01"},
			Parts: readsAs(func(v any) any {
				if a, is := v.(*subject.HostArray); is {
					return a.Tensor
				}
				return v
			}),
		},
		assign("keeps the dtype of the tensor that was there", func(before, t *tensor.Tensor) *tensor.Tensor {
			if !before.SameShape(t) {
				return t
			}
			return ofBytes(t, before.DType(), t.Shape())
		}),
		assign("keeps the axes of the tensor that was there", func(before, t *tensor.Tensor) *tensor.Tensor {
			if before.Rank() == t.Rank() {
				return t
			}
			return ofBytes(t, t.DType(), before.Shape())
		}),
		assign("takes floats of the same shape for the same", func(before, t *tensor.Tensor) *tensor.Tensor {
			if before.SameShape(t) && before.DType() == dtype.Float32 && t.DType() == dtype.Float32 {
				return before
			}
			return t
		}),
	}
}

// ofTensors is a change of tensors alone; nil is nothing.
func ofTensors(as func(*tensor.Tensor) *tensor.Tensor) func(any) any {
	return func(v any) any {
		t, is := v.(*tensor.Tensor)
		if !is {
			return v
		}
		if t = as(t); t == nil {
			return nil
		}
		return t
	}
}

// ofSecond is a change of a tensor that takes another one's place.
func ofSecond(as func(before, t *tensor.Tensor) *tensor.Tensor) func(before, v any) any {
	return func(before, v any) any {
		t, is := v.(*tensor.Tensor)
		if was, too := before.(*tensor.Tensor); is && too {
			return as(was, t)
		}
		return v
	}
}

// ofBytes is the bytes of a tensor as another one, cut or with zeros behind.
func ofBytes(t *tensor.Tensor, dt dtype.DType, shape []int) *tensor.Tensor {
	out, err := tensor.New(dt, shape...)
	if err != nil {
		return t
	}
	copy(out.Storage().Bytes(), t.AppendBytes(nil))
	return out
}

func recast(from, to dtype.DType) func(*tensor.Tensor) *tensor.Tensor {
	return func(t *tensor.Tensor) *tensor.Tensor {
		if t.DType() != from {
			return t
		}
		return ofBytes(t, to, t.Shape())
	}
}

// through64 takes integers of 64 bits through a float and back.
func through64(t *tensor.Tensor) *tensor.Tensor {
	if t.DType() != dtype.Int64 {
		return t
	}
	t = t.Clone()
	for b := range slices.Chunk(t.Storage().Bytes(), 8) {
		n := int64(binary.LittleEndian.Uint64(b))
		binary.LittleEndian.PutUint64(b, uint64(asFloat(n)))
	}
	return t
}

// fromStart forgets where a view begins that is no run of its storage.
func fromStart(t *tensor.Tensor) *tensor.Tensor {
	if t.IsContiguous() {
		return t
	}
	return orSame(t)(tensor.Of(t.Storage(), t.DType(), t.Shape(), t.Strides(), 0))
}

func unstrided(t *tensor.Tensor) *tensor.Tensor {
	strides, step := make([]int, t.Rank()), 1
	for axis := t.Rank() - 1; axis >= 0; axis-- {
		strides[axis] = step
		step *= t.Dim(axis)
	}
	return orSame(t)(tensor.Of(t.Storage(), t.DType(), t.Shape(), strides, t.Offset()))
}

func once(t *tensor.Tensor) *tensor.Tensor {
	for axis, stride := range t.Strides() {
		if stride == 0 && t.Dim(axis) > 1 {
			t = orSame(t)(t.Narrow(axis, 0, 1))
		}
	}
	return t
}

// orSame is a tensor where there is one.
func orSame(t *tensor.Tensor) func(*tensor.Tensor, error) *tensor.Tensor {
	return func(other *tensor.Tensor, err error) *tensor.Tensor {
		if err != nil {
			return t
		}
		return other
	}
}

// A float is one of any format, taken apart; width is the mantissa's.
type float struct {
	sign, exponent, mantissa uint64
	width, exponentWidth     int
}

func (f *float) nan() bool { return f.exponent == 1<<f.exponentWidth-1 && f.mantissa != 0 }

// layout is the bytes of a float, and the bits of its mantissa; of a complex
// number, those of each part. Zero for what is no float.
func layout(dt dtype.DType) (size, mantissa int) {
	switch dt {
	case dtype.Float16:
		return 2, 10
	case dtype.BFloat16:
		return 2, 7
	case dtype.Float32, dtype.Complex64:
		return 4, 23
	case dtype.Float64, dtype.Complex128:
		return 8, 52
	}
	return 0, 0
}

// floats changes the floats of a tensor. One in which nothing is to change is
// itself.
func floats(change func(*float)) func(*tensor.Tensor) *tensor.Tensor {
	return func(t *tensor.Tensor) *tensor.Tensor {
		size, width := layout(t.DType())
		if size == 0 {
			return t
		}
		out := t.Clone()
		for b := range slices.Chunk(out.Storage().Bytes(), size) {
			var word [8]byte
			copy(word[:], b)
			changed := binary.LittleEndian.AppendUint64(nil, changedFloat(binary.LittleEndian.Uint64(word[:]), 8*size, width, change))
			copy(b, changed)
		}
		if bytes.Equal(out.Storage().Bytes(), t.AppendBytes(nil)) {
			return t
		}
		return out
	}
}

// changedFloat changes one float of so many bits, width of them its mantissa's.
func changedFloat(bits uint64, size, width int, change func(*float)) uint64 {
	f := float{sign: bits >> (size - 1), mantissa: bits & (1<<width - 1), width: width, exponentWidth: size - 1 - width}
	f.exponent = bits >> width & (1<<f.exponentWidth - 1)
	change(&f)
	return f.sign<<(size-1) | f.exponent<<width | f.mantissa
}
