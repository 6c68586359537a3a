package detect

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/faulty"
	"github.com/statespec/statespec/spec/run"
	"github.com/statespec/statespec/spec/verdict"
)

// Options say which faults to ask, and how.
type Options struct {
	// Command becomes a worker, as for [run.Options]; the variable faulty.Var in
	// its environment makes it one on the subject with that fault.
	Command []string

	Faults  []faulty.Fault
	Rows    []catalogue.Row // that have to be proven: those selected. Of each fault the whole suite is asked
	Seed    uint64
	Jobs    int           // faults asked side by side; 1 when 0
	Timeout time.Duration // of one request; a hang costs as much

	// Progress is told when a fault begins and when it is judged, from one
	// goroutine at a time. May be nil.
	Progress func(Progress)
}

// Progress is how far a detection is.
type Progress struct {
	Fault  string // that begins or was judged
	Judged int
	Of     int
}

// restarts of the workers of one fault: each that crashes or hangs a worker at
// every turn is still a verdict per row.
const restarts = 1000

// tries is how often a fault is asked while a row that it should break cannot be
// told: on a busy machine concurrent calls may not meet.
const tries = 3

// Run asks the suite of every fault. When ctx ends, so does it, with the faults
// judged so far.
func Run(ctx context.Context, o Options) Detection {
	began := time.Now()
	d := detection{o: o, found: make([]*Finding, len(o.Faults))}
	apart, done := run.Turns()
	defer done()
	d.env = append(apart, "GOGC=400") // little of what a suite allocates outlives its spec: collect less often
	turns := make(chan int)
	var workers sync.WaitGroup
	for range max(o.Jobs, 1) {
		workers.Go(func() {
			for i := range turns {
				d.ask(ctx, i)
			}
		})
	}
	for i := range o.Faults {
		turns <- i
	}
	close(turns)
	workers.Wait()
	return d.whole(time.Since(began))
}

// detection is one under way.
type detection struct {
	o   Options
	env []string // of every worker

	mu     sync.Mutex
	found  []*Finding // by fault; nil where it was not judged
	judged int
}

// ask asks one fault, unless there is nobody to hear of it any more.
func (d *detection) ask(ctx context.Context, i int) {
	if ctx.Err() != nil {
		return
	}
	f := d.o.Faults[i]
	d.tell(f.Name, 0)
	var found Finding
	for range tries {
		in := run.Run(ctx, run.Options{Command: d.o.Command, Env: slices.Concat(d.env, []string{faulty.Var + "=" + f.Name}),
			Rows: catalogue.All(), Seed: d.o.Seed, Timeout: d.o.Timeout, Restarts: new(restarts)})
		if in.Interrupted {
			return
		}
		if found = Judge(f, verdict.Fold(in)); !found.undecided() {
			break
		}
	}
	d.mu.Lock()
	d.found[i] = &found
	d.mu.Unlock()
	d.tell(f.Name, 1)
}

func (d *detection) tell(fault string, judged int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.judged += judged
	if d.o.Progress != nil {
		d.o.Progress(Progress{fault, d.judged, len(d.o.Faults)})
	}
}

// whole folds what was found of each fault.
func (d *detection) whole(took time.Duration) Detection {
	out := Detection{Schema: Schema, Suite: catalogue.Suite, Seed: d.o.Seed, Faults: []Finding{}, Seconds: took.Seconds()}
	for _, f := range d.found {
		if f == nil {
			out.Incomplete = true
			continue
		}
		out.Faults = append(out.Faults, *f)
	}
	out.Unproven = Unproven(d.o.Rows, out.Faults)
	out.Digest = digest(out.Faults)
	out.Exit = out.exit()
	return out
}
