// Package run runs specs in worker processes and folds what they stream.
//
//  1. [Run] starts a worker: this binary again, with a job to do. A Go fatal
//     error (concurrent map writes, stack overflow, exit) ends a process without
//     a report, so the suite never runs in the process that has to tell of it.
//  2. The worker ([WorkIfAsked]) builds the spec tree, runs the specs that the
//     job names, and writes an event when each begins and ends.
//  3. Run watches: a spec that began and never ended is the culprit of a crash,
//     or of a hang when its time is up. The worker is started again without what
//     is done.
//  4. What was streamed becomes a verdict.Input.
//
// Not here: what verdicts mean (package verdict), and where reports go (package
// report).
package run
