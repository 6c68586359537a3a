// Package tensor holds storages and strided views of them. A Storage is one
// allocation on one device and the unit of all byte accounting; a Tensor is an
// immutable header (dtype, shape, strides, offset) over one. Elements are raw
// little-endian bytes and are moved, viewed and re-typed, never computed with:
// arithmetic lives with the models, counting in package account.
//
// Shapes, strides and offsets are in elements, sizes named bytes in bytes.
// Headers may be read from many goroutines; writing elements of a shared
// storage needs the callers' own agreement, as with any slice.
package tensor
