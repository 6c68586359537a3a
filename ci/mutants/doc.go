// Command mutants makes the report of a mutation run out of what Gremlins wrote:
// how many changes of the reference the specs noticed, and every one that they
// did not, with its line and why that is right.
//
//	ci/mutants.sh makes the mutants, runs them, and calls this command
//
// The reasons are kept by hand in survivors.txt, one survivor a line: file, kind
// of mutation, the line of code without its indent, and why, separated by " | ".
// By its code and not by its number, so that a reason outlives changes elsewhere
// in the file and not one of its line.
//
// Not here: the test that mutants meet, which is in package families under the
// build tag mutants.
package main
