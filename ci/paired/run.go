package paired

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
)

// Options say how long to measure.
type Options struct {
	Count int           // lines of each variant
	First int           // lines made before, in other processes: orders go on where theirs ended
	Time  time.Duration // of each variant within a line, in slices of Slice
	Slice time.Duration // instead of the benchmarks' own, where it is not 0
	// Progress is told how far a benchmark is, of 1. May be nil.
	Progress func(Benchmark, float64)
	// Skip is told of a variant that cannot be measured here.
	Skip func(name string, why error)
}

// DefaultSlice is long enough for the clock, and short enough that a machine is as
// fast for one slice as it is for the next.
const DefaultSlice = 2 * time.Millisecond

// A Line is one measurement of a variant: the middle of its rounds.
type Line struct {
	Name  string  // Hit/impl=statespec/sessions=64
	Times int     // operations, of all rounds
	PerOp float64 // ns
	// Ratio is to the control, the middle of the rounds' ratios. 0 of a control and
	// where there is none.
	Ratio float64
	// Counted is of one operation; nil where nothing was counted.
	Counted *Counted
	Units   map[string]float64
}

// alive is a variant that was set up.
type alive struct {
	Variant
	name    string
	body    *Body
	times   int           // operations in a slice
	slice   time.Duration // what they took
	counted *Counted
	perOp   []float64 // ns, of a line's rounds
}

// Run measures a benchmark and tells each line. Variants that are Unavailable are
// told to Skip; without the control there are no ratios. The error is of a body.
func Run(ctx context.Context, b Benchmark, o Options, tell func(Line) error) (err error) {
	slice := cmp.Or(o.Slice, b.Slice, DefaultSlice)
	variants, err := setUp(ctx, b, o)
	defer func() {
		for _, v := range variants {
			if v.body.Close != nil {
				err = errors.Join(err, v.body.Close())
			}
		}
	}()
	if err != nil || len(variants) == 0 {
		return err
	}
	gc := takeOver()
	defer gc.giveBack()
	for _, warm := range []bool{false, true} { // the second time memory is there, and caches are warm
		for _, v := range variants {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := v.prepare(slice, warm); err != nil {
				return fmt.Errorf("%s: %w", v.name, err)
			}
			gc.collect()
		}
	}
	equalise(variants)
	of := rounds(variants, max(o.Time, leastRounds*slice), slice)
	order := newOrders(len(variants))
	for range o.First * of {
		order.next()
	}
	for line := range o.Count {
		for round := range of {
			if err := ctx.Err(); err != nil {
				return err
			}
			if o.Progress != nil {
				o.Progress(b, (float64(line)+float64(round)/float64(of))/float64(o.Count))
			}
			for _, k := range order.next() {
				v := variants[k]
				took, err := v.time(v.times)
				if err != nil {
					return fmt.Errorf("%s: %w", v.name, err)
				}
				v.perOp = append(v.perOp, float64(took)/float64(v.times))
				gc.collect()
			}
		}
		if err := tellLine(variants, tell); err != nil {
			return err
		}
	}
	return nil
}

func setUp(ctx context.Context, b Benchmark, o Options) (variants []*alive, err error) {
	for _, v := range b.Variants {
		name := b.full(v)
		body, err := v.SetUp(ctx)
		if why, is := errors.AsType[Unavailable](err); is {
			if o.Skip != nil {
				o.Skip(name, why)
			}
			continue
		}
		if err != nil {
			return variants, fmt.Errorf("%s: %w", name, err)
		}
		variants = append(variants, &alive{Variant: v, name: name, body: body})
	}
	return variants, nil
}

// rounds are as many as the time of a line has slices for. Where an operation takes
// longer than a slice they are fewer: one, if it takes the time of all of them.
func rounds(variants []*alive, time, slice time.Duration) int {
	longest := slice
	for _, v := range variants {
		longest = max(longest, v.slice)
	}
	return max(1, int(time/longest))
}

// long is how many slices an operation may have to be made more often than it must.
const long = 50

// leastRounds are in a line, but of operations that are longer than a slice.
const leastRounds = 3

// equalise has variants that take about as long as each other make as many operations
// in a slice: who makes more of them touches more memory, which may be fresh, and
// fresh memory is the slowest there is.
func equalise(variants []*alive) {
	least := variants[0].times
	for _, v := range variants {
		least = min(least, v.times)
	}
	for _, v := range variants {
		if v.times <= 2*least {
			v.slice = v.slice * time.Duration(least) / time.Duration(v.times)
			v.times = least
		}
	}
}

// prepare calibrates a variant, and counts what it allocates once it is warm. An
// operation of many slices is not made once more for that.
func (v *alive) prepare(slice time.Duration, warm bool) (err error) {
	if warm && v.times == 1 && v.slice > long*slice {
		return nil
	}
	if err = v.calibrate(slice); err == nil && warm {
		v.counted, err = v.count()
	}
	return err
}

// time makes n operations.
func (v *alive) time(n int) (time.Duration, error) {
	if v.body.Timed != nil {
		return v.body.Timed(n)
	}
	start := time.Now()
	err := v.body.Run(n)
	return time.Since(start), err
}
