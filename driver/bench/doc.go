// Package bench measures what a manager's operations take, in the driver's own
// loop: the way through the pipe is no part of it, and a loop of as many calls that
// do nothing is taken off. The control is the Go reference, asked the same.
//
// Not here: how rounds are made of it (ci/paired), what the reference is measured by
// itself (ci/benchmarks), verdicts about speed (ci/regress).
package bench
