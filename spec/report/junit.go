package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/verdict"
)

// The elements of JUnit's XML that CI servers agree on.
type (
	junitRun struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Time     string       `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string          `xml:"name,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Time       string          `xml:"time,attr"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name      string        `xml:"name,attr"`
		Class     string        `xml:"classname,attr"`
		Time      string        `xml:"time,attr"`
		Failure   *junitProblem `xml:"failure"`
		Error     *junitProblem `xml:"error"`
		Skipped   *junitSkip    `xml:"skipped"`
		SystemOut *junitText    `xml:"system-out"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",cdata"` // so that lines stay lines
	}
	junitText struct {
		Text string `xml:",cdata"`
	}
	junitSkip struct {
		Message string `xml:"message,attr"`
	}
)

// JUnit writes junit.xml: a test suite for each family, a test case for each
// row. What was broken, crashed, hung or stale is a failure where it fails the
// run; a SHOULD that only warns is skipped with a message that says "warning",
// for the format has no word between, and CI servers fail a build by a failure
// element. What the subject or the harness could not do is an error. What else
// did not hold is skipped, with the word that it has here.
func JUnit(w io.Writer, r verdict.Results) error {
	run := junitRun{Name: "statespec"}
	seconds := 0.0
	for _, f := range familiesOf(r) {
		s, t := junitFamily(r, f)
		run.Suites = append(run.Suites, s)
		run.Tests += s.Tests
		run.Failures += s.Failures
		run.Errors += s.Errors
		run.Skipped += s.Skipped
		seconds += t
	}
	if s, ok := junitFaults(r); ok {
		run.Suites = append(run.Suites, s)
		run.Tests += s.Tests
		run.Errors += s.Errors
	}
	run.Time = junitTime(seconds)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(run); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func junitFamily(r verdict.Results, f family) (junitSuite, float64) {
	s := junitSuite{Name: f.code, Tests: len(f.rows), Properties: junitProperties(r)}
	total := 0.0
	for _, row := range f.rows {
		c, seconds := junitRow(row, r.Summary.Strict)
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
		s.Cases = append(s.Cases, c)
		total += seconds
	}
	s.Time = junitTime(total)
	return s, total
}

func junitProperties(r verdict.Results) []junitProperty {
	all := []junitProperty{
		{"suite", r.Suite}, {"subject", Printable(r.Subject.Name)}, {"subject.version", Printable(r.Subject.Version)},
		{"seed", fmt.Sprint(r.Seed)},
	}
	if !r.Shard.Whole() {
		all = append(all, junitProperty{"shard", r.Shard.String()})
	}
	return all
}

func junitRow(row verdict.Verdict, strict bool) (junitCase, float64) {
	c := junitCase{Name: row.ID + " " + row.Statement, Class: row.Row().Family()}
	seconds := 0.0
	var output []string
	for _, o := range row.Specs {
		seconds += o.Seconds
		if o.Output != "" {
			output = append(output, Printable(o.Output))
		}
	}
	c.Time = junitTime(seconds)
	if len(output) > 0 {
		c.SystemOut = &junitText{xmlText(strings.Join(output, "\n"))}
	}
	switch row.Own {
	case verdict.Held:
	case verdict.Broken, verdict.Crashed, verdict.Hung:
		c.Failure = junitProblemOf(row)
		if row.Level == catalogue.Should && !strict {
			c.Skipped, c.Failure = &junitSkip{"warning: " + c.Failure.Message}, nil
		}
	case verdict.Stale:
		c.Failure = junitProblemOf(row)
	case verdict.DriverError, verdict.HarnessError:
		c.Error = junitProblemOf(row)
	default:
		c.Skipped = &junitSkip{strings.TrimSuffix(string(row.Own)+": "+Printable(row.Reason), ": ")}
	}
	return c, seconds
}

// junitProblemOf says all that there is to know in the element's text: many
// servers show nothing else.
func junitProblemOf(row verdict.Verdict) *junitProblem {
	message := fmt.Sprintf("%s %s %s: %s", row.ID, row.Level, row.Own, row.Statement)
	text := []string{"", message}
	if why := reasonOf(row); why != "" {
		text = append(text, why)
	}
	for _, o := range tellingOf(row) {
		for _, f := range facts(o) {
			if f.label != "output" { // which is in system-out
				text = append(text, f.label+": "+strings.ReplaceAll(f.text, "\n", "\n  "))
			}
			if f.label == "got" {
				message += " Got: " + head(f.text, 1)
			}
		}
	}
	return &junitProblem{Message: message, Type: string(row.Own), Text: xmlText(strings.Join(text, "\n") + "\n")}
}

// xmlText replaces what no XML 1.0 document can hold, not even escaped.
func xmlText(text string) string {
	return strings.Map(func(r rune) rune {
		if r == 0xfffe || r == 0xffff {
			return utf8.RuneError
		}
		return r
	}, Printable(text))
}

// junitFaults is a suite of the harness's own faults: without it a run with
// nothing but those would look clean.
func junitFaults(r verdict.Results) (junitSuite, bool) {
	s := junitSuite{Name: "harness", Properties: junitProperties(r), Time: junitTime(0)}
	for _, fault := range r.Faults {
		fault = Printable(fault)
		s.Cases = append(s.Cases, junitCase{Name: "the harness has no fault of its own", Class: "harness", Time: junitTime(0),
			Error: &junitProblem{Message: fault, Type: string(verdict.HarnessError), Text: xmlText(fault)}})
	}
	s.Tests, s.Errors = len(s.Cases), len(s.Cases)
	return s, len(s.Cases) > 0
}

func junitTime(seconds float64) string { return fmt.Sprintf("%.3f", seconds) }
