package statespec

import (
	"flag"
	"testing"

	"github.com/statespec/statespec/spec/catalogue"
)

// What -run and -skip will leave out is not asked, and what they may let through
// is.
func TestOnlyWantedRowsAreAsked(t *testing.T) {
	rows := []catalogue.Row{{ID: "EVI-05"}, {ID: "EVI-06"}, {ID: "EVI-20"}, {ID: "ACC-11"}, {ID: "ACC-11.set"}}
	for _, row := range []struct {
		run, skip string
		want      string
	}{
		{"", "", "EVI-05 EVI-06 EVI-20 ACC-11 ACC-11.set "},
		{"TestX", "", "EVI-05 EVI-06 EVI-20 ACC-11 ACC-11.set "},
		{"TestX/EVI-05", "", "EVI-05 "},
		{"TestX/EVI-0[56]", "", "EVI-05 EVI-06 "},
		{"TestX/(EVI-05|ACC)", "", "EVI-05 ACC-11 ACC-11.set "},
		{"TestX/EVI-05|TestX/EVI-20", "", "EVI-05 EVI-20 "},
		{"TestOther/EVI-05|TestX/EVI-20", "", "EVI-20 "},
		{"TestX/ACC-11/set", "", "ACC-11 ACC-11.set "},
		{"TestX/^EVI-05$", "", "EVI-05 "},
		{"TestX//", "", "EVI-05 EVI-06 EVI-20 ACC-11 ACC-11.set "},
		{"", "TestX/EVI", "ACC-11 ACC-11.set "},
		{"", "TestX/ACC-11/set", "EVI-05 EVI-06 EVI-20 ACC-11 ACC-11.set "},
		{"TestX/EVI", "TestX/EVI-2", "EVI-05 EVI-06 "},
	} {
		set(t, "test.run", row.run)
		set(t, "test.skip", row.skip)
		got := ""
		for _, r := range wanted("TestX", rows) {
			got += r.ID + " "
		}
		if got != row.want {
			t.Errorf("-run %q -skip %q wants %q, want %q", row.run, row.skip, got, row.want)
		}
	}
}

func set(t *testing.T, name, value string) {
	t.Helper()
	f := flag.Lookup(name)
	before := f.Value.String()
	if err := f.Value.Set(value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Value.Set(before) })
}
