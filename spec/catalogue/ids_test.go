package catalogue

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write CATALOGUE.md, and add new IDs to testdata/ids.txt; none is ever taken out")

// given is the file of every ID ever given, one a line. A verdict, a report or
// an expectation file somewhere may name any of them.
var given = filepath.Join("testdata", "ids.txt")

func TestAnIDOnceGivenStaysInTheCatalogue(t *testing.T) {
	known := readIDs(t)
	for _, id := range known {
		if _, ok := Lookup(id); !ok {
			t.Errorf("%s is in %s and no longer in the catalogue: an ID is permanent", id, given)
		}
	}
	var fresh []string
	for _, r := range All() {
		if !slices.Contains(known, r.ID) {
			fresh = append(fresh, r.ID)
		}
	}
	if *update {
		writeIDs(t, append(known, fresh...))
	} else if len(fresh) > 0 {
		t.Errorf("%q are not in %s: record them with go test ./spec/catalogue -update", fresh, given)
	}
}

func readIDs(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(given)
	if err != nil && !*update {
		t.Fatal(err)
	}
	return strings.Fields(string(text))
}

// writeIDs writes the IDs in catalogue order, those that left it at the end.
func writeIDs(t *testing.T, ids []string) {
	t.Helper()
	var sorted []string
	for _, r := range All() {
		if slices.Contains(ids, r.ID) {
			sorted = append(sorted, r.ID)
		}
	}
	for _, id := range ids {
		if !slices.Contains(sorted, id) {
			sorted = append(sorted, id)
		}
	}
	if err := os.WriteFile(given, []byte(strings.Join(sorted, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}
