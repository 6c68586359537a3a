package expect_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/expect"
	"github.com/statespec/statespec/spec/verdict"
)

func FuzzWrite(f *testing.F) {
	for _, message := range []string{"", " ", "a: b # c", "\u2028\u0085\x00\xff\ufeff", "\"'\\x\t\r\n", strings.Repeat("é", 500), "{}[]&*!|>%@`", "𝄞"} {
		f.Add(message)
	}
	f.Fuzz(func(t *testing.T, message string) { rewrite(t, broken(message)) })
}

// FuzzParse holds for every content: what is wrong is an *Error about lines of the
// content; what is read is about rows of the catalogue; a run that goes as the
// file expects writes a file that expects the same.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"suite: '0.1'\nexpectations:\n- {id: ACC-11, cases: [set], when: {version: '>=1'}, reason: x}\n",
		"suite: '0.1'\nexpectations:\n- {id: ACC-11, cases: [], outcome: hung, reason: x, link: 'https://example.org/1'}\n- {id: EVI-01, reason: y}\n",
		"suite: 0.1\nexpectations: []", "", "---\n---\n", "a: [", "? a\n: b", "- - - a", "a: |\n  b\n", "\"\\u0000\"", "&a *a", "{a: {b: c}}", "a:\n\t- b",
	} {
		f.Add([]byte(text))
	}
	rows := reader()
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := rows.Parse(data)
		if err != nil {
			checkProblems(t, data, err)
			return
		}
		for _, e := range file.Entries {
			known := slices.ContainsFunc(rows.Rows, func(r catalogue.Row) bool { return r.ID == e.ID && !r.IsCase() })
			if !known || e.Reason == "" {
				t.Errorf("Parse let through %+v", e)
			}
		}
		if catalogue.CompareSuites(file.Suite, rows.Suite) > 0 {
			t.Errorf("Parse let through suite %q", file.Suite)
		}
		checkRewritten(t, file)
	})
}

func checkProblems(t *testing.T, data []byte, err error) {
	t.Helper()
	e, ok := err.(*expect.Error)
	if !ok || len(e.Problems) == 0 {
		t.Fatalf("Parse = %v, want an *Error with problems", err)
	}
	most := 1 + bytes.Count(data, []byte("\n")) + bytes.Count(data, []byte("\r"))
	for _, p := range e.Problems {
		if p.Line < 0 || p.Line > most || strings.ContainsAny(p.Text, "\n\r") {
			t.Errorf("Parse = problem %+v, want one line of text, about one of %d lines", p, most)
		}
	}
}

// checkRewritten runs as a file expects, and reads what the run writes.
func checkRewritten(t *testing.T, file expect.File) {
	t.Helper()
	x := file.For(expect.Conditions{Device: "cpu", Version: "1"})
	in := verdict.Input{Rows: reader().Rows, SuiteVersion: reader().Suite, Subject: &spec.Hello{Layers: spec.Layers()}, Expectations: x}
	for _, row := range in.Rows {
		word := verdict.Held
		for _, e := range x.Entries {
			name := strings.TrimPrefix(row.ID, e.ID+".")
			if row.Guarantee() == e.ID && (e.Cases == nil || row.IsCase() && slices.Contains(e.Cases, name) || !row.IsCase() && len(e.Cases) == 0) {
				word = e.Outcome
			}
		}
		in.Outcomes = append(in.Outcomes, verdict.Outcome{Spec: row.ID, Row: row.ID, Outcome: word})
	}
	first := verdict.Fold(in)
	written, err := expect.Write(first)
	if err != nil {
		t.Fatalf("Write = %v", err)
	}
	again, err := reader().Parse(written)
	if err != nil {
		t.Fatalf("what was written does not read: %v\n%s", err, written)
	}
	in.Expectations = again.For(expect.Conditions{})
	if diff := cmp.Diff(excuses(first), excuses(verdict.Fold(in))); diff != "" {
		t.Errorf("what is known by the file and by the one written of its run (-file +written):\n%s", diff)
	}
}

// excuses is how each row failed, and why that is known.
func excuses(r verdict.Results) map[string]string {
	all := map[string]string{}
	for _, v := range r.Rows() {
		all[v.ID] = fmt.Sprintf("%s: %s (%s)", v.Own, v.Reason, v.Link)
	}
	return all
}
