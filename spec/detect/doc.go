// Package detect proves that the suite can fail: it asks the whole suite of
// every faulty subject, and judges whether exactly the rows that the fault is
// there to break, and those that follow, came out broken.
//
//	Run       asks, in worker processes side by side
//	Judge     what came of one fault
//	Unproven  the rows that no fault broke: nothing shows that they are tested
//
// and the same as JSON, Markdown, HTML and for a terminal.
//
// Not here: the faults (package faulty), and how one suite is run on one subject
// (package run).
package detect
