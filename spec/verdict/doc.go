// Package verdict turns what a run's specs answered into one verdict per
// guarantee, and that into an exit code.
//
//	outcome   one spec's result, as a worker streamed it
//	row       one catalogue row: the worst of its specs, then what the
//	          expectations make of that
//	guarantee its own row and its cases together: the worst of them
//	results   all guarantees, with subject, environment and summary: what
//	          results.json holds
//	exit      what the process says about it
//
// Exit codes and the detection of faults work on rows, each with its own level:
// a broken SHOULD case makes the guarantee's word "broken", and does not make a
// MUST broken.
//
// Here is data and the rules that fold it. Not here: how specs run (package
// suite), how expectation files are read (package expect), how results are
// written (package report). It knows no test library.
package verdict
