package expect

import (
	"fmt"
	"slices"
	"strings"
)

// Conditions are what entries can depend on.
type Conditions struct {
	Device  string   // that the run was on: "cpu", "cuda:0"
	DTypes  []string // that the subject says it has
	Version string   // of the subject
}

// When is the conditions of an entry; its zero value always holds.
type When struct {
	Device  []string // any of them
	DType   []string // any of them
	Version string   // bounds: ">=0.3 <0.5"
}

// fails is why the conditions do not hold; empty when they do.
func (w When) fails(c Conditions) string {
	switch {
	case len(w.Device) > 0 && !slices.ContainsFunc(w.Device, func(d string) bool { return matchesDevice(d, c.Device) }):
		return fmt.Sprintf("when device is %s; this run's is %s", anyOf(w.Device), orNone(c.Device))
	case len(w.DType) > 0 && !slices.ContainsFunc(w.DType, func(d string) bool { return slices.Contains(c.DTypes, d) }):
		return fmt.Sprintf("when dtype is %s; the subject's are %s", anyOf(w.DType), orNone(strings.Join(c.DTypes, ", ")))
	case w.Version != "":
		return versionFails(w.Version, c.Version)
	}
	return ""
}

// matchesDevice takes "cuda" for every device of that kind.
func matchesDevice(want, device string) bool {
	kind, _, _ := strings.Cut(device, ":")
	return want == device || want == kind
}

// versionFails is why a version is not within bounds that were checked before.
func versionFails(bounds, v string) string {
	parsed, err := parseVersion(v)
	if err != nil {
		return fmt.Sprintf("when version is %s; the subject's is %q, which is no number", bounds, v)
	}
	if r, err := parseBounds(bounds); err != nil || !r.contains(parsed) {
		return fmt.Sprintf("when version is %s; the subject's is %s", bounds, v)
	}
	return ""
}

func anyOf(list []string) string { return strings.Join(list, " or ") }

func orNone(s string) string {
	if s == "" {
		return "not known"
	}
	return s
}
