package regress_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchproc"

	"github.com/statespec/statespec/ci/regress"
)

func read(old, new string) (regress.Files, error) {
	return regress.Read(regress.Input{Name: "old.txt", Data: []byte(old)}, regress.Input{Name: "new.txt", Data: []byte(new)}, nil)
}

const good = "BenchmarkHit 100 12.5 ns/op\n"

func TestMalformedInputIsRefusedWithItsLine(t *testing.T) {
	for _, row := range []struct{ name, text, says string }{
		{"nothing", "", "new.txt: no benchmark in it"},
		{"other text", "hello\n", "new.txt: no benchmark in it"},
		{"no count", good + "BenchmarkHit x 1 ns/op\n", "new.txt:2: parsing iteration count"},
		{"no measurement", "\n\nBenchmarkHit 100\n", "new.txt:3: missing measurements: want a name, a count"},
		{"no unit", "BenchmarkHit 100 12.5\n", "new.txt:1: missing units"},
		{"a unit for a number", "BenchmarkHit 100 ns/op 12.5\n", "new.txt:1: parsing measurement"},
		{"not a number", good + "BenchmarkHit 100 NaN ns/op\n", "new.txt:2: NaN sec/op, want a finite number"},
		{"infinity", "BenchmarkHit 100 +Inf ns/op\n", "new.txt:1: +Inf sec/op, want a finite number"},
		{"below 0", "BenchmarkHit 100 -1 ns/op\n", "want 0 and more"},
		{"more than anything measures", good + "BenchmarkHit 100 1e300 B/op\n", "new.txt:2: 1e+300 B/op, want 0 or a number from 1e-60 to 1e+60"},
		{"less than anything measures", "BenchmarkHit 100 1e-60 ns/op\n", "sec/op, want 0 or a number from 1e-60 to 1e+60"},
		{"no iterations", "BenchmarkHit 0 1 ns/op\n", "new.txt:1: 0 iterations, want 1 and more"},
		{"a unit twice", "BenchmarkHit 1 1 ns/op 2 ns/op\n", "new.txt:1: sec/op twice"},
		{"a unit twice once tidy", "BenchmarkHit 1 1 ns/op 2 sec/op\n", "new.txt:1: sec/op twice"},
		{"an escape in a name", "BenchmarkHit\x1b[31m 1 1 ns/op\n", `new.txt:1: "Hit\x1b[31m", want printable UTF-8`},
		{"a text that runs backwards", "pkg: \u202e\n" + good, "new.txt:2:"},
		{"bytes that are no text", "BenchmarkHit 1 1 ns\xff\n", "want printable UTF-8"},
		{"a unit that is better some way", "Unit x better=bigger\n" + good, "new.txt:1: better=bigger of unit x, want lower or higher"},
		{"units that disagree", "Unit ns/op better=higher\n" + good, "new.txt:1: metadata better of unit ns/op already set to lower"},
		{"a line without end", good + strings.Repeat("x", 1<<17), "new.txt:1: bufio.Scanner: token too long: behind that line"},
		{"more than there can be", strings.Repeat(good, 10_001), "new.txt:10001: Hit: more than 10000 runs"},
		{"more bytes than there can be", strings.Repeat(" ", regress.MaxInput+1), "new.txt: more than 33554432 bytes"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := read("Unit ns/op better=lower\n"+good, row.text)
			if err == nil || !strings.Contains(err.Error(), row.says) {
				t.Errorf("Read = %v, want %q in it", err, row.says)
			}
		})
	}
}

// The library leaves the unit of a 0 as it was written.
func TestAValueOfZeroHasTheUnitOfTheOthers(t *testing.T) {
	f, err := read(good, "BenchmarkHit 1 0 ns/op\nBenchmarkHit 1 5 ns/op\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := values(f.New, "sec/op")["Hit"]; len(got) != 2 || got[0] != 0 {
		t.Errorf("sec/op = %v, want 0 and 5e-09", got)
	}
}

func TestBothFilesAreComplainedOfAtOnce(t *testing.T) {
	_, err := read("BenchmarkA 1\n", "BenchmarkB 1\n")
	if err == nil || !strings.Contains(err.Error(), "old.txt:1: ") || !strings.Contains(err.Error(), "new.txt:1: ") {
		t.Errorf("Read = %v, want a line of each file", err)
	}
}

// values lists what a recording has of a unit, by name.
func values(r regress.Recording, unit string) map[string][]float64 {
	all := map[string][]float64{}
	for _, res := range r.Results {
		if v, ok := res.Value(unit); ok {
			all[string(res.Name)] = append(all[string(res.Name)], v)
		}
	}
	return all
}

func TestABenchmarkGetsItsRatioToTheControlThatFitsBest(t *testing.T) {
	f, err := read(good, `pkg: a
BenchmarkRing/frames=2/impl=statespec-2 1 6 ns/op
BenchmarkRing/frames=2/impl=control-2 1 3 ns/op
BenchmarkRing/impl=control-2 1 1 ns/op
BenchmarkRing/frames=4/impl=statespec-2 1 5 ns/op
BenchmarkRing/frames=2/impl=statespec-2 1 8 ns/op
BenchmarkRing/frames=2/impl=control-2 1 2 ns/op
BenchmarkRing/frames=2/impl=statespec-4 1 8 ns/op
BenchmarkOwn/impl=statespec-2 1 8 ns/op 7 x/control
BenchmarkOwn/impl=control-2 1 2 ns/op
BenchmarkLost/impl=statespec-2 1 8 ns/op
BenchmarkLost/impl=statespec-2 1 8 ns/op
BenchmarkLost/impl=control-2 1 2 ns/op
pkg: b
BenchmarkRing/frames=2/impl=statespec-2 1 6 ns/op
`)
	if err != nil {
		t.Fatal(err)
	}
	got := values(f.New, "x/control")
	for name, want := range map[string][]float64{
		"Ring/frames=2/impl=statespec-2": {2, 4}, // run by run; none of the package b
		"Ring/frames=4/impl=statespec-2": {5},    // the control without frames
		"Ring/frames=2/impl=statespec-4": nil,    // the control ran on 2 processors
		"Own/impl=statespec-2":           {7},    // as it measured itself
		"Lost/impl=statespec-2":          nil,
	} {
		if len(got[name]) != len(want) {
			t.Errorf("%s x/control = %v, want %v", name, got[name], want)
			continue
		}
		for i := range want {
			if d := got[name][i] - want[i]; d > 1e-9 || d < -1e-9 {
				t.Errorf("%s x/control = %v, want %v", name, got[name], want)
			}
		}
	}
	if notes := strings.Join(f.New.Notes, "\n"); !strings.Contains(notes, "new.txt: 2 runs of Lost/impl=statespec-2 and 1 of its control Lost/impl=control-2 make no pairs") {
		t.Errorf("notes = %q, want what has no pairs", notes)
	}
}

// One file may have several subjects, each with controls of its own.
func TestAControlIsOfTheSameSubject(t *testing.T) {
	hit, control := "BenchmarkHit/impl=statespec 1 %d ns/op\n", "BenchmarkHit/impl=control 1 %d ns/op\n"
	text := "subject: a\n" + fmt.Sprintf(hit+control+hit+control, 10, 10, 10, 10) +
		"subject: b\n" + fmt.Sprintf(hit+hit+control, 400, 400, 100)
	f, err := read(good, text)
	if err != nil {
		t.Fatal(err)
	}
	if got := values(f.New, "x/control")["Hit/impl=statespec"]; !slices.Equal(got, []float64{1, 1}) {
		t.Errorf("x/control = %v, want 1 twice, of the subject a alone", got)
	}
	if notes := strings.Join(f.New.Notes, "\n"); !strings.Contains(notes, "2 runs of Hit/impl=statespec and 1 of its control") {
		t.Errorf("notes = %q, want what has no pairs", notes)
	}
}

func TestAFilterLeavesTheRatioWhereTheControlGoes(t *testing.T) {
	filter, err := benchproc.NewFilter("/impl:statespec .unit:x/control")
	if err != nil {
		t.Fatal(err)
	}
	in := regress.Input{Name: "a.txt", Data: []byte("BenchmarkHit/impl=statespec 1 6 ns/op\nBenchmarkHit/impl=control 1 3 ns/op\n")}
	f, err := regress.Read(in, in, filter)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Old.Results) != 1 || len(f.Old.Results[0].Values) != 1 || values(f.Old, "x/control")["Hit/impl=statespec"][0] < 1.99 {
		t.Errorf("what the filter leaves = %v, want the ratio alone", f.Old.Results)
	}
}
