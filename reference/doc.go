// Package reference is documentation only: the way into a session state
// manager in Go, written to keep every promise of the document, on which the
// specs are tried first. It is meant to be embedded in a server as it is; the
// example shows how.
//
// From the elements up, each package knowing only those above it:
//
//	fault    the kinds of refusal, and the error that carries one
//	dtype    element types, their names and sizes
//	tensor   storages, and strided views of them
//	account  the bytes that values keep alive, by device, shared memory once
//	object   state objects: latent buffers and rings, encode-once values
//	manager  sessions by id, their objects and attributes, eviction, stats
//
// Beside them stands config, which decides from a deploy config and the
// environment whether there is a manager at all, and how many sessions it
// retains. Package subject puts the manager behind the port of the specs; a
// server has no use for it.
//
// The tests here replay the recordings of the real implementation (package
// fixtures/upstream). Where the reference departs from them on purpose,
// differences_test.go says so, with the guarantee that decides. Models are not
// here: their states stand under equivalence.
package reference
