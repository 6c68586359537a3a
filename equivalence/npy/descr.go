package npy

import (
	"strings"

	"github.com/statespec/statespec/reference/dtype"
)

// codes are numpy's kinds with their sizes. V2 is what ml_dtypes makes of a
// bfloat16: numpy itself has no name for it, and only two bytes to say.
var codes = map[string]dtype.DType{
	"b1": dtype.Bool, "u1": dtype.UInt8, "i1": dtype.Int8, "u2": dtype.UInt16, "i2": dtype.Int16,
	"u4": dtype.UInt32, "i4": dtype.Int32, "u8": dtype.UInt64, "i8": dtype.Int64,
	"f2": dtype.Float16, "V2": dtype.BFloat16, "f4": dtype.Float32, "f8": dtype.Float64,
	"c8": dtype.Complex64, "c16": dtype.Complex128,
}

// element sets the type from the descr.
func (h *Header) element(at int64) error {
	big, code, ok := order(h.Descr)
	if !ok {
		return wrong(at, "type %q has no byte order: want <, > or | before it", h.Descr)
	}
	d, known := codes[code]
	if !known {
		return wrong(at, "type %q: %s", h.Descr, unreadable(code))
	}
	if d.Size() > 1 && d != dtype.BFloat16 && h.Descr[0] == '|' {
		return wrong(at, "type %q does not say its byte order", h.Descr)
	}
	h.DType, h.Big = d, big && d.Size() > 1
	return nil
}

// unreadable says why a type is not read.
func unreadable(code string) string {
	kind := code + " "
	switch kind[0] {
	case 'O':
		return "objects are pickled code, which is never run; save arrays of numbers"
	case 'V':
		return "raw bytes without a meaning; only those of 2 bytes are read, as bfloat16"
	case 'S', 'a', 'U':
		return "text is not compared; save arrays of numbers"
	case 'M', 'm':
		return "times are not compared; save them as int64"
	}
	if code == "f16" || code == "f12" || code == "c32" || code == "c24" {
		return "a long double has bytes that belong to no value; save it as float64"
	}
	names := make([]string, 0, len(codes))
	for _, d := range dtype.All() {
		names = append(names, d.String())
	}
	return "not one of " + strings.Join(names, ", ")
}
