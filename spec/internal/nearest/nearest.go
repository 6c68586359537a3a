// Package nearest finds the known word that a mistyped one was meant to be, for
// error messages.
package nearest

import "strings"

// Word is the first of the known words that are the fewest edits away from a
// word; empty when none is near enough to have been meant.
func Word(word string, known []string) string {
	best, limit := "", min(3, len(word)/2)+1
	for _, k := range known {
		if d := distance(strings.ToLower(word), strings.ToLower(k), limit); d < limit {
			best, limit = k, d
		}
	}
	return best
}

// distance is how many insertions, deletions, replacements of a byte and
// exchanges of two neighbours it takes from a to b, or limit if it takes as
// many or more.
func distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	older, old, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		older, old, row = old, row, older
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := old[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(change, old[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
	}
	return min(row[len(b)], limit)
}
