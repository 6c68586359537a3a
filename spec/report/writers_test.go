package report_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/report"
	"github.com/statespec/statespec/spec/verdict"
)

func asJSON(b *bytes.Buffer, r verdict.Results) error     { return report.JSON(b, r) }
func asJUnit(b *bytes.Buffer, r verdict.Results) error    { return report.JUnit(b, r) }
func asMarkdown(b *bytes.Buffer, r verdict.Results) error { return report.Markdown(b, r) }
func asBadge(b *bytes.Buffer, r verdict.Results) error    { return report.Badge(b, r) }
func asTerminal(o report.Options) func(*bytes.Buffer, verdict.Results) error {
	return func(b *bytes.Buffer, r verdict.Results) error { return report.Terminal(b, r, o) }
}

func TestTheReportsOfARunAreAsTheyWere(t *testing.T) {
	for name, in := range map[string]verdict.Input{"sample": sample(), "clean": clean(), "interrupted": interrupted()} {
		golden(t, name+".json", write(t, asJSON, in))
		golden(t, name+".xml", write(t, asJUnit, in))
		golden(t, name+".md", write(t, asMarkdown, in))
		golden(t, name+".svg", write(t, asBadge, in))
		golden(t, name+".txt", write(t, asTerminal(report.Options{}), in))
	}
	golden(t, "sample-narrow-color.txt", write(t, asTerminal(report.Options{Color: true, Width: 60}), sample()))
}

func TestEveryWordHasARowInTheSample(t *testing.T) {
	words := verdict.Fold(sample()).Summary.Words
	for _, w := range verdict.Words() {
		if words[w] == 0 && w != verdict.NotRun {
			t.Errorf("the sample has no row that is %s", w)
		}
	}
}

func TestResultsReadBackAsTheyWereWritten(t *testing.T) {
	dir := t.TempDir()
	want := verdict.Fold(sample())
	if err := os.WriteFile(filepath.Join(dir, report.ResultsFile), write(t, asJSON, sample()), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, filepath.Join(dir, report.ResultsFile)} {
		got, err := report.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Read(%s) (-want +got):\n%s", path, diff)
		}
	}
}

func TestWhatIsNoResultsIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.json")
	for content, want := range map[string]string{
		"":              "not results: unexpected end of JSON input",
		"[]":            "not results: json: cannot unmarshal array",
		"{}":            "results of schema 0, want 1",
		`{"schema":2}`:  "results of schema 2, want 1",
		`{"schema":1`:   "not results: unexpected end of JSON input",
		`{"schema":1}{`: "not results: invalid character",
	} {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := report.Read(path); err == nil || !strings.HasPrefix(err.Error(), path+": "+want) {
			t.Errorf("Read of %q = %v, want %s", content, err, want)
		}
	}
}

func TestJUnitIsXMLAndCountsWhatItHolds(t *testing.T) {
	type suite struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Skipped  int    `xml:"skipped,attr"`
		Cases    []struct {
			Name    string    `xml:"name,attr"`
			Class   string    `xml:"classname,attr"`
			Failure *struct{} `xml:"failure"`
			Error   *struct{} `xml:"error"`
			Skipped *struct{} `xml:"skipped"`
		} `xml:"testcase"`
	}
	var run struct {
		suite
		Suites []suite `xml:"testsuite"`
	}
	if err := xml.Unmarshal(write(t, asJUnit, sample()), &run); err != nil {
		t.Fatal(err)
	}
	var total suite
	for _, s := range run.Suites {
		var counted suite
		counted.Tests = len(s.Cases)
		for _, c := range s.Cases {
			counted.Failures += one(c.Failure)
			counted.Errors += one(c.Error)
			counted.Skipped += one(c.Skipped)
			if c.Class != s.Name {
				t.Errorf("class of %s = %s, want its suite %s", c.Name, c.Class, s.Name)
			}
		}
		said := [4]int{s.Tests, s.Failures, s.Errors, s.Skipped}
		has := [4]int{counted.Tests, counted.Failures, counted.Errors, counted.Skipped}
		if said != has {
			t.Errorf("suite %s says tests, failures, errors, skipped are %v, and has %v", s.Name, said, has)
		}
		total.Tests, total.Failures = total.Tests+s.Tests, total.Failures+s.Failures
		total.Errors, total.Skipped = total.Errors+s.Errors, total.Skipped+s.Skipped
	}
	said := [4]int{run.Tests, run.Failures, run.Errors, run.Skipped}
	has := [4]int{total.Tests, total.Failures, total.Errors, total.Skipped}
	if said != has {
		t.Errorf("the run says %v, and its suites have %v", said, has)
	}
	r := verdict.Fold(sample())
	words, should := r.Summary.Words, r.Summary.Levels[catalogue.Should]
	warnings := should[verdict.Broken] + should[verdict.Crashed] + should[verdict.Hung]
	if warnings == 0 {
		t.Fatal("the sample has no broken SHOULD")
	}
	want := [4]int{len(r.Rows()) + 1, // and the fault
		words[verdict.Broken] + words[verdict.Crashed] + words[verdict.Hung] + words[verdict.Stale] - warnings,
		words[verdict.DriverError] + words[verdict.HarnessError] + 1,
		words[verdict.Unclaimed] + words[verdict.Deselected] + words[verdict.CannotTell] + words[verdict.KnownBroken] +
			words[verdict.New] + warnings}
	if has != want {
		t.Errorf("the run has %v, want %v", has, want)
	}
}

func one(p *struct{}) int {
	if p == nil {
		return 0
	}
	return 1
}

// nasty is text that a subject may send.
const nasty = "nul \x00 esc \x1b[2J bell \a bad \xff\xfe nonchar \uffff c1 \u009b bidi \u202e cdata ]]> tag <b> & \"q\" 'a' `t` ``` | @me\r\nnext\u2028line"

func nastily() verdict.Input {
	in := sample()
	in.Subject.Name, in.Subject.Version = nasty, nasty
	in.Faults, in.Selection = []string{nasty}, nasty
	for i := range in.Outcomes {
		o := &in.Outcomes[i]
		o.Spec, o.Message, o.Location, o.Reproduce, o.Output = nasty, nasty, nasty, nasty, nasty
		o.Notes, o.Requests = []string{nasty}, []string{nasty}
	}
	in.Expectations.Entries[0].Reason = nasty
	return in
}

func TestNothingThatASubjectSaysBreaksAReport(t *testing.T) {
	t.Run("XML parses", func(t *testing.T) {
		for name, w := range map[string]func(*bytes.Buffer, verdict.Results) error{"junit.xml": asJUnit, "badge.svg": asBadge} {
			d := xml.NewDecoder(bytes.NewReader(write(t, w, nastily())))
			for {
				if _, err := d.Token(); err != nil {
					if err.Error() != "EOF" {
						t.Errorf("%s: %v", name, err)
					}
					break
				}
			}
		}
	})
	t.Run("text holds no control characters", func(t *testing.T) {
		for name, w := range map[string]func(*bytes.Buffer, verdict.Results) error{
			"terminal": asTerminal(report.Options{}), "summary.md": asMarkdown, "junit.xml": asJUnit,
		} {
			got := string(write(t, w, nastily()))
			if !utf8.ValidString(got) {
				t.Errorf("%s is not UTF-8", name)
			}
			if i := strings.IndexFunc(got, func(r rune) bool { return r < 0x20 && r != '\n' || r >= 0x7f && r < 0xa0 || r == 0x202e }); i >= 0 {
				t.Errorf("%s holds %q", name, got[max(0, i-20):i+5])
			}
		}
	})
	t.Run("Markdown stays in its fences", func(t *testing.T) {
		fence := ""
		for line := range strings.Lines(string(write(t, asMarkdown, nastily()))) {
			line = strings.TrimSpace(line)
			switch {
			case fence == "" && strings.HasPrefix(line, "```"):
				fence = strings.TrimSuffix(line, "text")
			case line == fence:
				fence = ""
			case fence == "" && (strings.Contains(line, "<b>") || strings.Contains(line, "@me")):
				t.Errorf("outside of a fence: %q", line)
			}
		}
		if fence != "" {
			t.Errorf("fence %q is not closed", fence)
		}
	})
	t.Run("JSON reads back", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "results.json")
		if err := os.WriteFile(path, write(t, asJSON, nastily()), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := report.Read(path); err != nil {
			t.Error(err)
		}
	})
}

func TestATerminalIsAsWideAsItIs(t *testing.T) {
	for _, width := range []int{40, 60, 80, 132} {
		for line := range strings.Lines(string(write(t, asTerminal(report.Options{Width: width}), sample()))) {
			line = strings.TrimRight(line, "\n")
			kept := strings.HasPrefix(line, "  again") || strings.HasPrefix(line, "  sent") || strings.HasPrefix(line, "         ") ||
				strings.HasPrefix(line, "  output") || strings.HasPrefix(line, "  link")
			if n := utf8.RuneCountInString(line); n > width && !kept {
				t.Errorf("width %d: %d columns: %s", width, n, line)
			}
		}
	}
}

func TestALongSummaryIsCutShort(t *testing.T) {
	in := verdict.Input{SuiteVersion: "0.1"}
	for i := range 90 {
		r := row(fmt.Sprintf("ACC-%02d", i+10), "MUST", "Bytes are counted.")
		in.Rows = append(in.Rows, r)
		in.Outcomes = append(in.Outcomes, verdict.Outcome{Row: r.ID, Outcome: verdict.Broken, Message: strings.Repeat("a line\n", 1000)})
	}
	got := string(write(t, asMarkdown, in))
	if !strings.Contains(got, "40 more rows are in `results.json`.") || len(got) > 64<<10 {
		t.Errorf("summary of 90 broken rows has %d bytes, want at most 64 KiB and a note of what is missing", len(got))
	}
}
