package expect

import "strings"

// suggest ends a sentence about an unknown name with the nearest known one, or
// with all of them when there are few and none is near.
func suggest(name string, known []string) string {
	const near, few = 2, 8
	best, distance := "", near+1
	for _, k := range known {
		if d := edits(strings.ToLower(name), strings.ToLower(k)); d < distance {
			best, distance = k, d
		}
	}
	switch {
	case best != "":
		return "; did you mean " + best + "?"
	case len(known) > 0 && len(known) <= few:
		return ", want one of " + strings.Join(known, ", ")
	}
	return ""
}

// edits is the Levenshtein distance of two texts, in bytes. Of a text far longer
// than any name it is only known to be large.
func edits(a, b string) int {
	const longest = 64
	if len(a) > longest || len(b) > longest {
		return longest
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substitute := diagonal
			if a[i] != b[j] {
				substitute++
			}
			diagonal = row[j+1]
			row[j+1] = min(substitute, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
