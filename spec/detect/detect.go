package detect

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/statespec/statespec/spec"
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

	// Brief asks the rows of several callers only of the faults that break one of
	// them. They go one after the other, and are two fifths of the time.
	Brief bool

	// Progress is told when a run begins and when it ends, from one goroutine at
	// a time. May be nil.
	Progress func(Progress)
}

// Progress is how far a detection is. A fault is run once or twice.
type Progress struct {
	Fault string // whose run begins or ends
	Ended int    // runs
	Of    int
}

// restarts of the workers of one run: a fault that crashes or hangs a worker at
// every turn is still a verdict per row.
const restarts = 1000

// tries is how often a fault is run while a row that it should break cannot be
// told: on a busy machine concurrent calls may not meet.
const tries = 3

// lotFor is how many faults a job has of a lot: enough that jobs seldom wait for each
// other at its end, and few enough that whoever interrupts has most of what was asked.
const lotFor = 16

// Run asks the suite of every fault. When ctx ends, so does it, with the faults
// judged so far.
//
// It takes the faults by lots, and goes through each lot twice: for the rows of one
// caller with as many side by side as there are jobs, and for those of several callers
// with half as many. Callers that wait for each other keep their processors, so that
// two races at once take longer on two of them than one after the other, and meet less
// often.
func Run(ctx context.Context, o Options) Detection {
	began := time.Now()
	d := &detection{o: o, inputs: make([]verdict.Input, len(o.Faults)), runs: make([]int, len(o.Faults)), due: make([]int, len(o.Faults))}
	one, several := split(catalogue.All())
	jobs := max(o.Jobs, 1)
	all := make([]int, len(o.Faults))
	for i, f := range o.Faults {
		all[i], d.due[i] = i, 1
		if !o.Brief || slices.ContainsFunc(several, func(r catalogue.Row) bool { return slices.Contains(f.Rows(), r.ID) }) {
			d.due[i]++
		}
	}
	for lot := range slices.Chunk(all, lotFor*jobs) {
		d.pass(ctx, lot, one, jobs, "GOMAXPROCS=1") // nothing to do side by side: do not look for it
		d.pass(ctx, slices.DeleteFunc(lot, func(i int) bool { return d.due[i] < 2 }), several, max(jobs/2, 1))
	}
	return d.whole(time.Since(began))
}

// split tells the rows that have several callers at once from the others.
func split(rows []catalogue.Row) (one, several []catalogue.Row) {
	for _, r := range rows {
		if slices.Contains(r.Needs, spec.CanRace) {
			several = append(several, r)
		} else {
			one = append(one, r)
		}
	}
	return one, several
}

// detection is one under way.
type detection struct {
	o Options

	mu     sync.Mutex
	inputs []verdict.Input // by fault: of its runs so far, together
	runs   []int           // by fault: that ended
	due    []int           // by fault: runs that there are to be
	ended  int             // of all faults
}

// pass asks some rows of some faults, by their index, of workers with more in
// their environment.
func (d *detection) pass(ctx context.Context, faults []int, rows []catalogue.Row, jobs int, env ...string) {
	turns := make(chan int)
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			for i := range turns {
				d.ask(ctx, i, rows, env)
			}
		})
	}
	for _, i := range faults {
		turns <- i
	}
	close(turns)
	workers.Wait()
}

// ask asks some rows of one fault, unless there is nobody to hear of it any more.
func (d *detection) ask(ctx context.Context, i int, rows []catalogue.Row, env []string) {
	f := d.o.Faults[i]
	d.tell(f.Name, 0)
	for try := 1; ctx.Err() == nil; try++ {
		// Little of what a suite allocates outlives its spec: collect less often.
		in := run.Run(ctx, run.Options{Command: d.o.Command, Env: append([]string{faulty.Var + "=" + f.Name, "GOGC=400"}, env...),
			Rows: rows, Seed: d.o.Seed, Timeout: d.o.Timeout, Restarts: new(restarts)})
		if !in.Interrupted && (try == tries || !Judge(f, verdict.Fold(in)).undecided()) {
			d.add(i, in)
			break
		}
	}
	d.tell(f.Name, 1)
}

// add puts what a run gave to what an earlier one of the fault gave.
func (d *detection) add(i int, in verdict.Input) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if all := d.inputs[i]; d.runs[i] > 0 {
		for row, n := range all.Specs {
			in.Specs[row] = n
		}
		in.Outcomes = slices.Concat(all.Outcomes, in.Outcomes)
		in.Faults = slices.Concat(all.Faults, in.Faults)
		if all.NoSubject != "" {
			in.NoSubject = all.NoSubject
		}
		in.Selected = nil // every row
	}
	d.inputs[i] = in
	d.runs[i]++
}

func (d *detection) tell(fault string, ended int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ended += ended
	if d.o.Progress != nil {
		of := 0
		for _, n := range d.due {
			of += n
		}
		d.o.Progress(Progress{fault, d.ended, of})
	}
}

// whole folds what was found of each fault.
func (d *detection) whole(took time.Duration) Detection {
	out := Detection{Schema: Schema, Suite: catalogue.Suite, Seed: d.o.Seed, Brief: d.o.Brief, Faults: []Finding{}, Seconds: took.Seconds()}
	for i, f := range d.o.Faults {
		if d.runs[i] < d.due[i] {
			out.Incomplete = true
			continue
		}
		out.Faults = append(out.Faults, Judge(f, verdict.Fold(d.inputs[i])))
	}
	out.Unproven = Unproven(d.o.Rows, out.Faults)
	out.Digest = digest(out.Faults)
	out.Exit = out.exit()
	return out
}
