package faulty

import "slices"

// eviction holds faults of the table of sessions: who is in it, who leaves it,
// and what is counted.
func eviction() []Fault {
	return slices.Concat(tableCaps(), raises(), order(), recency(), budgets(),
		leaving(), comebacks(), leaks(), counters(), identities(), contention(), figures(),
		drops(), admissions(), continuations(), sideBySide(), closes(), modelPlaces())
}
