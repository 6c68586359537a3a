//go:build cuda

package faulty_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/gpu"
	"github.com/statespec/statespec/gpu/cuda"
	"github.com/statespec/statespec/gpu/faulty"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/families"
	"github.com/statespec/statespec/spec/run"
	"github.com/statespec/statespec/spec/selection"
	"github.com/statespec/statespec/spec/verdict"

	"github.com/statespec/statespec/spec/catalogue"
)

// variable names the fault that a process of this test is to be the subject of;
// "none" is the reference.
const variable = "STATESPEC_GPU_FAULT"

// rows are those that speak of storages, bytes, buffers and equivalence.
const rows = "ATT-01 || OBJ-02 || EVI-15 || ACC || PRK || RNG || EQV"

func TestMain(m *testing.M) {
	if name := os.Getenv(variable); name != "" {
		f := onDevice(name)
		driver.ServeIfAsked(f)
		run.WorkIfAsked(run.Of(f), families.Specs)
	}
	os.Exit(m.Run())
}

// onDevice starts the subject of a name. It opens the device once.
func onDevice(name string) spec.Factory {
	d, err := gpu.Open("cuda:0")
	if err != nil {
		return func(context.Context, spec.Process) (spec.Subject, error) { return nil, err }
	}
	parts := func() subject.Parts { return subject.Parts{} }
	for _, f := range faulty.All() {
		if f.Name == name {
			parts = f.Parts(d)
		}
	}
	return subject.Assemble(d.Parts(parts))
}

// broken lists the rows that a subject does not hold, of those asked.
func broken(t *testing.T, name, sim string) (all []string) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	asked, err := selection.Select(rows, catalogue.All())
	if err != nil {
		t.Fatal(err)
	}
	r := verdict.Fold(run.Run(t.Context(), run.Options{Command: []string{self}, Env: []string{variable + "=" + name, "CUDASIM=" + os.Getenv("CUDASIM") + "," + sim},
		Rows: asked, Device: "cuda:0", Seed: 1, Jobs: 2}))
	if r.SubjectError != "" {
		t.Fatalf("%s: %s", name, r.SubjectError)
	}
	for _, v := range r.Rows() {
		if v.Own.Failed() {
			all = append(all, v.ID)
		}
	}
	return all
}

func TestTheReferenceIsNotFaulty(t *testing.T) {
	cuda.Require(t)
	if ids := broken(t, "none", ""); len(ids) > 0 {
		t.Errorf("the reference breaks %v", ids)
	}
}

func TestEachFaultIsFoundByTheRowsThatItBreaks(t *testing.T) {
	cuda.Require(t)
	for _, f := range faulty.All() {
		t.Run(strings.ReplaceAll(f.Name, " ", "-"), func(t *testing.T) {
			ids := broken(t, f.Name, f.Sim)
			for _, want := range f.Breaks {
				switch {
				case slices.Contains(ids, want):
				case f.Races && !cuda.Simulated():
					t.Skipf("%s holds, and broken are %v: it is a race, which simulated CUDA lets every time be lost and a GPU may not", want, ids)
				default:
					t.Errorf("%s holds, and is to be broken; broken are %v", want, ids)
				}
			}
			t.Log(fmt.Sprintf("%d rows: ", len(ids)) + strings.Join(ids, " "))
		})
	}
}
