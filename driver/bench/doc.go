// Package bench measures what a manager's operations take, in the driver's own
// loop: the way through the pipe is no part of it, and a loop of as many calls that
// do nothing is taken off.
//
// Not here: verdicts about speed, and comparisons: benchstat reads what [Write]
// writes.
package bench
