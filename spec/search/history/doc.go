// Package history is the text of a history: what a session state manager was
// asked, an operation a line, in words that a person can read and change.
//
//	m1 = manager cap 2
//	h1 = session m1 "a"
//	o1 = ensure h1 latents latent-buffer payloads 3
//	v1 = tensor float32 2x64 seed 17
//	commit o1 v1
//	view o1
//
// Things have slots, whose first letter is what they are: m a manager, h a held
// session, o an object, v a value. An operation whose slots are not there is
// passed over by whoever carries it out, so that every line can be taken out.
// What an operation prints parses to the same operation. The format of a file is
// in README.md of package search.
//
// Not here: what an operation does (package search), what has to come of it
// (package model), which ones are tried (package generate).
package history
