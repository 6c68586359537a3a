package plainyaml_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/statespec/statespec/spec/plainyaml"
)

var format = plainyaml.Format{Bytes: 4096, Depth: 4, Want: "rules"}

// parsed reads a text that has to be plain YAML.
func parsed(t *testing.T, text string) (plainyaml.Node, *plainyaml.Problems) {
	t.Helper()
	p := &plainyaml.Problems{Path: "t.yaml"}
	root, ok := format.Parse([]byte(text), p)
	if err := p.Err(); !ok || err != nil {
		t.Fatalf("Parse(%q) = %t, %v", text, ok, err)
	}
	return root, p
}

// value is that of the key x.
func value(t *testing.T, text string) (plainyaml.Node, *plainyaml.Problems) {
	t.Helper()
	root, p := parsed(t, text)
	fields, _ := root.Fields("a file", "x")
	n, ok := fields.Get("x")
	if !ok {
		t.Fatalf("%q has no x", text)
	}
	return n, p
}

// deep is as many maps in each other, one a line.
func deep(levels int) string {
	var b strings.Builder
	for i := range levels {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func TestWhatIsMoreThanPlainIsRefusedWithItsPlace(t *testing.T) {
	const plain = "want plain lists and maps, without anchors, aliases, tags, merges, directives and ? keys; text that begins with "
	for _, row := range []struct{ name, text, want string }{
		{"nothing", "", "t.yaml: empty, want rules"},
		{"space", " \n\n", "t.yaml: empty, want rules"},
		{"a comment", "# none\n", "t.yaml: empty, want rules"},
		{"documents of nothing", "---\n---\n", "t.yaml: empty, want rules"},
		{"a byte order mark alone", "\ufeff", "t.yaml: empty, want rules"},

		{"an anchor", "a: &b c", `t.yaml:1:4: "&": ` + plain + "& is put in quotes"},
		{"an alias", "a: b\nc: [d, *a]", `t.yaml:2:8: "*": ` + plain + "* is put in quotes"},
		{"a tag", "a: !b c", `t.yaml:1:4: "!b": ` + plain + "! is put in quotes"},
		{"a tag of YAML's", "é: !!binary c", `t.yaml:1:4: "!!binary": ` + plain + "! is put in quotes"},
		{"a merge", "<<: {a: b}", `t.yaml:1:1: "<<": ` + plain + "<< is put in quotes"},
		{"a complex key", "? [a]\n: b", `t.yaml:1:1: "?": ` + plain + "? is put in quotes"},
		{"a directive", "%YAML 1.2\n---\na: b", `t.yaml:1:1: "%": ` + plain + "% is put in quotes"},
		{"text like a directive", "a: %b", `t.yaml:1:4: "%": ` + plain + "% is put in quotes"},
		{"a list as a key", "[a]: b", "t.yaml:1:4: not YAML: found an invalid key for this map"},

		{"a second document", "a: b\n---\n# c\nd: e\n", "t.yaml:4:1: a second document, want one"},
		{"a second document behind an end", "a: b\n...\nc: d\n", "t.yaml:3:1: a second document, want one"},
		{"a third document", "---\na: b\n---\n---\nc: d\n", "t.yaml:5:1: a second document, want one"},
		{"many documents", strings.Repeat("---\na: b\n", 100), "t.yaml:4:1: a second document, want one"},

		{"a key twice", "a: b\na: c", `t.yaml:2:1: not YAML: mapping key "a" already defined at [1:1]`},
		{"a key twice, once in quotes", "{a: b, \"a\": c}", `t.yaml:1:8: not YAML: mapping key "a" already defined at [1:2]`},
		{"a key twice further in", "- a: b\n  c: {d: e, d: f}", `t.yaml:2:13: not YAML: mapping key "d" already defined at [2:7]`},

		{"an indent of a tab", "a:\n\t- b", `t.yaml:2:1: not YAML: found character '\t' that cannot start any token`},
		{"a tab in text", "a: b\tc", "t.yaml:1:4: a tab in text without quotes, want a space, or the text in quotes"},
		{"a tab in a key", "a\tb: c", "t.yaml:1:1: a tab in text without quotes, want a space, or the text in quotes"},
		{"a tab in a further line", "a: b\n  c\td", "t.yaml:1:4: a tab in text without quotes, want a space, or the text in quotes"},

		{"a byte that is none of UTF-8", "a: b\né: [ü\xff]", "t.yaml:2:6: byte 0xff is not UTF-8"},
		{"the same behind a replacement character", "a: \ufffd\xc3", "t.yaml:1:5: byte 0xc3 is not UTF-8"},
		{"the same behind old line ends", "a: b\r\rc: \xff", "t.yaml:3:4: byte 0xff is not UTF-8"},
		{"UTF-16", "\xff\xfea\x00", "t.yaml:1:1: byte 0xff is not UTF-8"},

		{"brackets in each other", "a: [[[[]]]]", "t.yaml:1:7: nested deeper than 4"},
		{"braces in each other", strings.Repeat("{a: ", 1000), "t.yaml:1:17: nested deeper than 4"},
		{"brackets in each other, a line each", strings.Repeat("[\n", 100), "t.yaml:5:1: nested deeper than 4"},
		{"lists in each other", strings.Repeat("- ", 1000), "t.yaml:1:9: nested deeper than 4"},
		{"lists in each other, a line each", "-\n -\n  -\n   -\n    - a\n", "t.yaml:5:5: nested deeper than 4"},
		{"maps in each other", deep(5), "t.yaml:5:5: nested deeper than 4"},
		{"as many as there is room for", deep(80), "t.yaml:5:5: nested deeper than 4"},

		{"huge", strings.Repeat("# comment\n", 1000), "t.yaml: 10000 bytes, want at most 4096"},
		{"no end", "a: [", "t.yaml:1:4: not YAML: sequence end token ']' not found"},
		{"text and a map", "a\nb: c", "t.yaml:1:1: not YAML: unexpected key name"},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := plainyaml.Problems{Path: "t.yaml"}
			_, ok := format.Parse([]byte(row.text), &p)
			if err := p.Err(); ok || err == nil || err.Error() != row.want {
				t.Errorf("Parse = %t, %v\nwant %s", ok, err, row.want)
			}
		})
	}
}

func TestWhatIsPlainIsRead(t *testing.T) {
	for text, want := range map[string]string{
		"x: a b":               "a b",
		"x: a\n  b":            "a b",
		"x: 'a\tb'":            "a\tb",
		"x:\ta\t# a\ttab":      "a",
		"x: |  # why\n  a\tb":  "a\tb",
		"x: >-\n  a\n  b\n":    "a b",
		"\ufeffx: a":           "a",
		"# b\r\nx: a\r\n":      "a",
		"x: '&a *b !c << ? %'": "&a *b !c << ? %",
		"x: a&b*c!d":           "a&b*c!d",
		"---\nx: a\n...\n":     "a",
		"x: a\n---\n# end\n":   "a",
		"{\"x\": \"\\u0061\"}": "a",
		"x: \ufffd":            "\ufffd",
		"x: yes":               "yes",
	} {
		n, p := value(t, text)
		if got := n.Text("x"); got != want || p.Err() != nil {
			t.Errorf("x of %q = %q, %v, want %q", text, got, p.Err(), want)
		}
	}
}

func TestANodeIsOfAKindAndSomewhere(t *testing.T) {
	at := func(line, column int) plainyaml.Position { return plainyaml.Position{Line: line, Column: column} }
	for _, row := range []struct {
		text, written string
		kind          plainyaml.Kind
		at            plainyaml.Position
	}{
		{"x: a", "a", plainyaml.Text, at(1, 4)},
		{"x:   ' a '", "a", plainyaml.Text, at(1, 6)},
		{"x: |\n  a", "(a block of text)", plainyaml.Block, at(1, 4)},
		{"x: 0.10", "0.10", plainyaml.Number, at(1, 4)},
		{"x: .inf", ".inf", plainyaml.Number, at(1, 4)},
		{"x: '1'", "1", plainyaml.Text, at(1, 4)},
		{"x: True", "True", plainyaml.Boolean, at(1, 4)},
		{"x: ~", "~", plainyaml.Nothing, at(1, 4)},
		{"# é\n  x:\n", "null", plainyaml.Nothing, at(2, 3)}, // at its key: it is nowhere itself
		{"{y: é, x}", "null", plainyaml.Nothing, at(1, 8)},
		{"x: [a]", "(a list)", plainyaml.List, at(1, 4)},
		{"x:\n- a", "(a list)", plainyaml.List, at(2, 1)},
		{"x: {a: b}", "(a map)", plainyaml.Map, at(1, 4)},
		{"x: {\n  a: b}", "(a map)", plainyaml.Map, at(1, 4)},
		{"x: {}", "(a map)", plainyaml.Map, at(1, 4)},
		{"x:\n  a: b", "(a map)", plainyaml.Map, at(2, 3)},
	} {
		root, _ := parsed(t, row.text)
		fields, _ := root.Fields("a file", "x", "y")
		n, _ := fields.Get("x")
		if n.Kind() != row.kind || n.At() != row.at || n.Written() != row.written {
			t.Errorf("x of %q = %s at %v, written %s, want %s at %v, written %s", row.text, n.Kind(), n.At(), n.Written(), row.kind, row.at, row.written)
		}
	}
}

func TestFieldsAreInTheOrderOfTheFile(t *testing.T) {
	root, p := parsed(t, "c: 1\na: 2\n'b': 3\n")
	fields, ok := root.Fields("a file", "a", "b", "c", "d")
	got := ""
	for _, f := range fields {
		got += f.Key + f.Value.Written()
	}
	if want := "c1a2b3"; got != want || !ok || p.Err() != nil {
		t.Errorf("Fields = %s, %t, %v, want %s", got, ok, p.Err(), want)
	}
	if n, ok := fields.Get("d"); ok {
		t.Errorf("Get(d) = %v, want none", n)
	}
}

func TestWhatANodeIsNotIsToldWithItsPlace(t *testing.T) {
	for _, row := range []struct {
		name, text string
		ask        func(plainyaml.Node)
		want       string
	}{
		{"text that is a number", "x: 0.10", asText, `t.yaml:1:4: x is a number, want text in quotes: "0.10"`},
		{"text that is a boolean", "x: true", asText, `t.yaml:1:4: x is a boolean, want text in quotes: "true"`},
		{"text that is a map", "x: {a: b}", asText, "t.yaml:1:4: x is a map, want text"},
		{"text that is left out", "\nx:", asText, "t.yaml:2:1: x is nothing, want text"},
		{"text that is blank", `x: " \t"`, asText, "t.yaml:1:4: x is empty"},
		{"a block of nothing", "x: |\n", asText, "t.yaml:1:4: x is empty"},
		{"a number that is text", "x: a", asNumber, `t.yaml:1:4: x "a", want a number`},
		{"a number that is none", "x: .nan", asNumber, `t.yaml:1:4: x ".nan", want a number`},
		{"a number without end", "x: 1e999", asNumber, `t.yaml:1:4: x "1e999", want a number`},
		{"a number that is a list", "x: [1]", asNumber, `t.yaml:1:4: x "(a list)", want a number`},
		{"a number in a block", "x: |\n  1", asNumber, `t.yaml:1:4: x "(a block of text)", want a number`},
		{"a boolean that is text", "x: 'true'", asBoolean, "t.yaml:1:4: x is text, want true or false"},
		{"a list that is text", "x: a", asList, "t.yaml:1:4: x is text, want a list"},
		{"a list that is left out", "x:", asList, "t.yaml:1:1: x is nothing, want a list"},
		{"a map that is a list", "x:\n- a", asMap, "t.yaml:2:1: x is a list, want a map with unit, worse"},
		{"a key like another", "x: {a: b, wrose: c}", asMap, `t.yaml:1:5: unknown key "a" of x, want one of unit, worse` + "\n" + `t.yaml:1:11: unknown key "wrose" of x; did you mean worse?`},
		{"a key twice, once without a value", "x: {unit: a, unit}", asMap, `t.yaml:1:14: key "unit" of x twice`},
		{"a key that is no text", "x: {5: b}", asMap, `t.yaml:1:5: unknown key "5" of x, want one of unit, worse`},
		{"a key that does more than be read", `x: {"\e[2J\n\u202e": b}`, asMap, `t.yaml:1:5: unknown key "\x1b[2J\n\u202e" of x, want one of unit, worse`},
	} {
		t.Run(row.name, func(t *testing.T) {
			n, p := value(t, row.text)
			row.ask(n)
			if err := p.Err(); err == nil || err.Error() != row.want {
				t.Errorf("error = %v\nwant    %s", err, row.want)
			}
		})
	}
}

func asText(n plainyaml.Node)    { n.Text("x") }
func asNumber(n plainyaml.Node)  { n.Number("x") }
func asBoolean(n plainyaml.Node) { n.Boolean("x") }
func asList(n plainyaml.Node)    { n.List("x") }
func asMap(n plainyaml.Node)     { n.Fields("x", "unit", "worse") }

func TestNumbersAndBooleansAreRead(t *testing.T) {
	for text, want := range map[string]float64{"x: 0.05": 0.05, "x: '-5'": -5, "x: 1e3": 1000, "x: 7": 7} {
		n, p := value(t, text)
		if got := n.Number("x"); got != want || p.Err() != nil {
			t.Errorf("%s = %v, %v, want %v", text, got, p.Err(), want)
		}
	}
	for text, want := range map[string]bool{"x: true": true, "x: False": false} {
		n, p := value(t, text)
		if got := n.Boolean("x"); got != want || p.Err() != nil {
			t.Errorf("%s = %v, %v, want %v", text, got, p.Err(), want)
		}
	}
}

func TestProblemsAreInTheOrderOfTheFile(t *testing.T) {
	p := plainyaml.Problems{Path: "a/b.yaml"}
	if err := p.Err(); err != nil {
		t.Fatalf("Err of no problem = %v", err)
	}
	p.Add(plainyaml.Position{Line: 3, Column: 2}, "third")
	p.Add(plainyaml.Position{Line: 2}, "first of %d", 2)
	p.Add(plainyaml.Position{Line: 3, Column: 2}, "fourth\r\n\x1b\u202e é")
	p.Add(plainyaml.Position{}, "of the file")
	p.Add(plainyaml.Position{Line: 2, Column: 9}, "second")
	want := `a/b.yaml: of the file
a/b.yaml:2: first of 2
a/b.yaml:2:9: second
a/b.yaml:3:2: third
a/b.yaml:3:2: fourth\r\n\x1b\u202e é`
	err := p.Err()
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("error (-want +got):\n%s", diff)
	}
	if e, ok := errors.AsType[*plainyaml.Error](err); !ok || len(e.Problems) != 5 || e.Problems[2].Column != 9 {
		t.Errorf("Err = %#v, want an *Error of five problems", err)
	}
}
