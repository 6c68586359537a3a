// Package model predicts what a session state manager has to answer: one request
// after another, in plain Go, from what is promised and from what the subject
// declares of itself, and from no other implementation.
//
// A [World] follows a history. [World.Apply] takes an operation and what came of
// it, and returns a [Problem] where a promise was not kept. Where the guarantees
// leave the subject free (an allocate that may be refused, a session that may
// keep copies of what it is given, an object that may have been rebuilt in place),
// the world follows what came, or asks nothing of that thing any more: no
// conforming manager is ever accused. Bytes are predicted exactly where they are
// promised exactly, and else within bounds.
//
// Not here: how operations are written (package history), how a subject is asked
// (package search).
package model
