package subject

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// Read returns the content, bit for bit.
func (h *valueHandle) Read() (spec.Reading, error) {
	h.sub.contents.RLock()
	defer h.sub.contents.RUnlock()
	r := &reader{}
	out := r.read(h.v)
	return out, told(r.failed)
}

// reader remembers the containers that it is inside of, so that one that
// contains itself ends.
type reader struct {
	inside []any
	failed error // of a device
}

func (r *reader) read(v any) spec.Reading {
	switch v := v.(type) {
	case nil:
		return spec.Reading{Kind: spec.KindNone}
	case bool:
		if v {
			return spec.Reading{Kind: spec.KindBool, Int: 1}
		}
		return spec.Reading{Kind: spec.KindBool}
	case int64:
		return spec.Reading{Kind: spec.KindInt, Int: v}
	case float64:
		return spec.Reading{Kind: spec.KindFloat, Text: fmt.Sprintf("%016x", math.Float64bits(v))}
	case string:
		return spec.Reading{Kind: spec.KindText, Text: v}
	case *tensor.Tensor:
		return r.tensor(spec.KindTensor, v)
	case *HostArray:
		return r.tensor(spec.KindArray, v.Tensor)
	case *Opaque:
		return spec.Reading{Kind: spec.KindOpaque}
	case *Source:
		return spec.Reading{Kind: spec.KindSource}
	case object.StateObject:
		return spec.Reading{Kind: spec.KindStored, Text: string(kindOf(v))}
	}
	return r.container(v)
}

func (r *reader) container(v any) spec.Reading {
	if p := reflect.ValueOf(v); p.Kind() == reflect.Pointer || p.Kind() == reflect.Map {
		if slices.Contains(r.inside, any(p.Pointer())) {
			return spec.Reading{Kind: "cycle"}
		}
		r.inside = append(r.inside, p.Pointer())
		defer func() { r.inside = r.inside[:len(r.inside)-1] }()
	}
	switch v := v.(type) {
	case *[]any:
		return spec.Reading{Kind: spec.KindList, Items: r.all(*v)}
	case []*tensor.Tensor: // of a model that was not given it by the port
		out := spec.Reading{Kind: spec.KindList}
		for _, t := range v {
			out.Items = append(out.Items, r.read(t))
		}
		return out
	case map[any]any:
		return spec.Reading{Kind: spec.KindMap, Items: r.pairs(v)}
	case map[any]struct{}:
		var items []spec.Reading
		for k := range v {
			items = append(items, r.read(k))
		}
		slices.SortFunc(items, compare)
		return spec.Reading{Kind: spec.KindSet, Items: items}
	case *Instance:
		out := spec.Reading{Kind: spec.KindInstance}
		for name := range v.Attrs {
			out.Fields = append(out.Fields, name)
		}
		slices.Sort(out.Fields)
		for _, name := range out.Fields {
			out.Items = append(out.Items, r.read(v.Attrs[name]))
		}
		return out
	}
	return r.fixed(reflect.ValueOf(v))
}

// fixed reads a tuple (an array) or a record (a struct).
func (r *reader) fixed(v reflect.Value) spec.Reading {
	switch v.Kind() {
	case reflect.Array:
		out := spec.Reading{Kind: spec.KindTuple}
		for i := range v.Len() {
			out.Items = append(out.Items, r.read(v.Index(i).Interface()))
		}
		return out
	case reflect.Struct:
		out := spec.Reading{Kind: spec.KindRecord}
		for i := range v.NumField() {
			out.Fields = append(out.Fields, string(v.Type().Field(i).Tag))
			out.Items = append(out.Items, r.read(v.Field(i).Interface()))
		}
		return out
	}
	return spec.Reading{Kind: spec.ValueKind(v.Kind().String())}
}

func (r *reader) all(vs []any) []spec.Reading {
	out := make([]spec.Reading, len(vs))
	for i, v := range vs {
		out[i] = r.read(v)
	}
	return out
}

// pairs are keys and values, in key order.
func (r *reader) pairs(m map[any]any) []spec.Reading {
	type pair struct{ k, v spec.Reading }
	ps := make([]pair, 0, len(m))
	for k, v := range m {
		ps = append(ps, pair{r.read(k), r.read(v)})
	}
	slices.SortFunc(ps, func(a, b pair) int { return compare(a.k, b.k) })
	var out []spec.Reading
	for _, p := range ps {
		out = append(out, p.k, p.v)
	}
	return out
}

func compare(a, b spec.Reading) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Int, b.Int), cmp.Compare(a.Text, b.Text),
		cmp.Compare(a.SHA256, b.SHA256))
}

func (r *reader) tensor(kind spec.ValueKind, t *tensor.Tensor) spec.Reading {
	b, err := t.ReadBytes(nil)
	if err != nil {
		r.failed = err
		return spec.Reading{Kind: kind}
	}
	sum := sha256.Sum256(b)
	out := spec.Reading{Kind: kind, DType: t.DType().String(), Shape: t.Shape(), Device: string(t.Device()),
		SHA256: hex.EncodeToString(sum[:])}
	if len(b) <= spec.ReadLimit {
		out.Bytes = b
	}
	return out
}
