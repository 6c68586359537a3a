// Package driver carries the Subject port between processes, as JSON lines:
// [Serve] answers for a subject in this process; [Open] starts a subject in this
// process or, when the spec asks for a fresh process, in one made of this same
// binary.
//
// Here lives everything about the wire. Not here: the operations (package op),
// and anything about verdicts or reports, so that a driver written in Go links
// neither them nor a test library.
package driver
