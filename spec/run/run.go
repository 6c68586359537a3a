package run

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/op"
	"github.com/statespec/statespec/spec/verdict"
)

// Options says what to run and how. The zero value of each but Command and Rows
// is a sensible choice.
type Options struct {
	// Command is the binary that becomes a worker, with its arguments; it calls
	// [WorkIfAsked]. Env is added to this process's environment.
	Command []string
	Env     []string

	Rows     []catalogue.Row // the selected rows; those that are not asked yet are left alone
	Seed     uint64          // of whatever specs generate
	Device   string          // of the subject's, where tensors are made; its own choice when empty
	Jobs     int             // workers side by side; 1 when 0
	Timeout  time.Duration   // of one request; 10 s when 0
	Limit    time.Duration   // of one spec; when 0, what a start and one long request may take
	Restarts *int            // workers that may die and be replaced before the run gives up; 10 when nil

	// Reproduce is the command that runs one row again.
	Reproduce func(row string) string

	// Keep makes a file for something that a spec kept, one that did not hold or,
	// with KeepAll, any; working files are kept with KeepAll alone. It is called
	// from one goroutine at a time, with a name once: slashes are in it, as in
	// "artefacts/EVI-13.linearizable/history.html". Nil keeps nothing.
	Keep    func(name string) (io.WriteCloser, error)
	KeepAll bool

	// Progress is told when a spec begins, from one goroutine at a time. May be
	// nil.
	Progress func(Progress)
}

// Progress is how far a run is.
type Progress struct {
	Row     string // of the spec that begins
	Ended   int    // specs
	Planned int    // specs, as far as known
}

// What Options are when they do not say.
const (
	DefaultTimeout  = op.DefaultDeadline
	DefaultRestarts = 10
)

func (o Options) withDefaults() Options {
	if o.Jobs <= 0 {
		o.Jobs = 1
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Limit <= 0 {
		o.Limit = 2 * op.Longer * o.Timeout // a start, and a long request
	}
	if o.Restarts == nil {
		o.Restarts = new(DefaultRestarts)
	}
	if o.Reproduce == nil {
		o.Reproduce = func(string) string { return "" }
	}
	return o
}

// Run runs the specs of the selected rows, and returns what a verdict.Input
// needs of it. When ctx ends, so does the run, with what there is.
func Run(ctx context.Context, o Options) verdict.Input {
	o = o.withDefaults()
	r := &collector{o: o, specs: map[string]int{}, kept: map[string]bool{}}
	var ids []string
	for _, row := range o.Rows {
		if row.AskedIn(catalogue.Suite) {
			ids = append(ids, row.ID)
		}
	}
	var workers sync.WaitGroup
	for i := range o.Jobs {
		if part := share(ids, i, o.Jobs); len(part) > 0 {
			workers.Go(func() { r.finish(ctx, part) })
		}
	}
	workers.Wait()
	return r.input(ctx)
}

// share is the i-th of n parts of some rows, dealt in turn so that slow families
// are spread.
func share(ids []string, i, n int) (part []string) {
	for j := i; j < len(ids); j += n {
		part = append(part, ids[j])
	}
	return part
}

// collector gathers what all workers stream.
type collector struct {
	o Options

	mu        sync.Mutex
	hello     *spec.Hello
	outcomes  []verdict.Outcome
	specs     map[string]int // planned, by row
	faults    []string
	noSubject string
	deaths    int
	kept      map[string]bool // names of files
}

func (r *collector) input(ctx context.Context) verdict.Input {
	selected := map[string]bool{}
	for _, row := range r.o.Rows {
		selected[row.ID] = true
	}
	return verdict.Input{
		Rows: catalogue.All(), Selected: func(row catalogue.Row) bool { return selected[row.ID] },
		Outcomes: r.outcomes, Specs: r.specs,
		SuiteVersion: catalogue.Suite, Subject: r.hello, Seed: r.o.Seed, Device: r.o.Device,
		Environment: verdict.Surroundings(os.Environ(), verdict.Harmless),
		Interrupted: ctx.Err() != nil, NoSubject: r.noSubject, Faults: r.faults,
	}
}

// finish runs one worker after the other until every spec of some rows has
// ended, or nothing more can be hoped for.
func (r *collector) finish(ctx context.Context, ids []string) {
	var done []string
	for ctx.Err() == nil {
		w := &watch{r: r, done: done}
		end := w.worker(ctx, job{Rows: ids, Done: done, Seed: r.o.Seed, Device: r.o.Device, Timeout: r.o.Timeout, Keep: r.o.keeping()})
		if done = w.done; end == complete || end == hopeless || ctx.Err() != nil {
			return
		}
		if end == died && !r.mayRestart() {
			return
		}
	}
}

// mayRestart counts the death of a worker against the budget.
func (r *collector) mayRestart() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.deaths++
	if r.deaths <= *r.o.Restarts {
		return true
	}
	if r.noSubject == "" {
		r.noSubject = fmt.Sprintf("%d workers died, and no more than %d restarts were allowed", r.deaths, *r.o.Restarts)
	}
	return false
}

// took folds one event into what is known.
func (r *collector) took(e event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch e.Event {
	case hello:
		if r.hello == nil {
			r.hello = e.Hello
		}
	case noSubject:
		r.noSubject = e.Text
	case fault:
		r.fault(e.Text)
	case planned:
		for row, n := range e.Planned {
			r.specs[row] = n
		}
	case ended:
		e.Outcome.Reproduce = r.o.Reproduce(e.Outcome.Row)
		r.keep(e.Outcome, e.Files)
		r.outcomes = append(r.outcomes, *e.Outcome)
	}
	if e.Event == begin && r.o.Progress != nil {
		r.o.Progress(Progress{e.Row, len(r.outcomes), r.planned()})
	}
}

func (r *collector) fault(text string) {
	if !slices.Contains(r.faults, text) {
		r.faults = append(r.faults, text)
	}
}

func (r *collector) planned() (n int) {
	for _, row := range r.o.Rows {
		n += r.specs[row.ID]
	}
	return n
}

// command is the process that becomes a worker. Built with the race detector, it
// ends at the first race: else the report would be lost, and the spec that ran
// would pass.
func (r *collector) command() *exec.Cmd {
	cmd := exec.Command(r.o.Command[0], r.o.Command[1:]...)
	cmd.Env = append(append(os.Environ(), r.o.Env...), WorkerVar+"=1",
		"GORACE="+strings.TrimSpace(os.Getenv("GORACE")+" halt_on_error=1"))
	return cmd
}
