// Package regress says what became slower, larger or hungrier between two
// recordings of the same benchmarks:
//
//	Read     two files of Go's benchmark format, strictly; a mistake has its line
//	         and beside each benchmark that has a control, its ratio to it
//	group    values by package, unit and benchmark, old and new beside each other
//	compare  centre, interval, change and p, by x/perf's benchmath
//	judge    a word for each comparison: held, better, worse, cannot tell, …
//	Report   all of that as data, from which text, Markdown, JSON and HTML are made
//
// What gates is the ratio to a control that ran beside the benchmark, and what can
// be counted exactly. Raw times are reported only, unless a thresholds file says
// otherwise: on a noisy machine they differ between two runs of one binary. A
// comparison with too few runs or too much noise cannot be told, which is no pass.
// README.md describes the rules and the thresholds file, POWER.md how often they
// are right.
//
// Not here: measuring (ci/paired and ci/benchmarks, or go test -bench), and the exit
// code (cmd/statespec).
package regress
