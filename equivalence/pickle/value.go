package pickle

import "strconv"

// A Value is *Dict, *List, Int, Float, Bool, Text, None, Global, or what a Host made.
type Value any

type (
	// An Int is a whole number of any size, in decimal.
	Int string
	// A Float is a double.
	Float float64
	// A Bool is a truth.
	Bool bool
	// A Text is a str, in UTF-8; lone surrogates stand as Python writes them.
	Text string
	// None is None.
	None struct{}
)

// A Dict is a dictionary, in the order in which it was filled.
type Dict struct {
	Keys       []Value // Text, Int or Bool
	Values     []Value
	Attributes *Dict // what its instance carried besides, or nil
	seen       map[Value]bool
}

// A List is a list, or a tuple.
type List struct {
	Items []Value
	Tuple bool
}

// A Global is a name in a module. It is never looked up.
type Global struct{ Module, Name string }

func (g Global) String() string { return g.Module + "." + g.Name }

// Int64 returns a whole number that fits.
func (i Int) Int64() (int64, bool) {
	n, err := strconv.ParseInt(string(i), 10, 64)
	return n, err == nil
}

// set adds a pair, and reports whether the key is one and new.
func (d *Dict) set(key, value Value) bool {
	switch key.(type) {
	case Text, Int, Bool:
	default:
		return false
	}
	if d.seen == nil {
		d.seen = map[Value]bool{}
	}
	if d.seen[key] {
		return false
	}
	d.seen[key] = true
	d.Keys, d.Values = append(d.Keys, key), append(d.Values, value)
	return true
}

// Get returns the value of a text key.
func (d *Dict) Get(key string) (Value, bool) {
	for i, k := range d.Keys {
		if k == Text(key) {
			return d.Values[i], true
		}
	}
	return nil, false
}

// NewDict returns an empty dictionary.
func NewDict() *Dict { return &Dict{} }
