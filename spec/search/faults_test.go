package search_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/faulty"
	"github.com/statespec/statespec/spec/search"
)

var update = flag.Bool("update", false, "write FAULTS.md anew, which takes minutes")

const (
	faultsFile = "FAULTS.md"
	tried      = 150 // histories of seed 1
)

// quickly is how many operations a fault may take to be searched for again by a
// test that does not write the file anew.
const quickly = 150

// Histories are one request after another and their numbers are fixed, so it is
// known of each fault after how many operations it is found.
func TestFaultsAreFoundWithinTheOperationsThatAreStated(t *testing.T) {
	if *update {
		if err := os.WriteFile(faultsFile, table(t), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(faultsFile)
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(line, "|")
		if len(cells) != 7 || strings.Contains(line, "operations") || strings.HasPrefix(line, "|---") {
			continue
		}
		var stated int
		fmt.Sscan(cells[4], &stated)
		if stated == 0 || stated > quickly {
			continue
		}
		name := strings.TrimSpace(cells[1])
		f, err := faulty.Find(name)
		if err != nil {
			t.Errorf("%s names a fault that is none, write it anew with -update: %v", faultsFile, err)
			continue
		}
		found := seek(t, f, 5, 1)
		if len(found.Failures) != 1 || found.Failures[0].Found != stated {
			t.Errorf("%q is found after %d operations, want %d as %s says; -update writes it anew", name, found.Operations, stated, faultsFile)
		}
		checked++
	}
	if checked < 10 {
		t.Errorf("%d faults of %s were checked, want at least 10", checked, faultsFile)
	}
}

// seek searches for one fault.
func seek(t *testing.T, f faulty.Fault, histories, attempts int) search.Finding {
	t.Helper()
	return search.Search(t.Context(), search.Options{Open: opener(f.Factory()), Seed: 1, Histories: histories, FailFast: true, Attempts: attempts})
}

// table is FAULTS.md.
func table(t *testing.T) []byte {
	var found, missed strings.Builder
	n, reached := 0, 0
	for _, f := range faulty.All() {
		if !asked(f) {
			continue
		}
		n++
		got := seek(t, f, tried, 0)
		if len(got.Failures) == 0 {
			fmt.Fprintf(&missed, "| %s | %s |\n", f.Name, strings.Join(f.Breaks, ", "))
			continue
		}
		reached++
		x := got.Failures[0]
		name := x.Mismatch.Name()
		if slices.Contains(f.Rows(), x.Mismatch.Row) {
			name = "**" + name + "**"
		}
		shrunk := fmt.Sprint(len(x.History.Operations))
		if !x.Reproduces { // it takes what an earlier history left behind
			shrunk = "not alone"
		}
		fmt.Fprintf(&found, "| %s | %s | %s | %d | %s |\n", f.Name, strings.Join(f.Breaks, ", "), name, x.Found, shrunk)
	}
	return fmt.Appendf(nil, faultsText, n, reached, tried, found.String(), missed.String())
}

// asked leaves out faults of layers that histories do not speak to.
func asked(f faulty.Fault) bool {
	row, _ := catalogue.Lookup(f.Breaks[0])
	return row.Family() != "ENV" && row.Family() != "OFF" && row.Layer == spec.LayerManager
}

const faultsText = `<!-- written by go test ./spec/search -run Stated -update -timeout 1h -->
# What search finds

Each faulty subject of package faulty that a manager's histories could speak to: %d of
them, of which %d are found in the first %d histories of seed 1. Operations are those
carried out until the first mismatch, all histories together; the last column is the
length of the history after it was made shorter ("not alone": it takes what an earlier
history left in the process, and does not reproduce on a new subject). A row in bold is one that the fault is
there to break, or that follows; another row is a promise that was seen not to be kept
as well, earlier or in fewer operations. These numbers are exact: the generator's are
stable by contract.

| fault | breaks | found as | operations | shrunk to |
|---|---|---|---:|---:|
%s
## Not found

They need what histories do not have: concurrency, devices, borrowed memory, values that
contain themselves, ids or tensors of unusual form, tables or rings larger than a few
places, clocks; or an order of events that did not come up.

| fault | breaks |
|---|---|
%s`

// A process of its own is the same subject.
func TestAFaultIsFoundInAProcessOfItsOwn(t *testing.T) {
	t.Setenv(subjectVar, "has one place more")
	found := search.Search(t.Context(), search.Options{Open: search.Open(driver.Open(subject.New)), Process: spec.Process{Fresh: true}, Seed: 1, Histories: 50, FailFast: true})
	if len(found.Failures) != 1 || found.Failures[0].Mismatch.Row != "EVI-01" {
		t.Errorf("failures = %+v, want one of EVI-01", found.Failures)
	}
}
