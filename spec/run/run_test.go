package run_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/statespec/statespec/spec/run"
	"github.com/statespec/statespec/spec/verdict"
)

// words are the words of the three rows.
func words(r verdict.Results) map[string]verdict.Word {
	m := map[string]verdict.Word{}
	for _, v := range r.Rows() {
		if v.Selected {
			m[v.ID] = v.Own
		}
	}
	return m
}

func own(r verdict.Results, id string) verdict.Verdict {
	for _, v := range r.Rows() {
		if v.ID == id {
			return v
		}
	}
	return verdict.Verdict{}
}

// Whatever one spec runs into, it is named, the others are judged, and the exit
// code says whose fault it is.
func TestATrapTakesOneSpecWithIt(t *testing.T) {
	for trap, want := range map[string]struct {
		word verdict.Word
		exit verdict.Exit
		says string // in the row's message, reason or output; alternatives
	}{
		"exit":                {verdict.Crashed, verdict.Failure, "exit status 0"},
		"panic":               {verdict.Crashed, verdict.Failure, "the subject's own"},
		"stack overflow":      {verdict.Crashed, verdict.Failure, "stack overflow"},
		"map writes":          {verdict.Crashed, verdict.Failure, "concurrent map|DATA RACE"},
		"hang":                {verdict.Hung, verdict.Failure, "no answer after"},
		"refusing panic":      {verdict.Crashed, verdict.Failure, "the subject's own"},
		"refusing hang":       {verdict.Hung, verdict.Failure, "no answer after"},
		"denied claim":        {verdict.Broken, verdict.Failure, "claims collect"},
		"nothing made":        {verdict.DriverError, verdict.NoVerdict, "made nothing"},
		"panicking close":     {verdict.Crashed, verdict.Failure, "on the way out"},
		"child":               {verdict.Crashed, verdict.Failure, "exit status 3"},
		"internal":            {verdict.DriverError, verdict.NoVerdict, "lost itself"},
		"spec panics":         {verdict.HarnessError, verdict.OwnFault, "ours"},
		"spec blocks":         {verdict.Hung, verdict.Failure, "did not end within"},
		"bare skip":           {verdict.HarnessError, verdict.OwnFault, "for no reason"},
		"pending":             {verdict.HarnessError, verdict.OwnFault, "pending"},
		"broken":              {verdict.Broken, verdict.Failure, "one is two"},
		"unclaimed":           {verdict.Unclaimed, verdict.AsExpected, "not here"},
		"cannot tell":         {verdict.CannotTell, verdict.AsExpected, "too noisy"},
		"no operation":        {verdict.Unclaimed, verdict.AsExpected, "unsupported"},
		"no kind":             {verdict.Unclaimed, verdict.AsExpected, "no object of kind latent-buffer"},
		"premise":             {verdict.Broken, verdict.Failure, "takes for granted"},
		"no spec":             {verdict.HarnessError, verdict.OwnFault, ""},
		"twice":               {verdict.Held, verdict.AsExpected, ""},
		"asked in a clean-up": {verdict.Held, verdict.AsExpected, ""},
		"focus":               {verdict.Held, verdict.AsExpected, ""},
	} {
		t.Run(trap, func(t *testing.T) {
			t.Parallel()
			r := fall(t, trap, nil)
			for id, word := range map[string]verdict.Word{"EVI-01": verdict.Held, "EVI-02": want.word, "EVI-03": verdict.Held} {
				if got := words(r)[id]; got != word {
					t.Errorf("%s is %s, want %s: %+v", id, got, word, own(r, id))
				}
			}
			if exit := r.Exit(verdict.Policy{}); exit != want.exit {
				t.Errorf("Exit = %d, want %d: %q", exit, want.exit, r.Reasons(verdict.Policy{}))
			}
			v := own(r, "EVI-02")
			said := v.Reason
			for _, o := range v.Specs {
				said += o.Message + o.Output
				if o.Reproduce != "again EVI-02" {
					t.Errorf("Reproduce = %q, want %q", o.Reproduce, "again EVI-02")
				}
			}
			if !slices.ContainsFunc(strings.Split(want.says, "|"), func(w string) bool { return strings.Contains(said, w) }) {
				t.Errorf("the row says %q, want %q in it", said, want.says)
			}
		})
	}
}

func TestASubjectThatCannotStartIsNoVerdict(t *testing.T) {
	for _, trap := range []string{"no subject", "old protocol", "panicking start", "exiting start", "hanging start", "empty start"} {
		t.Run(trap, func(t *testing.T) {
			r := fall(t, trap, nil)
			if got := words(r)["EVI-01"]; got != verdict.DriverError {
				t.Errorf("EVI-01 is %s, want %s", got, verdict.DriverError)
			}
			if exit := r.Exit(verdict.Policy{}); exit != verdict.NoVerdict {
				t.Errorf("Exit = %d, want %d", exit, verdict.NoVerdict)
			}
			if r.SubjectError == "" {
				t.Error("SubjectError is empty")
			}
		})
	}
}

func TestASpecOfTwoRowsIsAFaultOfOurs(t *testing.T) {
	r := fall(t, "two rows", nil)
	if exit := r.Exit(verdict.Policy{}); exit != verdict.OwnFault {
		t.Errorf("Exit = %d, want %d", exit, verdict.OwnFault)
	}
	if len(r.Faults) == 0 || !strings.Contains(r.Faults[0], "asks two") {
		t.Errorf("Faults = %q, want the spec's text", r.Faults)
	}
}

func TestARunThatMayNotRestartSaysSo(t *testing.T) {
	r := fall(t, "exit", func(o *run.Options) { o.Restarts = new(0) })
	if got := words(r)["EVI-02"]; got != verdict.Crashed {
		t.Errorf("EVI-02 is %s, want %s", got, verdict.Crashed)
	}
	if !strings.Contains(r.SubjectError, "restarts") {
		t.Errorf("SubjectError = %q, want the budget of restarts", r.SubjectError)
	}
}

func TestAnInterruptedRunIsIncomplete(t *testing.T) {
	o := options(t, "spec blocks")
	o.Timeout = time.Minute
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	o.Progress = func(p run.Progress) {
		if p.Row == "EVI-02" {
			stop()
		}
	}
	r := verdict.Fold(run.Run(ctx, o))
	if got := words(r)["EVI-02"]; got != verdict.NotRun {
		t.Errorf("EVI-02 is %s, want %s", got, verdict.NotRun)
	}
	if exit := r.Exit(verdict.Policy{}); exit != verdict.Interrupted {
		t.Errorf("Exit = %d, want %d", exit, verdict.Interrupted)
	}
}

func TestACommandThatIsNoWorkerIsAFaultOfOurs(t *testing.T) {
	for _, command := range [][]string{{"/bin/true"}, {"/nonexistent/binary"}} {
		o := options(t, "no spec")
		o.Command = command
		r := verdict.Fold(run.Run(t.Context(), o))
		if exit := r.Exit(verdict.Policy{}); exit != verdict.OwnFault {
			t.Errorf("%v: Exit = %d, want %d", command, exit, verdict.OwnFault)
		}
	}
}

func TestJobsGiveTheSameVerdicts(t *testing.T) {
	one, three := fall(t, "broken", nil), fall(t, "broken", func(o *run.Options) { o.Jobs = 3 })
	for id, word := range words(one) {
		if got := words(three)[id]; got != word {
			t.Errorf("with three jobs %s is %s, want %s", id, got, word)
		}
	}
}

// A worker that is left alone ends, or a run that was killed would leave the
// machine busy.
func TestAWorkerWhoseParentIsGoneEnds(t *testing.T) {
	o := options(t, "spec blocks")
	events, in := pipe(t)
	out, lifeline := pipe(t)
	cmd := exec.Command(o.Command[0])
	cmd.Env = append(append(os.Environ(), o.Env...), run.WorkerVar+"=1")
	cmd.ExtraFiles = []*os.File{in, out}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in.Close()
	lifeline.WriteString(`{"rows":["EVI-02"],"seed":1,"timeout":60000000000}` + "\n")
	lines := bufio.NewScanner(events)
	for lines.Scan() && !strings.Contains(lines.Text(), `"begin"`) {
	}
	lifeline.Close()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("it ended as if it had finished")
		}
	case <-time.After(10 * time.Second):
		cmd.Process.Kill()
		t.Error("it runs still")
	}
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}
