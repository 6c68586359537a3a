package run

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"
	"github.com/onsi/gomega/format"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/suite"
	"github.com/statespec/statespec/spec/verdict"
)

// Register registers a suite's specs for an opener.
type Register func(suite.Open)

// A Source makes the opener of a worker's subjects, each of whose requests may take
// so long, and what ends it.
type Source func(timeout time.Duration) (open suite.Open, end func())

// Of is the source of a factory's subjects.
func Of(f spec.Factory) Source {
	return func(timeout time.Duration) (suite.Open, func()) { return driver.OpenWithin(f, timeout), func() {} }
}

// WorkIfAsked turns this process into a worker, and ends it, when [Run] started
// it.
func WorkIfAsked(from Source, register Register) {
	if os.Getenv(WorkerVar) == "" {
		return
	}
	os.Unsetenv(WorkerVar) // not for what the subject starts
	for _, fd := range []int{eventsFD, jobFD} {
		syscall.CloseOnExec(fd) // a child that kept them open would hide this process's end
	}
	var task job
	lifeline := os.NewFile(jobFD, "job")
	if err := json.NewDecoder(lifeline).Decode(&task); err != nil {
		fmt.Fprintln(os.Stderr, "statespec worker: its job is not understood:", err)
		os.Exit(int(verdict.OwnFault))
	}
	go func() { // the parent is gone: nobody waits for the rest
		io.Copy(io.Discard, lifeline)
		os.Exit(int(verdict.OwnFault))
	}()
	work(from, register, task, os.NewFile(eventsFD, "events"))
	os.Exit(0)
}

// work runs the specs of a job in this process, which may do so once, and
// streams events.
func work(from Source, register Register, task job, events io.Writer) {
	open, end := from(task.Timeout)
	open = open.On(task.Device)
	w := &worker{task: task, events: json.NewEncoder(events), met: map[string]int{}, close: end}
	if !w.greet(open) {
		return
	}
	gomega.RegisterFailHandler(ginkgo.Fail)
	format.TruncatedDiff = false // a report keeps what was seen, not where it first differed
	// Focused, so that a focused spec of the user's own in the same binary does
	// not keep ours from running.
	ginkgo.Describe("", ginkgo.Focus, func() { register(open) })
	w.run()
}

type worker struct {
	task    job
	mu      sync.Mutex
	events  *json.Encoder
	close   func()         // ends what subjects were started from
	met     map[string]int // how many specs of one text and row began
	running *running       // nil for a spec that is not for this job
	done    bool           // the running spec was ended by an earlier worker
}

type running struct {
	key   string
	begun time.Time
}

func (w *worker) emit(e event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if e.Event == finished || e.Event == leaving || e.Event == noSubject {
		w.close() // nobody waits for this process once that is said
	}
	if err := w.events.Encode(e); err != nil {
		fmt.Fprintln(os.Stderr, "statespec worker: nobody reads its events:", err)
		os.Exit(int(verdict.OwnFault))
	}
}

// greet asks the subject who it is, and says so.
func (w *worker) greet(open suite.Open) bool {
	w.emit(event{Event: starting})
	s, err := open(context.Background(), spec.Process{})
	if err != nil {
		w.emit(event{Event: noSubject, Text: err.Error()})
		return false
	}
	h := s.Hello()
	if err := s.Close(); err != nil {
		w.emit(event{Event: noSubject, Text: "it does not end: " + err.Error()})
		return false
	}
	w.emit(event{Event: hello, Hello: &h})
	return true
}

// run reads the tree, says what is planned, and runs it.
func (w *worker) run() {
	// Written out in full: a flag of the user's own suite (a dry run, a filter)
	// must not reach this one.
	config, _ := ginkgo.GinkgoConfiguration()
	config = types.SuiteConfig{RandomSeed: int64(w.task.Seed), GracePeriod: config.GracePeriod,
		LabelFilter: filter(w.task.Rows), ParallelTotal: 1, ParallelProcess: 1, Timeout: 24 * time.Hour}
	reporter := types.ReporterConfig{NoColor: true, Succinct: true}

	specs := map[string]int{}
	for _, s := range ginkgo.PreviewSpecs("statespec", config, reporter).SpecReports {
		row, ok := suite.RowOf(s.Labels())
		switch {
		case !ours(s):
		case !ok:
			w.emit(event{Event: fault, Text: fmt.Sprintf("the spec %q is tied to no one row: its labels are %v", text(s), s.Labels())})
		default:
			specs[row.ID]++
		}
	}
	w.emit(event{Event: planned, Planned: specs})
	w.reporting() // not before: nodes that a preview ran are not run again
	ginkgo.RunSpecs(ignored{}, "statespec", config, reporter)
}

// ignored is a T of which nothing comes: outcomes travel as events.
type ignored struct{}

func (ignored) Fail() {}

// filter is the label filter of some rows. It is never empty, which to Ginkgo
// would mean everything.
func filter(rows []string) string {
	return suite.Mark + " && (" + strings.Join(append([]string{"none"}, rows...), " || ") + ")"
}

func ours(s ginkgo.SpecReport) bool { return slices.Contains(s.Labels(), suite.Mark) }

func text(s ginkgo.SpecReport) string { return strings.TrimSpace(s.FullText()) }

// reporting registers the nodes that stream.
func (w *worker) reporting() {
	ginkgo.ReportBeforeEach(w.begin)
	ginkgo.BeforeEach(func() {
		if w.done {
			ginkgo.Skip("ended by an earlier worker")
		}
	})
	ginkgo.ReportAfterEach(w.end)
	ginkgo.ReportAfterSuite("say that all specs ended", func(r ginkgo.Report) {
		for _, why := range r.SpecialSuiteFailureReasons {
			w.emit(event{Event: fault, Text: why})
		}
		for _, s := range r.SpecReports {
			if s.LeafNodeType.Is(types.NodeTypesForSuiteLevelNodes) && s.Failed() {
				w.emit(event{Event: fault, Text: fmt.Sprintf("%s of the test binary failed: %s", s.LeafNodeType, s.FailureMessage())})
			}
		}
		w.emit(event{Event: finished})
	})
}

func (w *worker) begin(s ginkgo.SpecReport) {
	w.running, w.done = nil, false
	row, ok := suite.RowOf(s.Labels())
	if !ok || s.State == types.SpecStateSkipped {
		return // to be filtered, or told as a fault already
	}
	same := row.ID + ": " + text(s)
	w.met[same]++
	key := same
	if n := w.met[same]; n > 1 {
		key = fmt.Sprintf("%s (%d)", same, n)
	}
	if slices.Contains(w.task.Done, key) {
		w.done = true
		return
	}
	w.running = &running{key, time.Now()}
	w.emit(event{Event: begin, Key: key, Spec: text(s), Row: row.ID, Place: Place(s.LeafNodeLocation)})
}

func (w *worker) end(s ginkgo.SpecReport) {
	if w.running == nil {
		return
	}
	o := outcome(s)
	o.Seconds = time.Since(w.running.begun).Seconds()
	w.emit(event{Event: ended, Key: w.running.key, Outcome: &o, Files: w.task.Keep.files(s, &o)})
	w.running = nil
	if o.Outcome == verdict.Hung { // and runs still, beside whatever comes
		w.emit(event{Event: leaving})
		os.Exit(0)
	}
}
