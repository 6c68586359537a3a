package benchmarks_test

import (
	"errors"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/statespec/statespec/ci/benchmarks"
	"github.com/statespec/statespec/ci/paired"
	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/reference/subject"
)

// serveVar makes this binary a driver, as statespec serve is.
const serveVar = "STATESPEC_BENCH_SERVE"

func TestMain(m *testing.M) {
	if os.Getenv(serveVar) != "" {
		driver.Main(subject.New)
	}
	os.Exit(m.Run())
}

// These are the bodies as go test -bench measures them, for profiles and for tools;
// statespec bench measures them in turns with their controls.

func BenchmarkHit(b *testing.B)              { bench(b, "Hit") }
func BenchmarkMissWithEviction(b *testing.B) { bench(b, "MissWithEviction") }
func BenchmarkHitFromTwo(b *testing.B)       { bench(b, "HitFromTwo") }
func BenchmarkMissFromTwo(b *testing.B)      { bench(b, "MissFromTwo") }
func BenchmarkHitGrowth(b *testing.B)        { bench(b, "HitGrowth") }
func BenchmarkAttrRead(b *testing.B)         { bench(b, "AttrRead") }
func BenchmarkAttrWrite(b *testing.B)        { bench(b, "AttrWrite") }
func BenchmarkStats(b *testing.B)            { bench(b, "Stats") }
func BenchmarkStatsGrowth(b *testing.B)      { bench(b, "StatsGrowth") }
func BenchmarkRing(b *testing.B)             { bench(b, "Ring") }
func BenchmarkEncoderStep(b *testing.B)      { bench(b, "EncoderStep") }
func BenchmarkEncoderStepCopies(b *testing.B) {
	bench(b, "EncoderStepCopies")
}
func BenchmarkEncoderStepGrowth(b *testing.B) {
	bench(b, "EncoderStepGrowth")
}
func BenchmarkFrames(b *testing.B)    { bench(b, "Frames") }
func BenchmarkCompare(b *testing.B)   { bench(b, "Compare") }
func BenchmarkReadArray(b *testing.B) { bench(b, "ReadArray") }
func BenchmarkRequest(b *testing.B)   { bench(b, "Request") }
func BenchmarkTrace(b *testing.B)     { bench(b, "Trace") }
func BenchmarkSession(b *testing.B)   { bench(b, "Session") }

// bench runs the benchmarks of a name, which may have parts of it in their own.
func bench(b *testing.B, name string) {
	b.Setenv(serveVar, "1")
	o := benchmarks.Options{Statespec: []string{os.Args[0]}, Long: strings.HasSuffix(name, "Growth")}
	if python, err := exec.LookPath("python3"); err == nil {
		o.Python = []string{python, "../../driver/python/statespec_driver.py", "--target", "manager"}
	}
	for _, benchmark := range benchmarks.List(o) {
		base, parts, _ := strings.Cut(benchmark.Name, "/")
		if base != name {
			continue
		}
		for _, v := range benchmark.Variants {
			b.Run(strings.TrimPrefix(parts+"/"+v.Name, "/"), func(b *testing.B) { run(b, v) })
		}
	}
}

func run(b *testing.B, v paired.Variant) {
	body, err := v.SetUp(b.Context())
	if why, is := errors.AsType[paired.Unavailable](err); is {
		b.Skip(why)
	}
	if err != nil {
		b.Fatal(err)
	}
	if body.Close != nil {
		defer body.Close()
	}
	b.ReportAllocs()
	if body.Timed != nil {
		took := time.Duration(0)
		for b.Loop() {
			one, err := body.Timed(1)
			if err != nil {
				b.Fatal(err)
			}
			took += one
		}
		b.ReportMetric(float64(took.Nanoseconds())/float64(b.N), "ns/op")
		return
	}
	for b.Loop() {
		if err := body.Run(1); err != nil { // a call, 2 ns, is part of it here
			b.Fatal(err)
		}
	}
	if body.Units != nil {
		units, err := body.Units()
		if err != nil {
			b.Fatal(err)
		}
		for unit, value := range units {
			b.ReportMetric(value, unit)
		}
	}
}

func TestTheListIsSound(t *testing.T) {
	if err := paired.Check(benchmarks.Everything()); err != nil {
		t.Fatal(err)
	}
}

// A benchmark that go test does not know could not be profiled. Conformance takes
// the command itself.
func TestEveryBenchmarkIsOneOfGoTest(t *testing.T) {
	source, err := os.ReadFile("bench_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var known []string
	for _, m := range regexp.MustCompile(`func Benchmark(\w+)\(b \*testing\.B\)`).FindAllStringSubmatch(string(source), -1) {
		known = append(known, m[1])
	}
	for _, b := range benchmarks.Everything() {
		if base, _, _ := strings.Cut(b.Name, "/"); base != "Conformance" && !slices.Contains(known, base) {
			t.Errorf("%s is no function of bench_test.go, want BenchmarkX for each", base)
		}
	}
}

// Every body does what it says: it fails by itself where what it measures answers
// otherwise.
func TestEveryBodyRuns(t *testing.T) {
	t.Setenv(serveVar, "1")
	for _, b := range benchmarks.List(benchmarks.Options{Statespec: []string{os.Args[0]}}) {
		if b.Name == "Conformance" { // takes the command itself
			continue
		}
		t.Run(b.Name, func(t *testing.T) {
			lines := map[string]paired.Line{}
			o := paired.Options{Count: 1, Time: time.Millisecond, Slice: time.Millisecond}
			if err := paired.Run(t.Context(), b, o, func(l paired.Line) error {
				lines[l.Name] = l
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			for name, l := range lines {
				if l.PerOp <= 0 || (l.Ratio > 0) == strings.Contains(name, "impl=control") {
					t.Errorf("%s: %v ns, %v of the control, want a time, and a ratio for all but the control", name, l.PerOp, l.Ratio)
				}
			}
		})
	}
}
