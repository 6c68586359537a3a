package main

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// results is the part of Gremlins' file that is read.
type results struct {
	Files   []file  `json:"files"`
	Seconds float64 `json:"elapsed_time"`
}

type file struct {
	Name      string     `json:"file_name"`
	Mutations []mutation `json:"mutations"`
}

type mutation struct {
	Type   string `json:"type"`
	Status string `json:"status"` // one of the words below, NOT VIABLE, SKIPPED
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// What became of a mutant that was run, or of one that no spec reaches.
const (
	killed     = "KILLED"
	lived      = "LIVED"
	timedOut   = "TIMED OUT"
	notCovered = "NOT COVERED"
)

// A mutant is one mutation and where it is.
type mutant struct {
	file string
	mutation
}

// mutants lists those of a status, in the order of the code.
func (r results) mutants(status string) (all []mutant) {
	for _, f := range r.Files {
		for _, m := range f.Mutations {
			if m.Status == status {
				all = append(all, mutant{f.Name, m})
			}
		}
	}
	slices.SortFunc(all, func(a, b mutant) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Type, b.Type))
	})
	return all
}

// count is how many of a package's mutants have a status.
func (r results) count(pkg, status string) (n int) {
	for _, m := range r.mutants(status) {
		if path.Dir(m.file) == pkg {
			n++
		}
	}
	return n
}

// packages lists the folders of the mutated files.
func (r results) packages() []string {
	var all []string
	for _, f := range r.Files {
		all = append(all, path.Dir(f.Name))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// code is the lines of the mutated files, by name.
type code map[string][]string

func readCode(root string, r results) (code, error) {
	c := code{}
	for _, f := range r.Files {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f.Name)))
		if err != nil {
			return nil, fmt.Errorf("the code of mutants: %w", err)
		}
		c[f.Name] = strings.Split(string(text), "\n")
	}
	return c, nil
}

// line is a mutant's line of code, without its indent.
func (c code) line(m mutant) string {
	lines := c[m.file]
	if m.Line < 1 || m.Line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[m.Line-1])
}
