package paired_test

import (
	"context"
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/statespec/statespec/ci/paired"
)

// A machine is as fast as it is at a time that passes with what is measured on it.
type machine struct {
	now   time.Duration
	speed func(now time.Duration) float64
}

// takes is a body whose operations take so many ns where the speed is 1.
func (m *machine) takes(ns float64) func(context.Context) (*paired.Body, error) {
	return func(context.Context) (*paired.Body, error) {
		return &paired.Body{Timed: func(n int) (time.Duration, error) {
			took := time.Duration(ns * float64(n) / m.speed(m.now))
			m.now += took
			return took, nil
		}}, nil
	}
}

func lines(t *testing.T, b paired.Benchmark, o paired.Options) (got []paired.Line) {
	t.Helper()
	if err := paired.Run(t.Context(), b, o, func(l paired.Line) error {
		got = append(got, l)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return got
}

// A machine that becomes half as fast for seconds at a time changes every time, and no
// ratio by much.
func TestTheRatioIsTheSameOnAMachineWhoseSpeedChanges(t *testing.T) {
	m := &machine{speed: func(now time.Duration) float64 { return 1.5 + 0.5*math.Sin(now.Seconds()*3) }}
	b := paired.Benchmark{Name: "X", Doc: "x", Variants: []paired.Variant{
		{Name: "impl=new", SetUp: m.takes(105)}, {Name: "impl=control", SetUp: m.takes(100)},
	}}
	least, most := math.Inf(1), 0.0
	for _, l := range lines(t, b, paired.Options{Count: 20, Time: 50 * time.Millisecond}) {
		if l.Ratio == 0 {
			least, most = min(least, l.PerOp), max(most, l.PerOp)
			continue
		}
		if math.Abs(l.Ratio-1.05) > 0.005 {
			t.Errorf("ratio %v, want 1.05", l.Ratio)
		}
	}
	if most < 1.5*least {
		t.Errorf("the control took %v to %v ns: this machine's speed did not change", least, most)
	}
}

// turns are the rounds of so many variants, whose operations take so long, as they had
// their turns.
func turns(t *testing.T, variants int, takes time.Duration, o paired.Options) (rounds []string) {
	t.Helper()
	b, order := paired.Benchmark{Name: "X", Doc: "x"}, ""
	for i := range variants {
		name := string(rune('a' + i))
		b.Variants = append(b.Variants, paired.Variant{Name: name, SetUp: func(context.Context) (*paired.Body, error) {
			return &paired.Body{Timed: func(int) (time.Duration, error) {
				order += name
				return takes, nil
			}}, nil
		}})
	}
	lines(t, b, o)
	for round := range slices.Chunk([]byte(order), variants) { // those of calibration are no rounds
		rounds = append(rounds, string(round))
	}
	return rounds
}

// Who is first in a round, or behind a certain other, pays or saves something.
func TestEachIsAtEachPlaceAndBehindEachOtherEquallyOften(t *testing.T) {
	for variants := 2; variants <= 6; variants++ {
		const squares = 12
		rounds := turns(t, variants, 2*time.Millisecond, paired.Options{Count: 1, Time: time.Duration(squares*variants) * 2 * time.Millisecond})
		rounds = rounds[len(rounds)-squares*variants:]
		for square := range slices.Chunk(rounds, variants) {
			for place := range variants {
				at := map[byte]bool{}
				for _, round := range square {
					at[round[place]] = true
				}
				if len(at) != variants {
					t.Errorf("%d variants: %d of them are at place %d of %v, want each once", variants, len(at), place, square)
				}
			}
		}
		pairs, orders := map[string]int{}, map[string]bool{}
		for _, round := range rounds {
			orders[round] = true
			for i := range variants - 1 {
				pairs[round[i:i+2]]++
			}
		}
		for pair, n := range pairs {
			if n != squares || len(pairs) != variants*(variants-1) {
				t.Errorf("%d variants: %s %d times in %d rounds, want each pair %d times: %v", variants, pair, n, len(rounds), squares, pairs)
			}
		}
		if variants > 3 && len(orders) <= 2*variants {
			t.Errorf("%d variants: %d orders in %d rounds, want another square now and then", variants, len(orders), len(rounds))
		}
	}
}

// Ten lines may be of ten processes, and of one round each.
func TestLinesOfOtherProcessesGoOnWithTheOrders(t *testing.T) {
	first := map[byte]int{}
	for line := range 10 {
		rounds := turns(t, 5, time.Second, paired.Options{Count: 1, First: line, Time: time.Millisecond})
		first[rounds[len(rounds)-1][0]]++
	}
	for name, n := range first {
		if n != 2 || len(first) != 5 {
			t.Errorf("%c is first in %d of 10 lines, want each of 5 in two: %v", name, n, first)
		}
	}
}

func TestAnOperationLongerThanALineIsMadeOnce(t *testing.T) {
	m := &machine{speed: func(time.Duration) float64 { return 1 }}
	for _, l := range lines(t, paired.Benchmark{Name: "X", Doc: "x", Variants: []paired.Variant{
		{Name: "impl=new", SetUp: m.takes(1e9)}, {Name: "impl=control", SetUp: m.takes(100)},
	}}, paired.Options{Count: 2, Time: 50 * time.Millisecond}) {
		if l.Name == "X/impl=new" && l.Times != 1 {
			t.Errorf("made %d times, want once", l.Times)
		}
	}
}

// Of a loop the time of a loop that does nothing is taken off, which may leave nothing:
// what was waited for bounds how many operations are tried.
func TestOperationsThatSayTheyTookNoTimeAreNotMadeForEver(t *testing.T) {
	most := 0
	b := paired.Benchmark{Name: "X", Doc: "x", Variants: []paired.Variant{{Name: "impl=new", SetUp: func(context.Context) (*paired.Body, error) {
		return &paired.Body{Timed: func(n int) (time.Duration, error) {
			most = max(most, n)
			time.Sleep(time.Duration(n) * 10 * time.Microsecond)
			return 1, nil
		}}, nil
	}}}}
	lines(t, b, paired.Options{Count: 1, Time: time.Millisecond, Slice: time.Millisecond})
	if most < 10 || most > 10_000 {
		t.Errorf("%d operations of 10 µs, want about a slice of a millisecond", most)
	}
}

var sink []*[100]byte

func TestAllocationsAreCountedExactly(t *testing.T) {
	b := paired.Benchmark{Name: "X", Doc: "x", Variants: []paired.Variant{{Name: "impl=new", SetUp: func(context.Context) (*paired.Body, error) {
		return &paired.Body{Run: func(n int) error {
			for range n {
				sink = append(sink[:0], new([100]byte), new([100]byte), new([100]byte))
			}
			return nil
		}}, nil
	}}}}
	for range 5 {
		for _, l := range lines(t, b, paired.Options{Count: 1, Time: time.Millisecond}) {
			if l.Counted == nil || l.Counted.Allocs != 3 || l.Counted.Bytes != 336 {
				t.Errorf("counted %+v, want 3 allocations of 112 bytes each", l.Counted)
			}
		}
	}
}

func TestWhatCannotBeMeasuredIsToldAndTheRestIsMeasured(t *testing.T) {
	m := &machine{speed: func(time.Duration) float64 { return 1 }}
	closed := 0
	closing := func(context.Context) (*paired.Body, error) {
		b, _ := m.takes(100)(nil)
		b.Close = func() error { closed++; return nil }
		return b, nil
	}
	var skipped []string
	o := paired.Options{Count: 1, Time: time.Millisecond, Skip: func(name string, why error) { skipped = append(skipped, name+": "+why.Error()) }}
	b := paired.Benchmark{Name: "X", Doc: "x", Variants: []paired.Variant{
		{Name: "impl=new", SetUp: closing},
		{Name: "impl=other", SetUp: func(context.Context) (*paired.Body, error) { return nil, paired.Unavailable{Why: "no such thing"} }},
		{Name: "impl=control", SetUp: closing},
	}}
	if got := lines(t, b, o); len(got) != 2 || !slices.Equal(skipped, []string{"X/impl=other: no such thing"}) || closed != 2 {
		t.Errorf("%d lines, skipped %q, %d closed, want 2, one, 2", len(got), skipped, closed)
	}
	broken := errors.New("broken")
	b.Variants[1].SetUp = func(context.Context) (*paired.Body, error) { return nil, broken }
	if err := paired.Run(t.Context(), b, o, func(paired.Line) error { return nil }); !errors.Is(err, broken) || !strings.Contains(err.Error(), "X/impl=other") || closed != 3 {
		t.Errorf("Run with a broken variant = %v, %d closed, want its error and what was set up closed", err, closed)
	}
}

func TestLinesAreWhatGosToolsRead(t *testing.T) {
	var text strings.Builder
	err := errors.Join(
		paired.WriteHead(&text, "goos", "linux", "subject", "two\nlines", "language", ""),
		paired.Write(&text, paired.Line{Name: "X/impl=new/frames=2", Times: 12, PerOp: 3456.789, Ratio: 0.98765, Counted: &paired.Counted{Allocs: 2, Bytes: 48}, Units: map[string]float64{"bytes-held": 450560}}),
		paired.Write(&text, paired.Line{Name: "X/impl=control", Times: 12, PerOp: 12}),
	)
	if err != nil {
		t.Fatal(err)
	}
	r := benchfmt.NewReader(strings.NewReader(text.String()), "x")
	for i := 0; r.Scan(); i++ {
		b, ok := r.Result().(*benchfmt.Result)
		if !ok {
			t.Fatalf("%v in\n%s", r.Result(), text.String())
		}
		if i > 0 {
			continue
		}
		for unit, want := range map[string]float64{"x/control": 0.9877, "allocs/op": 2, "B/op": 48, "bytes-held": 450560, "sec/op": 3456.8e-9} {
			if got, _ := b.Value(unit); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s = %v, want %v", unit, got, want)
			}
		}
		if b.GetConfig("subject") != "two lines" || b.GetConfig("language") != "" {
			t.Errorf("config %v", b.Config)
		}
	}
}

// A ratio may be small: what is divided by a control of seconds.
func TestANumberHasFourDigitsThatSaySomething(t *testing.T) {
	for value, want := range map[float64]string{
		3456.789: "3456.8", 12.3456: "12.35", 0.98765: "0.9877", 0.0123456: "0.01235", 0.00123456: "0.001235", 0.0000412345: "4.123e-05", 7: "7",
	} {
		var text strings.Builder
		if err := paired.Write(&text, paired.Line{Name: "X/impl=new", Times: 1, PerOp: 5, Ratio: value}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), "\t"+want+" x/control") {
			t.Errorf("%v is written as %q, want %s", value, text.String(), want)
		}
		r := benchfmt.NewReader(strings.NewReader(text.String()), "x")
		r.Scan()
		b, ok := r.Result().(*benchfmt.Result)
		if !ok {
			t.Fatalf("%q is read as %v", text.String(), r.Result())
		}
		if got, _ := b.Value(paired.Ratio); math.Abs(got-value) > 0.0005*value {
			t.Errorf("%q is read as %v, want %v", text.String(), got, value)
		}
	}
}

// A baseline is for other machines too.
func TestAPortableLineHasNoTimes(t *testing.T) {
	var text strings.Builder
	for _, l := range []paired.Line{
		{Name: "X/impl=new", Times: 12, PerOp: 3456.789, Ratio: 0.5, Units: map[string]float64{"bytes-held": 7, "floor-ns/op": 3, "MB/s": 4}},
		{Name: "X/impl=control", Times: 12, PerOp: 12, Counted: &paired.Counted{Allocs: 1, Bytes: 16}},
		{Name: "Y/impl=new", Times: 12, PerOp: 12},
	} {
		if err := paired.WritePortable(&text, l); err != nil {
			t.Fatal(err)
		}
	}
	want := "BenchmarkX/impl=new\t        12\t0.5000 x/control\t7 bytes-held\nBenchmarkX/impl=control\t        12\t16 B/op\t1 allocs/op\n"
	if text.String() != want {
		t.Errorf("wrote\n%s, want\n%s", text.String(), want)
	}
}

func TestNoiseIsNamed(t *testing.T) {
	var of []paired.Line
	for i := range 10 {
		wide, narrow := 1+0.05*float64(i), 1+0.001*float64(i)
		of = append(of, paired.Line{Name: "wide", Ratio: wide}, paired.Line{Name: "narrow", Ratio: narrow}, paired.Line{Name: "control"})
	}
	if got := paired.TooNoisy(of); len(got) != 1 || got[0].Name != "wide" || !strings.Contains(got[0].String(), "too noisy") {
		t.Errorf("TooNoisy = %v, want wide", got)
	}
	if got := paired.TooNoisy(of[:9]); got != nil {
		t.Errorf("TooNoisy of three lines each = %v, want nothing", got)
	}
}

func TestTheControlOfWhatIsChosenStays(t *testing.T) {
	list := []paired.Benchmark{
		{Name: "X", Variants: []paired.Variant{{Name: "impl=new/n=1"}, {Name: "impl=new/n=2"}, {Name: "impl=control"}}},
		{Name: "Y", Variants: []paired.Variant{{Name: "impl=new"}, {Name: "impl=control"}}},
	}
	for only, want := range map[string]string{"n=2": "X/impl=new/n=2 X/impl=control", "^Y": "Y/impl=new Y/impl=control", "control": ""} {
		var names []string
		for _, b := range paired.Chosen(list, regexp.MustCompile(only)) {
			for _, v := range b.Variants {
				names = append(names, b.Name+"/"+v.Name)
			}
		}
		if got := strings.Join(names, " "); got != want || len(list[0].Variants) != 3 {
			t.Errorf("Chosen %s = %s, want %s, and the list as it was", only, got, want)
		}
	}
}

func TestAListWithAMistakeIsRefused(t *testing.T) {
	ok := func(context.Context) (*paired.Body, error) { return nil, nil }
	for says, b := range map[string]paired.Benchmark{
		"Doc":              {Name: "X", Variants: []paired.Variant{{Name: "a", SetUp: ok}}},
		"at least one":     {Name: "X", Doc: "x"},
		"one such name":    {Name: "X", Doc: "x", Variants: []paired.Variant{{Name: "a"}, {Name: "a"}}},
		"there is no cont": {Name: "X", Doc: "x", Variants: []paired.Variant{{Name: "a", Most: paired.AtMost(1)}}},
		"2 controls":       {Name: "X", Doc: "x", Variants: []paired.Variant{{Name: "impl=control"}, {Name: "impl=control/n=2"}}},
	} {
		if err := paired.Check([]paired.Benchmark{b}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("Check = %v, want an error with %q", err, says)
		}
	}
}
