package attributes

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec"
)

// A view is one way of looking at a tensor.
type view = func(spec.Value) spec.Recipe

// strided is what a chain of views comes to: a shape, and where its elements lie
// in the first tensor. Strides and offset are in elements of size bytes.
type strided struct {
	dtype          string
	size           int
	shape, strides []int
	offset         int
}

// of is what it shows of a tensor whose elements lie in row-major order.
func (v strided) of(base spec.Reading) spec.Reading {
	r := base
	r.DType, r.Shape, r.Bytes = v.dtype, slices.Clone(v.shape), nil
	var walk func(axis, at int)
	walk = func(axis, at int) {
		if axis == len(v.shape) {
			r.Bytes = append(r.Bytes, base.Bytes[at*v.size:(at+1)*v.size]...)
			return
		}
		for i := range v.shape[axis] {
			walk(axis+1, at+i*v.strides[axis])
		}
	}
	walk(0, v.offset)
	sum := sha256.Sum256(r.Bytes)
	r.SHA256 = hex.EncodeToString(sum[:])
	return r
}

// views are ways of looking at a tensor of four by six float32.
func views() []TableEntry {
	entry := func(text string, shows strided, views ...view) TableEntry { return Entry(text, shows, views) }
	floats := func(offset int, shape, strides []int) strided { return strided{"float32", 4, shape, strides, offset} }
	type of = []int
	return []TableEntry{
		entry("some rows", floats(6, of{2, 6}, of{6, 1}), narrow(0, 1, 2)),
		entry("some columns", floats(2, of{4, 3}, of{6, 1}), narrow(1, 2, 3)),
		entry("some columns of some rows", floats(8, of{2, 3}, of{6, 1}), narrow(0, 1, 2), narrow(1, 2, 3)),
		entry("transposed", floats(0, of{6, 4}, of{1, 6}), transpose(0, 1)),
		entry("some rows of it transposed", floats(1, of{4, 4}, of{1, 6}), transpose(0, 1), narrow(0, 1, 4)),
		entry("of another shape", floats(0, of{2, 3, 4}, of{12, 4, 1}), reshape(2, 3, 4)),
		entry("of another shape, its axes reversed", floats(0, of{4, 3, 2}, of{1, 4, 12}), reshape(2, 3, 4), transpose(0, 2)),
		entry("transposed, of another shape", floats(0, of{2, 3, 4}, of{3, 1, 6}), transpose(0, 1), reshape(2, 3, 4)),
		entry("some columns, of another shape", floats(2, of{2, 2, 3}, of{12, 6, 1}), narrow(1, 2, 3), reshape(2, 2, 3)),
		entry("some columns, with axes of length one", floats(2, of{1, 4, 1, 3, 1}, of{0, 6, 0, 1, 0}), narrow(1, 2, 3), reshape(1, 4, 1, 3, 1)),
		entry("one column, of another shape", floats(2, of{2, 2}, of{12, 6}), narrow(1, 2, 1), reshape(2, 2)),
		entry("broadcast", floats(0, of{3, 4, 6}, of{0, 6, 1}), expand(3, 4, 6)),
		entry("one column, broadcast", floats(2, of{4, 5}, of{6, 0}), narrow(1, 2, 1), expand(4, 5)),
		entry("one row, broadcast", floats(6, of{5, 6}, of{0, 1}), narrow(0, 1, 1), expand(5, 6)),
		entry("of another dtype", strided{"int32", 4, of{4, 6}, of{6, 1}, 0}, retype("int32")),
		entry("of a narrower dtype", strided{"uint8", 1, of{4, 24}, of{24, 1}, 0}, retype("uint8")),
		entry("one row of a narrower dtype", strided{"uint8", 1, of{96}, of{1}, 0}, reshape(24), retype("uint8")),
		entry("some columns of a narrower dtype", strided{"int16", 2, of{4, 6}, of{12, 1}, 4}, narrow(1, 2, 3), retype("int16")),
		entry("some columns of a wider dtype", strided{"int64", 8, of{4, 2}, of{3, 1}, 1}, narrow(1, 2, 4), retype("int64")),
		entry("a second tensor", floats(0, of{4, 6}, of{6, 1}), spec.Alias),
	}
}

func narrow(axis, start, length int) view {
	return func(v spec.Value) spec.Recipe { return spec.Narrow(v, axis, start, length) }
}

func transpose(a, b int) view {
	return func(v spec.Value) spec.Recipe { return spec.Transpose(v, a, b) }
}

func reshape(shape ...int) view {
	return func(v spec.Value) spec.Recipe { return spec.Reshape(v, shape...) }
}

func expand(shape ...int) view {
	return func(v spec.Value) spec.Recipe { return spec.Expand(v, shape...) }
}

func retype(dtype string) view {
	return func(v spec.Value) spec.Recipe { return spec.Retype(v, dtype) }
}
