package detect_test

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/detect"
	"github.com/statespec/statespec/spec/faulty"
	"github.com/statespec/statespec/spec/verdict"
)

// results are those of a run in which every row held but some.
func results(but map[string]verdict.Word, more ...func(*verdict.Input)) verdict.Results {
	in := verdict.Input{Rows: catalogue.All(), Selected: func(catalogue.Row) bool { return true }, SuiteVersion: catalogue.Suite,
		Specs: map[string]int{}}
	for _, r := range catalogue.All() {
		if !r.AskedIn(catalogue.Suite) {
			continue
		}
		word := verdict.Held
		if w, set := but[r.ID]; set {
			word = w
		}
		in.Specs[r.ID] = 1
		in.Outcomes = append(in.Outcomes, verdict.Outcome{Spec: "a spec of " + r.ID, Row: r.ID, Outcome: word, Message: "what it saw"})
	}
	for _, change := range more {
		change(&in)
	}
	return verdict.Fold(in)
}

func TestAFindingIsExactOnlyWithAllOfItsRowsAndNoOther(t *testing.T) {
	f := faulty.Fault{Name: "is a fault", Breaks: []string{"EVI-02"}, Follows: []string{"EVI-08"}}
	both := map[string]verdict.Word{"EVI-02": verdict.Broken, "EVI-08": verdict.Broken}
	with := func(id string, w verdict.Word) map[string]verdict.Word {
		m := map[string]verdict.Word{id: w}
		for k, v := range both {
			if k != id {
				m[k] = v
			}
		}
		return m
	}
	for name, c := range map[string]struct {
		results                      verdict.Results
		ok                           bool
		missed, unexpected, unjudged []string
	}{
		"as it should be":            {results: results(both), ok: true},
		"a row crashed":              {results: results(with("EVI-02", verdict.Crashed)), ok: true},
		"a row hung":                 {results: results(with("EVI-08", verdict.Hung)), ok: true},
		"another row cannot be told": {results: results(with("EVI-03", verdict.CannotTell)), ok: true},
		"a row held":                 {results: results(with("EVI-02", verdict.Held)), missed: []string{"EVI-02"}},
		"a row cannot be told":       {results: results(with("EVI-02", verdict.CannotTell)), missed: []string{"EVI-02"}},
		"a row is unclaimed":         {results: results(with("EVI-08", verdict.Unclaimed)), missed: []string{"EVI-08"}},
		"a follower held":            {results: results(with("EVI-08", verdict.Held)), missed: []string{"EVI-08"}},
		"another row is broken":      {results: results(with("ACC-01", verdict.Broken)), unexpected: []string{"ACC-01"}},
		"another SHOULD is broken":   {results: results(with("EVI-10", verdict.Broken)), unexpected: []string{"EVI-10"}},
		"a spec of ours failed":      {results: results(with("EVI-10", verdict.HarnessError)), unjudged: []string{"EVI-10"}},
		"the driver failed":          {results: results(with("EVI-02", verdict.DriverError)), unjudged: []string{"EVI-02"}},
		"the harness failed":         {results: results(both, func(in *verdict.Input) { in.Faults = []string{"a fault of ours"} })},
		"the subject was gone":       {results: results(both, func(in *verdict.Input) { in.NoSubject = "it is gone" })},
	} {
		got := detect.Judge(f, c.results)
		if got.OK != c.ok || !slices.Equal(got.Missed, c.missed) || !slices.Equal(got.Unexpected, c.unexpected) || !slices.Equal(got.Unjudged, c.unjudged) {
			t.Errorf("%s: ok %v, missed %v, unexpected %v, unjudged %v, want %v, %v, %v, %v", name, got.OK, got.Missed, got.Unexpected, got.Unjudged,
				c.ok, c.missed, c.unexpected, c.unjudged)
		}
		for _, id := range slices.Concat(got.Unexpected, got.Unjudged) {
			if got.Why[id] == "" {
				t.Errorf("%s: nothing says why %s is so", name, id)
			}
		}
	}
}

func TestARowIsProvenByAFaultThatIsThereToBreakItAndDoes(t *testing.T) {
	rows := []catalogue.Row{row(t, "EVI-02"), row(t, "EVI-03"), row(t, "EVI-08"), later(t, "PRK-01")}
	found := []detect.Finding{
		{Breaks: []string{"EVI-02"}, Follows: []string{"EVI-08"}, Broken: []string{"EVI-02", "EVI-08"}},
		{Breaks: []string{"EVI-03"}},
	}
	if got, want := detect.Unproven(rows, found), []string{"EVI-03", "EVI-08"}; !slices.Equal(got, want) {
		t.Errorf("Unproven = %v, want %v: a fault that was not found and a follower prove nothing, a row that is not asked needs no proof", got, want)
	}
}

// sample has one finding of each sort.
func sample() detect.Detection {
	exact := faulty.Fault{Name: "evicts the most recent", Met: "nowhere yet", Breaks: []string{"EVI-02"}, Follows: []string{"EVI-08"}}
	wrong := faulty.Fault{Name: "counts <elements> | twice", Breaks: []string{"ACC-01"}}
	return detect.Detection{Schema: detect.Schema, Suite: "0.1", Seed: 1, Exit: verdict.Failure, Unproven: []string{"ACC-01"}, Faults: []detect.Finding{
		detect.Judge(exact, results(map[string]verdict.Word{"EVI-02": verdict.Broken, "EVI-08": verdict.Hung})),
		detect.Judge(wrong, results(map[string]verdict.Word{"EVI-10": verdict.Broken, "ACC-02": verdict.HarnessError})),
	}}
}

func TestAnInterruptedDetectionCountsWhatItDidNotComeTo(t *testing.T) {
	d := sample()
	d.Incomplete = true
	if line := d.Line(); !strings.Contains(line, "interrupted: 2 faults") || !strings.Contains(line, "1 rows unproven so far") {
		t.Errorf("%q, want that it was interrupted, and how many rows are unproven so far", line)
	}
}

func TestEveryReportTellsTheWholeMatrix(t *testing.T) {
	d := sample()
	for name, c := range map[string]struct {
		write func(io.Writer, detect.Detection) error
		says  []string
	}{
		"text": {detect.Text, []string{"not proven: 2 faults; 1 not as they should; unproven: ACC-01", "missed     ACC-01",
			"unexpected EVI-10 broken", "unjudged   ACC-02", "statespec run --fault 'counts <elements> | twice' --seed 1"}},
		"markdown": {detect.Markdown, []string{"EVI-02 X", "EVI-08 f", "ACC-01 ?", "EVI-10 !", "ACC-02 -",
			"1. evicts the most recent (met: nowhere yet)", "counts &lt;elements> \\| twice"}},
		"html": {detect.HTML, []string{`<td class="breaks" title="broken, as the fault is there to do">X</td>`,
			`<td class="wrong" title="broken, and should not be">!</td>`, "counts &lt;elements&gt; | twice", "met: nowhere yet", `<html lang="en">`}},
	} {
		var b bytes.Buffer
		if err := c.write(&b, d); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, want := range c.says {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s does not say %q:\n%s", name, want, b.String())
			}
		}
	}
}

func TestJSONKeepsTheDetectionWholeAndItsListsAreNeverNull(t *testing.T) {
	var b bytes.Buffer
	if err := detect.JSON(&b, sample()); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "null") {
		t.Errorf("a list is null:\n%s", b.String())
	}
	var back detect.Detection
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || !reflect.DeepEqual(back, sample()) {
		t.Errorf("read back: %v\n%+v\nwant\n%+v", err, back, sample())
	}
}
