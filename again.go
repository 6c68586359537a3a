package statespec

import (
	"flag"
	"regexp"
	"slices"
	"strings"

	"github.com/statespec/statespec/spec/catalogue"
)

// again is the arguments with which this test binary runs as far as one test.
// The flags of package testing and of Ginkgo are left out: they are about this
// process. Whatever TestMain may want is passed on.
func again(test string) []string {
	parts := strings.Split(test, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	args := []string{"-test.run=" + strings.Join(parts, "/"), "-test.timeout=0"}
	flag.Visit(func(f *flag.Flag) {
		if !strings.HasPrefix(f.Name, "test.") && !strings.HasPrefix(f.Name, "ginkgo.") {
			args = append(args, "-"+f.Name+"="+f.Value.String())
		}
	})
	return append(args, flag.Args()...)
}

// wanted leaves out rows whose sub-tests -run or -skip will leave out, so that
// one guarantee costs one guarantee. What it cannot tell it leaves in: testing
// decides.
func wanted(test string, rows []catalogue.Row) []catalogue.Row {
	depth := strings.Count(test, "/") + 1
	run := element(lookup("test.run"), depth)
	skip := lookup("test.skip")
	rows = slices.Clone(rows)
	return slices.DeleteFunc(rows, func(r catalogue.Row) bool {
		if run != nil && !run.MatchString(r.Guarantee()) {
			return true
		}
		re := element(skip, depth)
		return re != nil && strings.Count(skip, "/") == depth && re.MatchString(r.Guarantee())
	})
}

func lookup(name string) string {
	if f := flag.Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// element is the n-th part of a pattern of -run, nil when it has none or when
// the pattern is more than a row of parts.
func element(pattern string, n int) *regexp.Regexp {
	parts := strings.Split(pattern, "/")
	if n >= len(parts) || parts[n] == "" || strings.ContainsAny(pattern, "|[(\\") {
		return nil
	}
	re, err := regexp.Compile(parts[n])
	if err != nil {
		return nil
	}
	return re
}
