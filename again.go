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
		parts[i] = exactly(p)
	}
	args := []string{"-test.run=" + strings.Join(parts, "/"), "-test.timeout=0"}
	flag.Visit(func(f *flag.Flag) {
		if !strings.HasPrefix(f.Name, "test.") && !strings.HasPrefix(f.Name, "ginkgo.") {
			args = append(args, "-"+f.Name+"="+f.Value.String())
		}
	})
	return append(args, flag.Args()...)
}

// exactly is a part of a -run pattern that one name matches.
func exactly(name string) string { return "^" + regexp.QuoteMeta(name) + "$" }

// wanted leaves out rows whose sub-tests -run and -skip will leave out, so that
// one guarantee costs one guarantee. It judges by the guarantee alone: whether a
// case is run is for package testing to decide.
func wanted(test string, rows []catalogue.Row) []catalogue.Row {
	run, skip := patterns(lookup("test.run")), patterns(lookup("test.skip"))
	names := strings.Split(test, "/")
	return slices.DeleteFunc(slices.Clone(rows), func(r catalogue.Row) bool {
		path := append(slices.Clone(names), r.Guarantee())
		reaches := func(p []string) bool { return matches(p, path) }
		ends := func(p []string) bool { return len(p) <= len(path) && matches(p, path) }
		return len(run) > 0 && !slices.ContainsFunc(run, reaches) || slices.ContainsFunc(skip, ends)
	})
}

func lookup(name string) string {
	if f := flag.Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// matches says whether a pattern leads to a test, or through it to sub-tests.
func matches(pattern, path []string) bool {
	for i, p := range pattern[:min(len(pattern), len(path))] {
		re, err := regexp.Compile(p)
		if err != nil || !re.MatchString(path[i]) {
			return err != nil // what is no expression package testing has refused already
		}
	}
	return true
}

// patterns are the alternatives of a -run or -skip pattern, each split into its
// parts: "|" and "/" separate them outside of brackets. None is for everything.
func patterns(all string) (alternatives [][]string) {
	if all == "" {
		return nil
	}
	for _, alternative := range split(all, '|') {
		alternatives = append(alternatives, split(alternative, '/'))
	}
	return alternatives
}

// split cuts a pattern at a separator that stands outside of brackets and is not
// escaped.
func split(pattern string, at byte) (parts []string) {
	square, round, begin := 0, 0, 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case c == '[':
			square++
		case c == ']':
			square = max(square-1, 0)
		case c == '(' && square == 0:
			round++
		case c == ')' && square == 0:
			round--
		case c == at && square == 0 && round == 0:
			parts = append(parts, pattern[begin:i])
			begin = i + 1
		}
	}
	return append(parts, pattern[begin:])
}
