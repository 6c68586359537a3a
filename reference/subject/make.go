package subject

import (
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/statespec/statespec/spec"
)

// Make makes a value from a recipe.
func (s *Subject) Make(r spec.Recipe) (spec.Value, error) {
	v, err := s.content(r)
	if err != nil {
		return nil, told(err)
	}
	if s.parts.Made != nil {
		v = s.parts.Made(r, v)
	}
	return s.Wrap(v), nil
}

// content is the Go value that a recipe makes.
func (s *Subject) content(r spec.Recipe) (any, error) {
	if f, ok := containers[r.Step]; ok {
		from := make([]any, len(r.From))
		for i, v := range r.From {
			from[i] = Content(v)
		}
		return f(r, from)
	}
	switch r.Step {
	case "none":
		return nil, nil
	case "bool":
		return r.Int != 0, nil
	case "int":
		return r.Int, nil
	case "float":
		bits, err := strconv.ParseUint(r.Text, 16, 64)
		if err != nil {
			return nil, spec.Refuse(spec.InvalidArgument, "a float is 16 hex digits, not %q", r.Text)
		}
		return math.Float64frombits(bits), nil
	case "text":
		return r.Text, nil
	case "opaque":
		return &Opaque{}, nil
	case "stored":
		return StateObject(r.Object), nil
	}
	return s.tensorOf(r)
}

// containers make a value from other values.
var containers = map[string]func(r spec.Recipe, from []any) (any, error){
	"list":     func(_ spec.Recipe, from []any) (any, error) { return &from, nil },
	"tuple":    func(_ spec.Recipe, from []any) (any, error) { return tuple(from), nil },
	"map":      makeMap,
	"set":      makeSet,
	"record":   makeRecord,
	"instance": makeInstance,
	"nest":     makeNest,
	"item":     func(r spec.Recipe, from []any) (any, error) { return item(from[0], r.Axes[0]) },
	"source":   makeSource,
}

// tuple is a Go array: fixed in length, and in no memory that a caller shares.
func tuple(from []any) any {
	a := reflect.New(reflect.ArrayOf(len(from), reflect.TypeFor[any]())).Elem()
	for i, v := range from {
		if v != nil {
			a.Index(i).Set(reflect.ValueOf(v))
		}
	}
	return a.Interface()
}

func makeMap(_ spec.Recipe, from []any) (any, error) {
	if len(from)%2 != 0 {
		return nil, spec.Refuse(spec.InvalidArgument, "a map is made of keys and values, not of %d things", len(from))
	}
	m := make(map[any]any, len(from)/2)
	for i := 0; i < len(from); i += 2 {
		if err := hashable(from[i]); err != nil {
			return nil, err
		}
		m[from[i]] = from[i+1]
	}
	return m, nil
}

func makeSet(_ spec.Recipe, from []any) (any, error) {
	m := make(map[any]struct{}, len(from))
	for _, v := range from {
		if err := hashable(v); err != nil {
			return nil, err
		}
		m[v] = struct{}{}
	}
	return m, nil
}

// hashable refuses what Go cannot look up by.
func hashable(v any) error {
	if v != nil && !reflect.ValueOf(v).Comparable() {
		return spec.Refuse(spec.Unsupported, "a %T is no key in Go", v)
	}
	return nil
}

// makeRecord is a struct type of its own. The names are kept in tags, since a
// field of a type made at run time has to be exported.
func makeRecord(r spec.Recipe, from []any) (any, error) {
	if len(r.Fields) != len(from) {
		return nil, spec.Refuse(spec.InvalidArgument, "a record of %d fields and %d values", len(r.Fields), len(from))
	}
	fields := make([]reflect.StructField, len(from))
	for i, name := range r.Fields {
		fields[i] = reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[any](), Tag: reflect.StructTag(name)}
	}
	v := reflect.New(reflect.StructOf(fields)).Elem()
	for i, f := range from {
		if f != nil {
			v.Field(i).Set(reflect.ValueOf(f))
		}
	}
	return v.Interface(), nil
}

func makeInstance(r spec.Recipe, from []any) (any, error) {
	if len(r.Fields) != len(from) {
		return nil, spec.Refuse(spec.InvalidArgument, "an instance of %d attributes and %d values", len(r.Fields), len(from))
	}
	o := &Instance{make(map[string]any, len(from))}
	for i, name := range r.Fields {
		o.Attrs[name] = from[i]
	}
	return o, nil
}

func makeNest(r spec.Recipe, from []any) (any, error) {
	v := from[0]
	for range r.Int {
		v = &[]any{v}
	}
	return v, nil
}

func makeSource(_ spec.Recipe, from []any) (any, error) {
	src := &Source{}
	for _, v := range from {
		t, err := asTensor(v)
		if err != nil {
			return nil, err
		}
		src.Payloads = append(src.Payloads, t)
	}
	return src, nil
}

// item is an element of a container, itself.
func item(v any, i int) (any, error) {
	var at reflect.Value
	if l, ok := v.(*[]any); ok {
		at = reflect.ValueOf(*l)
	} else if at = reflect.ValueOf(v); at.Kind() != reflect.Array && at.Kind() != reflect.Struct {
		return nil, spec.Refuse(spec.InvalidArgument, "a %T has no items by number", v)
	}
	if at.Kind() == reflect.Struct {
		if i < 0 || i >= at.NumField() {
			return nil, spec.Refuse(spec.InvalidArgument, "field %d of %d", i, at.NumField())
		}
		return at.Field(i).Interface(), nil
	}
	if i < 0 || i >= at.Len() {
		return nil, spec.Refuse(spec.InvalidArgument, "item %d of %d", i, at.Len())
	}
	return at.Index(i).Interface(), nil
}
