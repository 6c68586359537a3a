package expect

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A version is a subject's: numbers, and what follows them. "0.18.0rc1" comes
// before "0.18.0" and after "0.18.0.dev1"; "0.18.0.post1" comes after it; a local
// part ("+cu128") does not count. That much is common to the version schemes of
// Go, Python and Rust.
type version struct {
	numbers []uint64
	suffix  string // "rc1"; empty for a release
}

var versionForm = regexp.MustCompile(`^v?(\d+(?:\.\d+)*)(.*)$`)

func parseVersion(text string) (version, error) {
	m := versionForm.FindStringSubmatch(text)
	if m == nil {
		return version{}, fmt.Errorf("%q is no version, want numbers as in 0.18.2", text)
	}
	var v version
	for part := range strings.SplitSeq(m[1], ".") {
		n, err := strconv.ParseUint(part, 10, 64)
		if err != nil {
			return version{}, fmt.Errorf("%q is no version: %s is too large", text, part)
		}
		v.numbers = append(v.numbers, n)
	}
	for len(v.numbers) > 1 && v.numbers[len(v.numbers)-1] == 0 { // 1.0 is 1
		v.numbers = v.numbers[:len(v.numbers)-1]
	}
	suffix, _, _ := strings.Cut(m[2], "+")
	v.suffix = strings.ToLower(strings.TrimLeft(suffix, ".-_"))
	return v, nil
}

func (v version) compare(w version) int {
	return cmp.Or(slices.Compare(v.numbers, w.numbers), cmp.Compare(v.stage(), w.stage()), compareNatural(v.suffix, w.suffix))
}

// stage is negative before the release, 0 for it, 1 after it.
func (v version) stage() int {
	switch {
	case v.suffix == "":
		return 0
	case strings.HasPrefix(v.suffix, "post"):
		return 1
	case strings.HasPrefix(v.suffix, "dev"):
		return -2
	}
	return -1
}

var digits = regexp.MustCompile(`\d+`)

// compareNatural orders texts with the numbers in them taken as numbers: rc2 is
// before rc10.
func compareNatural(a, b string) int {
	pad := func(s string) string {
		return digits.ReplaceAllStringFunc(s, func(n string) string { return fmt.Sprintf("%020s", strings.TrimLeft(n, "0")) })
	}
	return strings.Compare(pad(a), pad(b))
}

// bounds are the sides of a range that all have to hold.
type bounds []bound

type bound struct {
	op string
	of version
}

var boundForm = regexp.MustCompile(`^(<=|>=|==|!=|=|<|>)?\s*([^<>=!\s,]+)[\s,]*`)

// parseBounds reads ">=0.3 <0.5" or "0.4": separated by spaces or commas.
func parseBounds(text string) (bounds, error) {
	var all bounds
	for rest := strings.TrimSpace(text); rest != ""; {
		m := boundForm.FindStringSubmatch(rest)
		if m == nil {
			return nil, fmt.Errorf("version %q: cannot read %q, want bounds as in >=0.3 <0.5", text, rest)
		}
		v, err := parseVersion(m[2])
		if err != nil {
			return nil, fmt.Errorf("version %q: %w", text, err)
		}
		all = append(all, bound{m[1], v})
		rest = rest[len(m[0]):]
	}
	if all == nil {
		return nil, fmt.Errorf("version is empty, want bounds as in >=0.3 <0.5")
	}
	return all, nil
}

func (b bounds) contains(v version) bool {
	return !slices.ContainsFunc(b, func(side bound) bool { return !side.holds(v) })
}

func (b bound) holds(v version) bool {
	c := v.compare(b.of)
	switch b.op {
	case "<":
		return c < 0
	case "<=":
		return c <= 0
	case ">":
		return c > 0
	case ">=":
		return c >= 0
	case "!=":
		return c != 0
	}
	return c == 0
}
