// Package element says how the bits of one element of an array read: their
// number, how far two of them are apart, how they are printed. It has the types
// of reference/dtype and the eight-bit floats of files of weights. It reads no
// file, does no arithmetic on arrays, and never rounds.
package element
