package main

import (
	"fmt"
	"os"
	"strings"
)

// A survivor is what a reason is kept for.
type survivor struct{ file, kind, code string }

// reasons say why mutants survive, and which of them has been used.
type reasons struct {
	why  map[survivor]string
	used map[survivor]bool
}

const separator = " | "

func readReasons(path string) (reasons, error) {
	r := reasons{map[survivor]string{}, map[survivor]bool{}}
	if path == "" {
		return r, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return r, fmt.Errorf("the reasons of survivors: %w", err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		s, why, err := parseReason(line)
		if err != nil {
			return r, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		if _, twice := r.why[s]; twice {
			return r, fmt.Errorf("%s:%d: a second reason for the same mutant", path, n)
		}
		r.why[s] = why
	}
	return r, nil
}

// parseReason reads a line. The code may have separators in it; nothing else
// has.
func parseReason(line string) (s survivor, why string, err error) {
	parts := strings.Split(line, separator)
	if len(parts) < 4 {
		return s, "", fmt.Errorf("%q: want file, kind of mutation, code and reason, separated by %q", line, separator)
	}
	last := len(parts) - 1
	return survivor{parts[0], parts[1], strings.Join(parts[2:last], separator)}, parts[last], nil
}

// of is the reason why a mutant survives; empty when there is none.
func (r reasons) of(s survivor) string {
	if why, known := r.why[s]; known {
		r.used[s] = true
		return why
	}
	return ""
}

// stale lists reasons of mutants that did not survive, or are no more.
func (r reasons) stale() (all []survivor) {
	for s := range r.why {
		if !r.used[s] {
			all = append(all, s)
		}
	}
	return all
}
