package artefact

import (
	"fmt"
	"math"
	"strconv"

	"github.com/statespec/statespec/equivalence/element"
	"github.com/statespec/statespec/equivalence/pickle"
)

// deepest is how far containers may stand in one another.
const deepest = 100

// flattener names the values of nested containers: "state.layers[3].weight". What
// it makes is bounded: a pickle can hold one list many times inside another.
type flattener struct {
	entries []Entry
	names   int // bytes of names that may still be made
	values  int // values that may still be added
	within  map[any]bool
}

func (f *flattener) add(name string, v pickle.Value, depth int) error {
	if f.names -= len(name); f.names < 0 || f.values < len(f.entries) || depth > deepest {
		return fmt.Errorf("containers stand in one another too often, at %q", name)
	}
	if depth++; containerOf(v) {
		if f.within[v] {
			return fmt.Errorf("%q holds itself", name)
		}
		f.within[v] = true
		defer delete(f.within, v)
	}
	switch v := v.(type) {
	case *pickle.Dict:
		return f.dict(name, v, depth)
	case *pickle.List:
		return f.list(name, v, depth)
	}
	e, err := leaf(v)
	e.Name = name
	f.entries = append(f.entries, e)
	if err != nil {
		return fmt.Errorf("%q: %w", name, err)
	}
	return nil
}

func containerOf(v pickle.Value) bool {
	switch v.(type) {
	case *pickle.Dict, *pickle.List:
		return true
	}
	return false
}

func (f *flattener) dict(name string, d *pickle.Dict, depth int) error {
	if len(d.Keys) == 0 {
		f.entries = append(f.entries, Entry{Name: name, Kind: EmptyDict})
	}
	for i, k := range d.Keys {
		if err := f.add(joined(name, k), d.Values[i], depth); err != nil {
			return err
		}
	}
	if d.Attributes == nil || len(d.Attributes.Keys) == 0 && d.Attributes.Attributes == nil {
		return nil
	}
	return f.add(name, d.Attributes, depth)
}

func joined(name string, key pickle.Value) string {
	switch k := key.(type) {
	case pickle.Text:
		if name == "" {
			return string(k)
		}
		return name + "." + string(k)
	default:
		return fmt.Sprintf("%s[%v]", name, k)
	}
}

func (f *flattener) list(name string, l *pickle.List, depth int) error {
	if len(l.Items) == 0 {
		f.entries = append(f.entries, Entry{Name: name, Kind: EmptyList})
	}
	for i, item := range l.Items {
		if err := f.add(name+"["+strconv.Itoa(i)+"]", item, depth); err != nil {
			return err
		}
	}
	return nil
}

// leaf is a value that holds no others.
func leaf(v pickle.Value) (Entry, error) {
	switch v := v.(type) {
	case *Array:
		return Entry{Kind: Tensor, Array: *v}, nil
	case pickle.Int:
		return Entry{Kind: Int, Text: string(v)}, nil
	case pickle.Float:
		f64, _ := element.Named("float64")
		b := math.Float64bits(float64(v))
		return Entry{Kind: Float, Text: f64.Text(element.Bits{Low: b}), Bits: b}, nil
	case pickle.Bool:
		return Entry{Kind: Bool, Text: strconv.FormatBool(bool(v))}, nil
	case pickle.Text:
		return Entry{Kind: Text, Text: string(v)}, nil
	case pickle.None:
		return Entry{Kind: None, Text: "None"}, nil
	case pickle.Global:
		if typ, ok := dtypeOf(v); ok {
			return Entry{Kind: Text, Text: "torch." + typ.Name}, nil
		}
		return Entry{}, fmt.Errorf("the global %v by itself is no value", v)
	}
	return Entry{}, fmt.Errorf("a storage by itself is no value; save the tensor")
}
