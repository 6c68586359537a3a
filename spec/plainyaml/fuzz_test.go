package plainyaml_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/statespec/statespec/spec/plainyaml"
)

// FuzzParse holds for every content: a document is read or a problem told, never
// both; a document is no deeper than allowed, whatever its nodes are asked for; and
// every problem is one printable line about a place in the content.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"", "---\n---\n", "a: [", "? a\n: b", "- - - a", "a: |\n  b\n", "\"\\u0000\"", "&a *a", "{a: {b: c}}", "a:\n\t- b", "a:\tb\tc", "{a, b: }", "- \n-", "a:\n- b:\n  - c:",
		"%YAML 1.2\n---\na", "a: b\n...\nc", "<<: a", "a: !!str b", "'a\n\n b': \"c\\\n d\"", "é: [𝄞, \u2028]", "a\r\nb: c\rd", "\ufeffa: 1\n\"a\": 2", "~: 0x1\n5: .inf\ntrue: no", ": a", "a: >2-\n   b",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p := plainyaml.Problems{Path: "t.yaml"}
		root, ok := format.Parse(data, &p)
		if ok == (p.Err() != nil) {
			t.Fatalf("Parse = %t, %v", ok, p.Err())
		}
		if ok {
			ask(t, root, format.Depth)
			root.Problem("here")
		}
		checkPlaces(t, data, p.Err())
	})
}

// ask asks a node for everything.
func ask(t *testing.T, n plainyaml.Node, levels int) {
	if k := n.Kind(); (k == plainyaml.Map || k == plainyaml.List) && levels == 0 {
		t.Errorf("%s at %v is nested deeper than allowed", k, n.At())
	}
	fields, ok := n.Fields("x", "a", "b", "c")
	if ok != (n.Kind() == plainyaml.Map) {
		t.Errorf("Fields of %s = %t", n.Kind(), ok)
	}
	for _, field := range fields {
		ask(t, field.Value, levels-1)
	}
	for _, item := range n.List("x") {
		ask(t, item, levels-1)
	}
	n.Text("x")
	n.Number("x")
	n.Boolean("x")
}

func checkPlaces(t *testing.T, data []byte, err error) {
	t.Helper()
	text := strings.TrimPrefix(string(data), "\ufeff")
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
	for _, p := range err.(*plainyaml.Error).Problems {
		if strings.ContainsFunc(p.Text, func(r rune) bool { return !unicode.IsPrint(r) }) || p.Text == "" {
			t.Errorf("text %q, want a printable line", p.Text)
		}
		switch {
		case p.Position == plainyaml.Position{}:
		case p.Line < 1 || p.Line > len(lines):
			t.Errorf("%+v, want one of %d lines", p, len(lines))
		case strings.HasPrefix(p.Text, "not YAML") && p.Column > 0: // the parser miscounts behind broken escapes
		case p.Column < 1 || p.Column > 1+utf8.RuneCountInString(lines[p.Line-1]):
			t.Errorf("%+v, want a column of %q", p, lines[p.Line-1])
		}
	}
}
