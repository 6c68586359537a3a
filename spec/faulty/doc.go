// Package faulty holds subjects with one promise broken each, by which the
// suite proves that it can fail. Each is the reference behind the port with one
// part replaced ([subject.Parts]); its name says the fault.
//
// A fault says which rows of the catalogue it breaks, and which follow because
// no manager with that fault could keep them. The detection run (package
// detect) asks the whole suite of each and demands exactly those rows.
//
// One file a family, or a part of one. What several faults share, a table of
// sessions, a way of counting, is in a file of its own.
//
// Not here: what is promised (package catalogue), and how the suite is run on
// faults (package detect).
package faulty
