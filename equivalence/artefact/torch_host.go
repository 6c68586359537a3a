package artefact

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/statespec/statespec/equivalence/element"
	"github.com/statespec/statespec/equivalence/pickle"
)

// storages are the classes of torch's typed storages.
var storages = map[string]string{
	"BoolStorage": "bool", "ByteStorage": "uint8", "CharStorage": "int8", "ShortStorage": "int16", "IntStorage": "int32",
	"LongStorage": "int64", "HalfStorage": "float16", "BFloat16Storage": "bfloat16", "FloatStorage": "float32",
	"DoubleStorage": "float64", "ComplexFloatStorage": "complex64", "ComplexDoubleStorage": "complex128",
}

// The globals that a pickle may call. None is called: what they would do is done
// here, on names and numbers.
var (
	orderedDict      = pickle.Global{Module: "collections", Name: "OrderedDict"}
	size             = pickle.Global{Module: "torch", Name: "Size"}
	rebuildTensor    = pickle.Global{Module: "torch._utils", Name: "_rebuild_tensor_v2"}
	rebuildAs        = pickle.Global{Module: "torch._utils", Name: "_rebuild_tensor_v3"}
	rebuildParameter = pickle.Global{Module: "torch._utils", Name: "_rebuild_parameter"}
)

// storage is what a persistent id stands for. A storage without a type has one
// byte an element.
type storage struct {
	typ    element.Type
	bytes  int64
	source Source
}

// Global lets through what Call and Persistent know.
func (t *torch) Global(g pickle.Global) error {
	switch g {
	case orderedDict, size, rebuildTensor, rebuildAs, rebuildParameter:
		return nil
	}
	if _, ok := storageType(g); ok {
		return nil
	}
	if _, ok := dtypeOf(g); ok {
		return nil
	}
	return fmt.Errorf("the global %q, which is none of a tensor's: save tensors, numbers, texts, lists and dictionaries only", g)
}

func storageType(g pickle.Global) (element.Type, bool) {
	if g.Name == "UntypedStorage" && (g.Module == "torch" || g.Module == "torch.storage") {
		return element.Named("uint8")
	}
	if g.Module != "torch" {
		return element.Type{}, false
	}
	return element.Named(storages[g.Name])
}

func dtypeOf(v pickle.Value) (element.Type, bool) {
	g, _ := v.(pickle.Global)
	if g.Module != "torch" {
		return element.Type{}, false
	}
	return element.Named(g.Name)
}

// Call does what a call of a global would.
func (t *torch) Call(g pickle.Global, args []pickle.Value) (pickle.Value, error) {
	switch g {
	case orderedDict:
		if len(args) == 0 {
			return pickle.NewDict(), nil
		}
	case size:
		if len(args) == 1 {
			if shape, ok := args[0].(*pickle.List); ok {
				return &pickle.List{Items: shape.Items, Tuple: true}, nil
			}
		}
	case rebuildParameter:
		if len(args) == 3 && empty(args[2]) {
			if array, ok := args[0].(*Array); ok {
				return array, nil
			}
		}
	case rebuildTensor:
		if s, ok := first(args, 6, 7); ok && empty(args[5]) && (len(args) == 6 || empty(args[6])) {
			return t.tensor(s, s.typ, args)
		}
	case rebuildAs:
		if s, ok := first(args, 7, 8); ok && empty(args[5]) && (len(args) == 7 || empty(args[7])) {
			if typ, ok := dtypeOf(args[6]); ok {
				return t.tensor(s, typ, args)
			}
		}
	}
	return nil, fmt.Errorf("%v is called in a way that is not read (with hooks, as a conjugate or negative view, or another version's)", g)
}

// first is the storage that a call of least to most arguments starts with.
func first(args []pickle.Value, least, most int) (*storage, bool) {
	if len(args) < least || len(args) > most {
		return nil, false
	}
	s, ok := args[0].(*storage)
	return s, ok
}

// empty reports whether there is nothing in hooks or in marks of a view.
func empty(v pickle.Value) bool {
	if _, none := v.(pickle.None); none {
		return true
	}
	d, ok := v.(*pickle.Dict)
	return ok && len(d.Keys) == 0 && d.Attributes == nil
}

// Persistent finds a storage: ("storage", class, key, device, elements).
func (t *torch) Persistent(id pickle.Value) (pickle.Value, error) {
	tuple, ok := id.(*pickle.List)
	if !ok || len(tuple.Items) != 5 || tuple.Items[0] != pickle.Text("storage") {
		return nil, fmt.Errorf("a persistent id that is no storage's")
	}
	class, _ := tuple.Items[1].(pickle.Global)
	typ, known := storageType(class)
	key, kok := tuple.Items[2].(pickle.Text)
	count, cok := tuple.Items[4].(pickle.Int)
	n, fits := count.Int64()
	if !known || !kok || !cok || !fits || n < 0 {
		return nil, fmt.Errorf("a storage of class %v, whose id is not read", class)
	}
	bytes, fits := volume([]int64{n}, typ.Size)
	if !fits {
		return nil, fmt.Errorf("storage %q of %d elements", key, n)
	}
	source, err := t.record(string(key), bytes)
	if err != nil {
		return nil, err
	}
	return &storage{typ, bytes, source}, nil
}

// tensor is a view of a storage: args are the storage, offset, shape and strides.
func (t *torch) tensor(s *storage, typ element.Type, args []pickle.Value) (*Array, error) {
	offset, ok := args[1].(pickle.Int)
	first, fits := offset.Int64()
	shape, sok := numbers(args[2])
	steps, tok := numbers(args[3])
	if !ok || !fits || first < 0 || !sok || !tok || len(shape) != len(steps) {
		return nil, fmt.Errorf("a tensor whose offset, shape and strides are not numbers of 0 or more, an axis each")
	}
	a := &Array{Type: typ, Big: t.big && typ.Lane() > 1, Shape: shape, Strides: steps, Offset: first, Source: s.source}
	bytes, fits := volume(shape, typ.Size)
	if !fits || bytes/ratio > t.size {
		return nil, fmt.Errorf("a tensor of shape %v, more than %d times the file", shape, ratio)
	}
	last, fits := reach(a)
	if !fits || bytes > 0 && last >= s.bytes/int64(typ.Size) {
		return nil, fmt.Errorf("a tensor of shape %v, strides %v and offset %d reaches beyond its storage of %d bytes", shape, steps, first, s.bytes)
	}
	return a.trimmed(bytes), nil
}

// trimmed leaves of the source what a tensor without gaps needs.
func (a *Array) trimmed(bytes int64) *Array {
	whole, ok := a.Source.(section)
	if _, packed := a.Packed(); packed && ok {
		a.Source = section{whole.r, whole.off + a.Offset*int64(a.Type.Size), bytes}
		a.Offset = 0
	}
	return a
}

// reach is the place of the last element, and whether 63 bits have room for it.
func reach(a *Array) (last int64, fits bool) {
	if slices.Contains(a.Shape, 0) {
		return 0, true
	}
	at := uint64(a.Offset)
	for i, d := range a.Shape {
		high, low := bits.Mul64(uint64(d-1), uint64(a.Strides[i]))
		if high != 0 || low > 1<<62 || at > 1<<62 {
			return 0, false
		}
		at += low
	}
	return int64(at), at <= 1<<62
}

func numbers(v pickle.Value) ([]int64, bool) {
	list, ok := v.(*pickle.List)
	if !ok || len(list.Items) > 64 {
		return nil, false
	}
	all := make([]int64, len(list.Items))
	for i, item := range list.Items {
		n, whole := item.(pickle.Int)
		if !whole {
			return nil, false
		}
		if all[i], ok = n.Int64(); !ok || all[i] < 0 {
			return nil, false
		}
	}
	return all, true
}
