// Package account counts the bytes that values keep alive, by device. Bytes
// are storages, not elements: a narrow view counts the allocation behind it,
// and memory that is reached twice counts once, whatever the order and the
// offsets, because what is counted is a union of address intervals.
//
// The walk sees tensors, storages, and Go's own containers: slices, maps (keys
// and values), arrays, pointers, interfaces and structs with their unexported
// fields. Slices and arrays of plain numbers are host arrays and count their
// capacity in one step. Strings and lone numbers count nothing. A type may say
// what it holds (Holder) or that it cannot be measured (Opaque); channels,
// functions and unsafe pointers cannot be, and are named.
//
// What this package does not do: decide who may change a value while it is
// walked. A container is read as it stands, so its owner keeps it still
// (Steady, Root).
package account
