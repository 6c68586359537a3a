package catalogue

import (
	"cmp"
	"strconv"
	"strings"
)

// Suite is the version of the suite that this catalogue is.
const Suite = "0.3"

// AskedIn says whether a suite of a version asks the row. A row may stand in the
// catalogue before it is asked: its ID is given, its verdict is "deselected".
func (r Row) AskedIn(suite string) bool {
	from := r.Asked
	if from == "" {
		from = r.Since
	}
	return CompareSuites(from, suite) <= 0
}

// CompareSuites orders two suite versions by their numbers, not their letters:
// "0.9" < "0.10", and "1" = "1.0". The result is that of cmp.Compare. A version
// that [ValidSuite] denies has no place in the order.
func CompareSuites(a, b string) int {
	for a != "" || b != "" {
		var x, y string
		x, a, _ = strings.Cut(a, ".")
		y, b, _ = strings.Cut(b, ".")
		if c := cmp.Compare(number(x), number(y)); c != 0 {
			return c
		}
	}
	return 0
}

// ValidSuite says whether a text is a suite version: decimal numbers separated
// by dots, "0.1".
func ValidSuite(suite string) bool {
	for part := range strings.SplitSeq(suite, ".") {
		if n, err := strconv.ParseUint(part, 10, 31); err != nil || strconv.FormatUint(n, 10) != part {
			return false
		}
	}
	return true
}

// number reads one part of a version; a part that is missing is 0.
func number(part string) uint64 { n, _ := strconv.ParseUint(part, 10, 31); return n }
