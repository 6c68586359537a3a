package compare

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// inSequence sorts files as they came to be, each once: as the manifest lists
// them, then by step and rank where their names tell one, then naturally.
func inSequence(files []string, m *manifest) []string {
	type placed struct {
		name       string
		listed     int
		step, rank int64
	}
	all := make([]placed, len(files))
	for i, f := range files {
		all[i] = placed{f, m.place(f), numberAfter(stepName, f), numberAfter(rankName, f)}
		if all[i].listed < 0 {
			all[i].listed = math.MaxInt
		}
	}
	slices.SortFunc(all, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.listed, b.listed), cmp.Compare(a.step, b.step), cmp.Compare(a.rank, b.rank), natural(a.name, b.name))
	})
	sorted := make([]string, len(all))
	for i, p := range all {
		sorted[i] = p.name
	}
	return slices.Compact(sorted)
}

var (
	stepName = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:global_?)?step[-_=]?0*([0-9]{1,18})`)
	rankName = regexp.MustCompile(`(?i)(?:^|[^a-z])rank[-_=]?0*([0-9]{1,18})`)
)

// numberAfter is the number that a name tells, -1: none.
func numberAfter(word *regexp.Regexp, name string) int64 {
	found := word.FindStringSubmatch(name)
	if found == nil {
		return -1
	}
	n, err := strconv.ParseInt(found[1], 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// natural compares names as people sort them: "step_9" before "step_10".
func natural(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		if !digit(x[0]) || !digit(y[0]) {
			if x[0] != y[0] {
				return cmp.Compare(x[0], y[0])
			}
			x, y = x[1:], y[1:]
			continue
		}
		var nx, ny string
		nx, x = number(x)
		ny, y = number(y)
		if c := cmp.Or(cmp.Compare(len(nx), len(ny)), strings.Compare(nx, ny)); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(a, b))
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// number cuts the digits off a name, without leading zeros.
func number(s string) (digits, rest string) {
	end := 0
	for end < len(s) && digit(s[end]) {
		end++
	}
	return strings.TrimLeft(s[:end], "0"), s[end:]
}
