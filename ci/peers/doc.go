// Command peers measures the reference's get-or-create beside caches that others
// write, and says which of those are strict LRU caches at all.
//
//	go run .            every benchmark, in Go's benchmark format
//	go run . -strict    how many residents of each peer are the wrong ones
//
// It answers whether a promise costs much: that the least recently used session is the
// one that goes. A cache that may let go of another, or of none for a while, is
// another thing, and its figures are for scale. None of it is an oracle.
//
// It is a module of its own, so that whoever uses the project has none of these caches
// among its requirements.
//
// Not here: targets and what must not become slower (package benchmarks of the main
// module), hit ratios on anybody's load, and caps other than the one that is shipped.
package main
