// Package search asks a subject for what nobody wrote a spec of: generated
// histories of operations, against a sequential model of what is promised, and
// makes those that fail as short as it can.
//
//	Play     a history on a subject, compared with the model
//	Shrink   a history that fails, to a shorter one that fails alike
//	Search   histories of a seed until the time is up
//	Replay   a history that was saved
//
// How a history is written is in package history, what comes of it in package
// model, which ones are tried in package generate. Not here: concurrency (a
// history is one request after another), and models' adapters.
package search
