package reference_test

import (
	"slices"
	"testing"

	"github.com/statespec/statespec/spec/catalogue"
)

// A difference is a recorded row from which the reference departs on purpose.
type difference struct {
	recording string // its file
	row       string // the row's key, as its replay names it
	recorded  string // what the real implementation did
	ours      string // what the reference does
	guarantee string // the row of the catalogue that decides
	why       string
}

// differences are all of them: every other row is as recorded.
var differences = []difference{
	{
		"environment.json", `switch unset, cap "0", config unset`,
		"enabled false, cap 64, warnings 0", "enabled false, cap 64, warnings 1",
		"ENV-12", "An unusable cap that is ignored in silence hides a typo.",
	}, {
		"environment.json", `switch unset, cap "00", config unset`,
		"enabled false, cap 64, warnings 0", "enabled false, cap 64, warnings 1",
		"ENV-12", "An unusable cap that is ignored in silence hides a typo.",
	}, {
		"environment.json", `switch unset, cap "-0", config unset`,
		"enabled false, cap 64, warnings 0", "enabled false, cap 64, warnings 1",
		"ENV-12", "An unusable cap that is ignored in silence hides a typo.",
	}, {
		"environment.json", `switch unset, cap "-5", config unset`,
		"enabled false, cap 64, warnings 0", "enabled false, cap 64, warnings 1",
		"ENV-12", "An unusable cap that is ignored in silence hides a typo.",
	}, {
		"environment.json", `switch unset, cap "99999999999999999999", config unset`,
		"enabled false, cap 99999999999999999999, warnings 0", "enabled false, cap 64, warnings 1",
		"ENV-15", "The number is beyond an int. Both answers are right; a wrapped one would not be.",
	}, {
		"accounting.json", "100 committed, 5000 staged",
		"cpu 100, total 100", "cpu 5100, total 5100",
		"ACC-16", "Staged payloads are held like others, and are declared as counted.",
	}, {
		"accounting.json", "400 bytes inside a set",
		"total 0", "cpu 400, total 400",
		"ACC-11.set", "The recorded walk does not open sets.",
	}, {
		"accounting.json", "host array wrapping an 800-byte immutable buffer",
		"total 0", "cpu 800, total 800",
		"ACC-12.buffer", "The recorded walk counts arrays that own their memory alone.",
	}, {
		"accounting.json", "host array of 800 and a tensor wrapping its second half",
		"cpu 1200, total 1200", "cpu 800, total 800",
		"ACC-13.overlap", "The recorded walk tells memory apart by its first address, so the half counts again.",
	}, {
		"accounting.json", "tensor wrapping the first 80 of a host array of 800, then the array",
		"cpu 80, total 80", "cpu 800, total 800",
		"ACC-13", "The recorded walk takes the array, which begins where the tensor does, for the tensor met before.",
	}, {
		"accounting.json", "list containing itself and 4 bytes",
		"error RecursionError", "cpu 4, total 4",
		"ACC-14.cycle", "Stats answers, and counts what the list holds once.",
	}, {
		"accounting.json", "sparse tensor beside 10 bytes",
		"error NotImplementedError", `cpu 10, total 10, not measured: session "a": v: sparse tensor`,
		"ACC-14.opaque", "Stats answers with the rest, and names what it could not measure.",
	}, {
		"accounting.json", "host array exported from a 400-byte tensor that is not otherwise held",
		"total 0", "cpu 400, total 400",
		"ACC-12.export", "The array keeps the tensor's memory alive.",
	}, {
		"accounting.json", "host array of 80 bytes strided to 1000 elements",
		"total 0", "cpu 80, total 80",
		"ACC-12", "A view keeps its array alive, however many elements it shows.",
	},
}

func TestEveryDifferenceIsDecidedByTheCatalogue(t *testing.T) {
	replayed := []string{"accounting.json", "admission.json", "environment.json", "lru.json"}
	seen := map[[2]string]bool{}
	for _, d := range differences {
		if _, known := catalogue.Lookup(d.guarantee); !known {
			t.Errorf("%s, %s: the difference is listed under %q, which is not in the catalogue", d.recording, d.row, d.guarantee)
		}
		if d.why == "" || d.recorded == d.ours {
			t.Errorf("%s, %s: the difference is %q for %q because %q, want a difference and a reason", d.recording, d.row, d.ours, d.recorded, d.why)
		}
		if !slices.Contains(replayed, d.recording) {
			t.Errorf("%s, %s: a difference is listed for a recording that is not replayed; those are %q", d.recording, d.row, replayed)
		}
		key := [2]string{d.recording, d.row}
		if seen[key] {
			t.Errorf("%s, %s: the difference is listed twice", d.recording, d.row)
		}
		seen[key] = true
	}
}
