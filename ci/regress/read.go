package regress

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
	"golang.org/x/perf/benchunit"
)

// MaxInput bounds a file of benchmarks, in bytes.
const MaxInput = 32 << 20

// maxRuns bounds the runs of one benchmark in a file: no statistics here are better
// for more.
const maxRuns = 10_000

// A value other than 0 is from leastValue to mostValue, in its tidy unit. What is measured lies
// well within, the least float32 too; of what does not, quotients of quotients would
// pass what a float64 holds, and no table or drawing could show them.
const (
	leastValue = 1e-60
	mostValue  = 1e60
)

// An Input is a file of Go's benchmark format.
type Input struct {
	Name string // for the reader
	Data []byte
}

// A Recording is what is in an input.
type Recording struct {
	Name    string
	Results []*benchfmt.Result // in the file's order
	Notes   []string           // doubts about it
}

// Files are two recordings, and what they say about their units.
type Files struct {
	Old, New Recording
	Units    benchfmt.UnitMetadataMap
}

// Read reads two inputs. Its error names the file, the line, and what would be
// right. A benchmark that has a control beside it gets its ratio to it. Of what a
// filter leaves out nothing stays; nil leaves out nothing.
func Read(old, new Input, filter *benchproc.Filter) (Files, error) {
	var reader benchfmt.Reader
	a, errA := record(&reader, old)
	b, errB := record(&reader, new)
	f := Files{Old: a, New: b, Units: reader.Units()}
	if err := errors.Join(errA, errB); err != nil {
		return Files{}, err
	}
	for _, r := range []*Recording{&f.Old, &f.New} {
		r.addRatios()
		if filter == nil {
			continue
		}
		r.Results = slices.DeleteFunc(r.Results, func(res *benchfmt.Result) bool {
			kept, _ := filter.Apply(res) // an error only says why nothing is kept
			return !kept
		})
	}
	return f, nil
}

// ReadOne reads one input, as Read does two.
func ReadOne(in Input) (Recording, error) {
	rec, err := record(new(benchfmt.Reader), in)
	rec.addRatios()
	return rec, err
}

// record reads one input with a reader that knows the units of those before.
func record(reader *benchfmt.Reader, in Input) (Recording, error) {
	rec := Recording{Name: in.Name}
	if len(in.Data) > MaxInput {
		return rec, fmt.Errorf("%s: more than %d bytes, which no file of benchmarks has", in.Name, MaxInput)
	}
	reader.Reset(bytes.NewReader(in.Data), in.Name)
	runs := map[side]int{}
	for reader.Scan() {
		switch r := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			if strings.HasPrefix(r.Msg, "metadata ") || r.Msg == "expected key=value" || r.Msg == "missing unit" { // of a line about a unit
				return rec, fmt.Errorf("%s:%d: %s", in.Name, r.Line, r.Msg)
			}
			return rec, fmt.Errorf("%s:%d: %s: %s", in.Name, r.Line, r.Msg, wantLine)
		case *benchfmt.UnitMetadata:
			if err := checkUnit(r); err != nil {
				_, line := r.Pos()
				return rec, fmt.Errorf("%s:%d: %w", in.Name, line, err)
			}
		case *benchfmt.Result:
			_, line := r.Pos()
			for i, v := range r.Values { // the reader leaves ns/op as it is where it is 0
				r.Values[i].Value, r.Values[i].Unit = benchunit.Tidy(v.Value, v.Unit)
			}
			if err := checkResult(r); err != nil {
				return rec, fmt.Errorf("%s:%d: %w", in.Name, line, err)
			}
			id := sideOf(r)
			if runs[id]++; runs[id] > maxRuns {
				return rec, fmt.Errorf("%s:%d: %s: more than %d runs of it", in.Name, line, r.Name, maxRuns)
			}
			rec.Results = append(rec.Results, r.Clone())
		}
	}
	if err := reader.Err(); err != nil {
		return rec, fmt.Errorf("%w: behind that line", err)
	}
	if len(rec.Results) == 0 {
		return rec, fmt.Errorf("%s: no benchmark in it, want what go test -bench or statespec bench writes", in.Name)
	}
	rec.Notes = failures(in)
	return rec, nil
}

const wantLine = "want a name, a count, and pairs of value and unit, as in BenchmarkHit 100 12.5 ns/op"

// checkResult says what is wrong with a line that has the right form.
func checkResult(r *benchfmt.Result) error {
	texts := []string{string(r.Name)}
	for _, c := range r.Config {
		texts = append(texts, c.Key, string(c.Value))
	}
	if r.Iters < 1 {
		return fmt.Errorf("%d iterations, want 1 and more", r.Iters)
	}
	seen := map[string]bool{}
	for _, v := range r.Values {
		switch {
		case math.IsNaN(v.Value) || math.IsInf(v.Value, 0):
			return fmt.Errorf("%v %s, want a finite number", v.Value, v.Unit)
		case v.Value < 0:
			return fmt.Errorf("%v %s, want 0 and more", v.Value, v.Unit)
		case v.Value != 0 && (v.Value < leastValue || v.Value > mostValue):
			return fmt.Errorf("%v %s, want 0 or a number from %v to %v", v.Value, v.Unit, leastValue, mostValue)
		case seen[v.Unit]:
			return fmt.Errorf("%s twice, want one value of each unit", v.Unit)
		}
		seen[v.Unit] = true
		texts = append(texts, v.Unit)
	}
	for _, t := range texts {
		if !printable(t) {
			return fmt.Errorf("%q, want printable UTF-8", t)
		}
	}
	return nil
}

// checkUnit refuses what a line about a unit may not say.
func checkUnit(u *benchfmt.UnitMetadata) error {
	known := map[string][]string{"better": {"lower", "higher"}, "assume": {"nothing", "exact"}}
	if want, ok := known[u.Key]; ok && !slices.Contains(want, u.Value) {
		return fmt.Errorf("%s=%s of unit %s, want %s", u.Key, u.Value, u.OrigUnit, strings.Join(want, " or "))
	}
	return nil
}

// printable says whether a text does nothing but be read.
func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) && r != '\t' || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
	})
}

// failures notes the lines by which go test says that something failed: what is
// missing then is missing for that reason.
func failures(in Input) []string {
	var notes []string
	line := 0
	for text := range bytes.Lines(in.Data) {
		line++
		for _, mark := range []string{"--- FAIL: ", "FAIL\t", "panic: "} {
			if bytes.HasPrefix(text, []byte(mark)) {
				notes = append(notes, fmt.Sprintf("%s:%d: the run failed: %.200q", in.Name, line, bytes.TrimSpace(text)))
			}
		}
	}
	if most := 5; len(notes) > most {
		notes = append(notes[:most], fmt.Sprintf("%s: %d more lines say that the run failed", in.Name, len(notes)-most))
	}
	return notes
}
