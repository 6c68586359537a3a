// Package ab answers one question about a program: does it write the same bits
// on both of its paths? It runs one command in fresh processes that differ in one
// environment variable, off, on and off again (A B A), has every run witness the
// path that it took, looks for anything else that differed, and compares what the
// runs wrote, bit for bit.
//
//	Ask       the runs, then the comparison
//	Result    the answer, why, and what it rests on
//
// The answer is a Word. Only Equal and Divergent say something about the paths;
// each of the others says why nothing can be said.
//
// It neither knows what a path is nor how artefacts are read: the first is the
// program's to witness, the second package compare's.
package ab
