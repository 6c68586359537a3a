package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// Options say how to measure.
type Options struct {
	Open  func(context.Context, spec.Process) (*op.Client, error)
	Time  time.Duration // that each measurement should take
	Count int           // measurements of each benchmark
}

// A Measurement is one of a benchmark.
type Measurement struct {
	Benchmark Benchmark
	Times     int
	PerOp     float64 // nanoseconds, the floor taken off
	Floor     float64 // nanoseconds
}

// Unclaimed is why a benchmark is not made of a subject.
type Unclaimed struct{ What string }

func (u Unclaimed) Error() string { return u.What + " not claimed" }

// Run makes a benchmark as often as asked, each time of a new subject, and tells
// each measurement.
func Run(ctx context.Context, o Options, b Benchmark, tell func(Measurement) error) error {
	for range o.Count {
		if err := ctx.Err(); err != nil {
			return err
		}
		m, err := measure(ctx, o, b)
		if err != nil {
			return err
		}
		if err := tell(m); err != nil {
			return err
		}
	}
	return nil
}

func measure(ctx context.Context, o Options, b Benchmark) (m Measurement, err error) {
	s, err := o.Open(ctx, spec.Process{})
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if what := b.unclaimed(s.Hello()); what != "" {
		return m, Unclaimed{what}
	}
	const part = 1000 // calls that a line may carry
	for calls := range slices.Chunk(b.setUp(), part) {
		r, err := s.Ask(op.Call{Method: "batch", Params: op.Params{Calls: calls}})
		if err != nil {
			return m, err
		}
		for i, a := range r.Answers {
			if a.Error != nil {
				return m, fmt.Errorf("before %s: %s: %w", b.Name, calls[i], a.Error)
			}
		}
	}
	for times := 1; ; {
		r, err := s.Ask(op.Call{Method: "bench", Params: op.Params{Calls: b.loop, Times: times}})
		if err != nil {
			return m, fmt.Errorf("%s: %w", b.Name, err)
		}
		if took := r.Timing.Took; took >= o.Time || times >= most {
			n := float64(times)
			return Measurement{b, times, max(0, float64(took-r.Timing.Floor)/n), float64(r.Timing.Floor) / n}, nil
		}
		times = next(times, r.Timing.Took, o.Time)
	}
}

// most is the most often that a loop is made.
const most = 100_000_000

// next is how often to make a loop that should take a time, by what it took.
func next(times int, took, want time.Duration) int {
	grow := 100.0
	if took > 0 {
		grow = min(grow, 1.2*float64(want)/float64(took))
	}
	return min(most, max(times+1, int(float64(times)*grow)))
}

func (b Benchmark) unclaimed(h spec.Hello) string {
	if !slices.Contains(h.Layers, spec.LayerManager) {
		return "layer manager"
	}
	for _, k := range b.Kinds {
		if !slices.ContainsFunc(h.Kinds, func(i spec.KindInfo) bool { return i.Kind == k }) {
			return "objects of kind " + string(k)
		}
	}
	for _, c := range b.Needs {
		if !slices.Contains(h.Can, c) {
			return "capability " + string(c)
		}
	}
	return ""
}

// WriteHead writes the lines of Go's benchmark format that say what was measured.
func WriteHead(w io.Writer, h spec.Hello) error {
	_, err := fmt.Fprintf(w, "goos: %s\ngoarch: %s\npkg: %s\nsubject: %s\nsubject-version: %s\nlanguage: %s\n",
		runtime.GOOS, runtime.GOARCH, line(h.Implementation), line(h.Name), line(h.Version), line(h.Language))
	return err
}

// line is a text that another program says of itself, on one line.
func line(s string) string { return strings.Join(strings.Fields(s), " ") }

// Write writes a measurement as a line of Go's benchmark format.
func Write(w io.Writer, m Measurement) error {
	_, err := fmt.Fprintf(w, "Benchmark%s \t%10d\t%12.1f ns/op\t%10.1f floor-ns/op\n", m.Benchmark.Name, m.Times, m.PerOp, m.Floor)
	return err
}
