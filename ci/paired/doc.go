// Package paired measures things beside each other, so that what a shared machine
// does to one it does to the other.
//
// All variants of a [Benchmark] are alive at once. [Run] times slices of about 2 ms
// of each in turn, each at each place of a round equally often, and divides within a
// round by the slice of the control. What is kept is that ratio: the machine's speed,
// which differs by half between two runs, is no part of it. Allocations are counted
// apart from the rounds, so that they are exact.
//
// Not here: which benchmarks there are and what they are to come to (package
// benchmarks), and whether something became slower (package regress).
package paired
