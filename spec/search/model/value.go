package model

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/statespec/statespec/fixtures/fill"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/search/history"
)

// A storage is one allocation.
type storage struct {
	raw     []byte
	foreign bool   // only read, never made: its true size is not known
	tag     string // by which it is tracked; empty: it is not
	lost    string // the row by which its last place gave it up
}

// A value is what a caller made: a tensor (a view of a storage), a container, a
// scalar. Containers hold values, not copies of them.
type value struct {
	kind spec.ValueKind

	st             *storage // of a tensor
	dtype          string
	shape, strides []int // in elements
	offset         int

	num   int64
	text  string
	keys  []string // of a map, beside items
	items []*value
	other string // the line of what a model does not know
}

func tensorOf(o history.Operation, tag string) *value {
	n := elements(o.Shape)
	v := &value{kind: spec.KindTensor, st: &storage{tag: tag}, dtype: o.DType, shape: o.Shape, strides: contiguous(o.Shape)}
	if o.Array {
		v.kind = spec.KindArray
	}
	if o.Odd {
		v.st.raw = history.OddBytes(o.DType, o.Seed, n)
	} else {
		v.st.raw = fill.Bytes(o.DType, o.Seed, n)
	}
	return v
}

func contiguous(shape []int) []int {
	strides, step := make([]int, len(shape)), 1
	for i := len(shape) - 1; i >= 0; i-- {
		strides[i] = step
		step *= max(shape[i], 1)
	}
	return strides
}

func elements(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

func (v *value) isTensor() bool { return v != nil && v.st != nil }

// isPayload says whether an object can be given it.
func (v *value) isPayload() bool { return v.isTensor() && v.kind == spec.KindTensor }

func (v *value) isList() bool { return v != nil && v.kind == spec.KindList && v.other == "" }

// whole says whether a tensor shows all of its storage, in order.
func (v *value) whole() bool {
	return v.isTensor() && v.offset == 0 && elements(v.shape)*v.size() == len(v.st.raw) && slices.Equal(v.strides, contiguous(v.shape))
}

func (v *value) size() int { return max(1, history.ElementSize(v.dtype)) }

// each visits the place of every element, in row-major order.
func (v *value) each(visit func(at int)) {
	n := elements(v.shape)
	if n == 0 {
		return
	}
	index := make([]int, len(v.shape))
	for range n {
		at := v.offset
		for i, x := range index {
			at += x * v.strides[i]
		}
		visit(at * v.size())
		for i := len(index) - 1; i >= 0; i-- {
			if index[i]++; index[i] < v.shape[i] {
				break
			}
			index[i] = 0
		}
	}
}

// bytes are the elements, row-major.
func (v *value) bytes() []byte {
	if v.whole() {
		return v.st.raw
	}
	out := make([]byte, 0, elements(v.shape)*v.size())
	v.each(func(at int) { out = append(out, v.st.raw[at:at+v.size()]...) })
	return out
}

// refill writes elements of a seed through the view, and says whether that
// changed every one of them.
func (v *value) refill(seed uint64) (all bool) {
	content, i := fill.Bytes(v.dtype, seed, elements(v.shape)), 0
	all = true
	v.each(func(at int) {
		old := v.st.raw[at : at+v.size()]
		all = all && !bytes.Equal(old, content[i:i+v.size()])
		copy(old, content[i:])
		i += v.size()
	})
	return all
}

// narrow, transpose and alias are views of a tensor; nil where there is no such.
func (v *value) narrow(axis, start, length int) *value {
	if axis < 0 || axis >= len(v.shape) || start < 0 || length < 0 || start+length > v.shape[axis] {
		return nil
	}
	out := v.alias()
	out.shape[axis] = length
	out.offset += start * v.strides[axis]
	return out
}

func (v *value) transpose(a, b int) *value {
	if min(a, b) < 0 || max(a, b) >= len(v.shape) {
		return nil
	}
	out := v.alias()
	out.shape[a], out.shape[b] = out.shape[b], out.shape[a]
	out.strides[a], out.strides[b] = out.strides[b], out.strides[a]
	return out
}

// expand, reshape and retype are views of a tensor; nil where it depends on the
// subject whether there is one.
func (v *value) expand(shape []int) *value {
	if len(shape) != len(v.shape) || elements(shape) > history.MaxElements {
		return nil
	}
	out := v.alias()
	for i, d := range shape {
		switch {
		case d == v.shape[i]:
		case v.shape[i] == 1 && d > 0:
			out.shape[i], out.strides[i] = d, 0
		default:
			return nil
		}
	}
	return out
}

func (v *value) reshape(shape []int) *value {
	if !slices.Equal(v.strides, contiguous(v.shape)) || elements(shape) != elements(v.shape) {
		return nil
	}
	out := v.alias()
	out.shape, out.strides = slices.Clone(shape), contiguous(shape)
	return out
}

func (v *value) retype(dtype string) *value {
	if history.ElementSize(dtype) != v.size() || dtype == "bool" || v.dtype == "bool" {
		return nil
	}
	out := v.alias()
	out.dtype = dtype
	return out
}

// spread says whether elements of a view share their bytes, so that what is
// written through it depends on the order.
func (v *value) spread() bool {
	for i, d := range v.shape {
		if d > 1 && v.strides[i] == 0 {
			return true
		}
	}
	return false
}

func (v *value) alias() *value {
	out := *v
	out.shape, out.strides = slices.Clone(v.shape), slices.Clone(v.strides)
	return &out
}

// leaves are the tensors in a value, with repetitions.
func (v *value) leaves(visit func(*value)) { v.walk(0, func(x *value) { visitTensor(x, visit) }) }

func visitTensor(x *value, visit func(*value)) {
	if x.isTensor() {
		visit(x)
	}
}

// deepest bounds walks: a value of a history can contain itself.
const deepest = 12

// walk visits a value and all in it.
func (v *value) walk(depth int, visit func(*value)) {
	if v == nil || depth > deepest {
		return
	}
	visit(v)
	for _, in := range v.items {
		in.walk(depth+1, visit)
	}
}

// line is what a value reads as, in one line: what [lineOf] makes of its reading.
func (v *value) line() string { return v.lineAt(0) }

func (v *value) lineAt(depth int) string {
	switch {
	case v == nil:
		return "none"
	case v.other != "":
		return v.other
	case depth > deepest:
		return "too deep"
	}
	switch v.kind {
	case spec.KindTensor, spec.KindArray:
		return tensorLine(v.kind, v.dtype, v.shape, digest(v.bytes()))
	case spec.KindInt, spec.KindBool:
		return fmt.Sprintf("%s %d", v.kind, v.num)
	case spec.KindText, spec.KindFloat:
		return fmt.Sprintf("%s %q", v.kind, v.text)
	case spec.KindNone, spec.KindSource:
		return string(v.kind)
	}
	in := make([]string, len(v.items))
	for i, item := range v.items {
		in[i] = item.lineAt(depth + 1)
		switch v.kind {
		case spec.KindMap:
			in[i] = fmt.Sprintf("text %q, %s", v.keys[i], in[i])
		case spec.KindRecord, spec.KindInstance:
			in[i] = v.keys[i] + ": " + in[i]
		}
	}
	in = ordered(v.kind, in)
	return fmt.Sprintf("%s(%s)", v.kind, strings.Join(in, ", "))
}

// ordered puts what is in a container in an order, where it may come in any. A
// set may take two that read alike for one.
func ordered(k spec.ValueKind, in []string) []string {
	switch k {
	case spec.KindMap, spec.KindInstance:
		slices.Sort(in)
	case spec.KindSet:
		slices.Sort(in)
		return slices.Compact(in)
	}
	return in
}

func tensorLine(kind spec.ValueKind, dtype string, shape []int, sha string) string {
	return fmt.Sprintf("%s %s%v %.12s", kind, dtype, shape, sha)
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// lineOf is a reading in one line.
func lineOf(r spec.Reading) string {
	switch r.Kind {
	case spec.KindTensor, spec.KindArray:
		return tensorLine(r.Kind, r.DType, r.Shape, r.SHA256)
	case spec.KindInt, spec.KindBool:
		return fmt.Sprintf("%s %d", r.Kind, r.Int)
	case spec.KindText, spec.KindFloat:
		return fmt.Sprintf("%s %q", r.Kind, r.Text)
	case spec.KindNone, spec.KindSource:
		return string(r.Kind)
	}
	in := make([]string, len(r.Items))
	for i, item := range r.Items {
		in[i] = lineOf(item)
		if i < len(r.Fields) {
			in[i] = r.Fields[i] + ": " + in[i]
		}
	}
	if r.Kind == spec.KindMap {
		var entries []string
		for pair := range slices.Chunk(in, 2) {
			entries = append(entries, strings.Join(pair, ", "))
		}
		in = entries
	}
	in = ordered(r.Kind, in)
	return fmt.Sprintf("%s(%s)", r.Kind, strings.Join(in, ", "))
}

// valueOf is a value that was only read: whom its storages belong to is not
// known.
func valueOf(r spec.Reading) *value {
	switch r.Kind {
	case spec.KindTensor, spec.KindArray:
		if len(r.Bytes) != elements(r.Shape)*history.ElementSize(r.DType) || history.ElementSize(r.DType) == 0 {
			return &value{kind: r.Kind, other: lineOf(r)}
		}
		return &value{kind: r.Kind, st: &storage{raw: slices.Clone(r.Bytes), foreign: true}, dtype: r.DType,
			shape: slices.Clone(r.Shape), strides: contiguous(r.Shape)}
	case spec.KindInt, spec.KindBool:
		return &value{kind: r.Kind, num: r.Int}
	case spec.KindText, spec.KindFloat:
		return &value{kind: r.Kind, text: r.Text}
	case spec.KindNone, spec.KindSource:
		return &value{kind: r.Kind}
	case spec.KindList, spec.KindTuple:
		out := &value{kind: r.Kind}
		for _, item := range r.Items {
			out.items = append(out.items, valueOf(item))
		}
		return out
	}
	return &value{kind: r.Kind, other: lineOf(r)}
}

// Line is a reading in one line: what a history's outcome shows.
func Line(r spec.Reading) string { return lineOf(r) }
