// Package op holds the operations of the Subject port as data, once: the table
// that names each with its receiver, parameters and result ([Table]), the
// messages that carry them ([Request], [Response]), the [Dispatcher] that
// answers for a subject in this process, and the [Client] through which the
// harness drives every subject.
//
// A subject in this process and one behind a pipe differ in their [Transport]
// alone, so deadlines, hang detection and transcripts are one piece of code, and
// a verdict cannot depend on the way.
//
// The harness names handles ("s2"), so that an operation can refer to what an
// earlier one of the same list will make before any answer has come.
//
// Not here: what the operations mean (package spec), how messages travel between
// processes (package driver), what is expected of the answers (the specs).
package op
