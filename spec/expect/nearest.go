package expect

import (
	"strings"

	"github.com/statespec/statespec/spec/internal/nearest"
)

// suggest ends a sentence about an unknown name with the nearest known one, or
// with all of them when there are few and none is near.
func suggest(name string, known []string) string {
	const few = 8
	if best := nearest.Word(name, known); best != "" {
		return "; did you mean " + best + "?"
	}
	if len(known) > 0 && len(known) <= few {
		return ", want one of " + strings.Join(known, ", ")
	}
	return ""
}
