package spec

// Recipe says how to make a value. Use the functions below: each fills in the
// fields that its Step needs.
type Recipe struct {
	// Step is what to do: "tensor"; a view, "narrow", "transpose", "expand",
	// "retype", "reshape", "alias"; "borrow"; "item", "nest"; or the ValueKind of a
	// scalar or container.
	Step string `json:"step"`

	DType  string `json:"dtype,omitempty"`
	Shape  []int  `json:"shape,omitempty"`
	Device string `json:"device,omitempty"` // "" is "cpu"
	Seed   uint64 `json:"seed,omitempty"`   // of the generator that package fixtures/fill documents
	Raw    []byte `json:"raw,omitempty"`    // instead of Seed, base64 in JSON
	File   string `json:"file,omitempty"`   // instead of Raw on the wire: a file that has it
	Tag    string `json:"tag,omitempty"`    // tracked by Memory under this name
	Host   bool   `json:"host,omitempty"`   // a host array rather than a tensor

	Axes   []int    `json:"axes,omitempty"` // of a view: axis, start and length for narrow
	Fields []string `json:"fields,omitempty"`
	Int    int64    `json:"int,omitempty"`
	Text   string   `json:"text,omitempty"`

	From   []Value `json:"-"` // what it is made of; handles on the wire
	Object Object  `json:"-"` // of Stored; a handle on the wire
}

// Tensor is a tensor of its own storage, filled from a seed by the documented
// generator: the little-endian stream of splitmix64, as the dtype's elements.
func Tensor(dtype string, seed uint64, shape ...int) Recipe {
	return Recipe{Step: "tensor", DType: dtype, Seed: seed, Shape: shape}
}

// Bits is a tensor with given row-major little-endian bytes.
func Bits(dtype string, raw []byte, shape ...int) Recipe {
	return Recipe{Step: "tensor", DType: dtype, Raw: raw, Shape: shape}
}

// On puts a tensor on a device.
func (r Recipe) On(device string) Recipe { r.Device = device; return r }

// Tracked has Memory report whether the storage lives, under a tag.
func (r Recipe) Tracked(tag string) Recipe { r.Tag = tag; return r }

// AsHostArray makes a host array instead of a tensor.
func (r Recipe) AsHostArray() Recipe { r.Host = true; return r }

// Narrow is a view: length indices of an axis from start on.
func Narrow(v Value, axis, start, length int) Recipe {
	return Recipe{Step: "narrow", Axes: []int{axis, start, length}, From: []Value{v}}
}

// Transpose is a view with two axes exchanged.
func Transpose(v Value, a, b int) Recipe {
	return Recipe{Step: "transpose", Axes: []int{a, b}, From: []Value{v}}
}

// Expand is a view broadcast to a shape.
func Expand(v Value, shape ...int) Recipe {
	return Recipe{Step: "expand", Shape: shape, From: []Value{v}}
}

// Retype is a view of the same bits as another dtype.
func Retype(v Value, dtype string) Recipe {
	return Recipe{Step: "retype", DType: dtype, From: []Value{v}}
}

// Reshape is a view of another shape, without a copy.
func Reshape(v Value, shape ...int) Recipe {
	return Recipe{Step: "reshape", Shape: shape, From: []Value{v}}
}

// Alias is a second tensor or array object over the same storage.
func Alias(v Value) Recipe { return Recipe{Step: "alias", From: []Value{v}} }

// Borrow wraps memory that another value owns, without a copy: [borrow]
//
//	"export"         a host array over a tensor's storage
//	"buffer"         a host array over an immutable buffer of length bytes (v is nil)
//	"part-of-array"  a tensor over bytes [start, start+length) of a host array
//	"mapped-file"    a host array over a mapped file of length bytes (v is nil)
func Borrow(how string, v Value, start, length int) Recipe {
	r := Recipe{Step: "borrow", Text: how, Axes: []int{start, length}}
	if v != nil {
		r.From = []Value{v}
	}
	return r
}

// List, Tuple and Set are containers of values.
func List(vs ...Value) Recipe  { return Recipe{Step: "list", From: vs} }
func Tuple(vs ...Value) Recipe { return Recipe{Step: "tuple", From: vs} }
func Set(vs ...Value) Recipe   { return Recipe{Step: "set", From: vs} }

// Map is a container of key, value, key, value.
func Map(keysAndValues ...Value) Recipe { return Recipe{Step: "map", From: keysAndValues} }

// Struct is a value of a type with named fields.
func Struct(fields []string, vs ...Value) Recipe {
	return Recipe{Step: "record", Fields: fields, From: vs}
}

// Instance is an object of a class of the subject's own, with attributes.
func Instance(fields []string, vs ...Value) Recipe {
	return Recipe{Step: "instance", Fields: fields, From: vs}
}

// Stored is a state object as a value, in an attribute.
func Stored(o Object) Recipe { return Recipe{Step: "stored", Object: o} }

// Nest is v inside n lists.
func Nest(n int, v Value) Recipe { return Recipe{Step: "nest", Int: int64(n), From: []Value{v}} }

// FailAfter yields the payloads, then fails. [extend-iterable]
func FailAfter(vs ...Value) Recipe { return Recipe{Step: "source", From: vs} }

// Item is the i-th element of a container, itself, not a copy.
func Item(v Value, i int) Recipe {
	return Recipe{Step: "item", Axes: []int{i}, From: []Value{v}}
}

// Scalars.
func Bool(b bool) Recipe {
	r := Recipe{Step: "bool"}
	if b {
		r.Int = 1
	}
	return r
}
func Int(n int64) Recipe   { return Recipe{Step: "int", Int: n} }
func Text(s string) Recipe { return Recipe{Step: "text", Text: s} }

// Float is a float of 16 hex digits: its bits, most significant first.
func Float(hex string) Recipe { return Recipe{Step: "float", Text: hex} }

// Nothing is the language's none; Opaque holds storage that no accounting can
// measure.
func Nothing() Recipe { return Recipe{Step: "none"} }
func Opaque() Recipe  { return Recipe{Step: "opaque"} }
