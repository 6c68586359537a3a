package detect_test

import (
	"context"
	"os"
	"slices"
	"testing"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/detect"
	"github.com/statespec/statespec/spec/families"
	"github.com/statespec/statespec/spec/faulty"
	"github.com/statespec/statespec/spec/run"
	"github.com/statespec/statespec/spec/verdict"
)

// The workers of a detection are this binary again.
func TestMain(m *testing.M) {
	if name := os.Getenv(faulty.Var); name != "" {
		f, err := faulty.Find(name)
		if err != nil {
			panic(err)
		}
		driver.ServeIfAsked(f.Factory())
		run.WorkIfAsked(run.Of(f.Factory()), families.Specs)
	}
	os.Exit(m.Run())
}

func options(t *testing.T, faults ...faulty.Fault) detect.Options {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return detect.Options{Command: []string{self}, Faults: faults, Seed: 1, Jobs: 2}
}

func fault(t *testing.T, name string) faulty.Fault {
	f, err := faulty.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// later is a row that another version of the suite will ask.
func later(t *testing.T, id string) catalogue.Row {
	r := row(t, id)
	r.Asked = "99.0"
	return r
}

func row(t *testing.T, id string) catalogue.Row {
	r, found := catalogue.Lookup(id)
	if !found {
		t.Fatalf("no row %s", id)
	}
	return r
}

func TestADetectionFindsAFaultByItsRowsAndNoOthers(t *testing.T) {
	true1 := fault(t, "is on by default")
	lie := true1
	lie.Breaks, lie.Follows = []string{"ENV-02"}, nil
	o := options(t, true1, lie)
	o.Rows = []catalogue.Row{row(t, "ENV-01"), row(t, "ENV-02"), later(t, "PRK-01")}
	d := detect.Run(t.Context(), o)
	if len(d.Faults) != 2 {
		t.Fatalf("%d faults were judged, want 2", len(d.Faults))
	}
	got := d.Faults[0]
	if !got.OK || !slices.Contains(got.Broken, "ENV-01") {
		t.Errorf("the fault is found by %v, ok %v: %+v, want by its rows %v", got.Broken, got.OK, got, true1.Rows())
	}
	got = d.Faults[1]
	if got.OK || !slices.Equal(got.Missed, []string{"ENV-02"}) || !slices.Contains(got.Unexpected, "ENV-01") || got.Why["ENV-01"] == "" {
		t.Errorf("a fault that claims to break ENV-02 is ok %v, missed %v, unexpected %v, why %q, want ENV-02 missed and ENV-01 unexpected, with a reason",
			got.OK, got.Missed, got.Unexpected, got.Why["ENV-01"])
	}
	if !slices.Equal(d.Unproven, []string{"ENV-02"}) {
		t.Errorf("unproven = %v, want ENV-02, and not the row that is not asked yet", d.Unproven)
	}
	if d.Exit != verdict.Failure || d.Incomplete {
		t.Errorf("exit = %d, incomplete %v, want %d, whole", d.Exit, d.Incomplete, verdict.Failure)
	}
}

func TestAnInterruptedDetectionSaysSo(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	d := detect.Run(ctx, options(t, fault(t, "is on by default")))
	if !d.Incomplete || len(d.Faults) != 0 || d.Exit != verdict.Interrupted {
		t.Errorf("after an interrupt: incomplete %v, %d faults, exit %d, want true, none, %d", d.Incomplete, len(d.Faults), d.Exit, verdict.Interrupted)
	}
}

// What was asked in full before the interrupt is told, though more was begun.
func TestAnInterruptedDetectionTellsOfTheFaultsThatWereAsked(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	o := options(t, faulty.All()[:40]...)
	o.Command, o.Jobs = []string{"false"}, 1 // a worker that ends at once
	o.Progress = func(p detect.Progress) {
		if p.Ended == 35 { // of 80; both runs of sixteen faults, and one of three more
			stop()
		}
	}
	d := detect.Run(ctx, o)
	if !d.Incomplete || len(d.Faults) != 16 || d.Exit != verdict.Interrupted {
		t.Errorf("after an interrupt: incomplete %v, %d faults, exit %d, want true, 16, %d", d.Incomplete, len(d.Faults), d.Exit, verdict.Interrupted)
	}
}
