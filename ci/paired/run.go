package paired

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Options say how long to measure.
type Options struct {
	Count int           // lines of each variant
	Time  time.Duration // of each variant within a line, in slices of Slice
	Slice time.Duration // DefaultSlice when 0
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
	// Allocs and Bytes are of one operation; nil where they were not counted.
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
	if o.Slice <= 0 {
		o.Slice = DefaultSlice
	}
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
	for _, v := range variants {
		if err := ctx.Err(); err != nil {
			return err
		}
		gc.collect()
		if err := v.calibrate(o.Slice); err != nil {
			return fmt.Errorf("%s: %w", v.name, err)
		}
		if v.counted, err = v.count(); err != nil {
			return fmt.Errorf("%s: %w", v.name, err)
		}
	}
	turn, of := 0, rounds(variants, o)
	for line := range o.Count {
		for round := range of {
			if err := ctx.Err(); err != nil {
				return err
			}
			if o.Progress != nil {
				o.Progress(b, (float64(line)+float64(round)/float64(of))/float64(o.Count))
			}
			for k := range variants {
				v := variants[(k+turn)%len(variants)]
				took, err := v.time(v.times)
				if err != nil {
					return fmt.Errorf("%s: %w", v.name, err)
				}
				v.perOp = append(v.perOp, float64(took)/float64(v.times))
				gc.collect()
			}
			turn++
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

// rounds are as many as the time of a line has slices for: one, where an operation
// takes longer than that.
func rounds(variants []*alive, o Options) int {
	longest := o.Slice
	for _, v := range variants {
		longest = max(longest, v.slice)
	}
	return max(1, int(o.Time/longest))
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
