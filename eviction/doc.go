// Package eviction holds the specs of EVI: which sessions a manager retains,
// which one leaves for a new one, and what leaving means to whoever holds it.
// They read in this order: the table (capacity, recency, replacement), a session
// that left it (holder, objects, comeback, reclaim), what is counted and told
// apart (counter, budget, identity, isolation), several callers at once
// (concurrency, linearizability, counted, stats, figure), and what a subject may claim
// beyond the document (drop, raise, admission, continuation), what a model's states
// and stores do to the table (adapter, pipeline).
//
// With them live what only they need: an LRU cache as a plain slice, which is the
// oracle; a generator of traces, the same for the same seed, and the shrinking of
// one that fails; talks of several callers, and the models of a table of sessions
// and of a figure of stats by which the history of one is judged.
//
// Not here: the promises in words (package catalogue), what an object does with
// its payloads while its session lives (the specs of OBJ), the bytes of what is
// retained (package accounting), generated searches over many subjects.
package eviction
