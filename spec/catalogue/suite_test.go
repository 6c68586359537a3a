package catalogue

import (
	"cmp"
	"testing"
)

func TestSuiteVersionsCompareByNumber(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"0.1", "0.1", 0},
		{"0.1", "0.2", -1},
		{"0.10", "0.9", 1},
		{"0.9", "0.10", -1},
		{"1", "1.0", 0},
		{"1.0.1", "1", 1},
		{"2.0", "10.0", -1},
	} {
		if got := CompareSuites(tt.a, tt.b); got != tt.want {
			t.Errorf("CompareSuites(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestOnlyNumbersAndDotsAreASuiteVersion(t *testing.T) {
	for suite, want := range map[string]bool{
		Suite: true, "0.10": true, "1": true, "1.2.3": true,
		"": false, ".": false, "0.": false, "v0.1": false, "0.1 ": false, "0.01": false, "-1": false, "+1": false, "0.99999999999": false,
	} {
		if got := ValidSuite(suite); got != want {
			t.Errorf("ValidSuite(%q) = %t, want %t", suite, got, want)
		}
	}
}

func TestARowIsAskedFromItsOwnVersionOn(t *testing.T) {
	for _, tt := range []struct {
		row   Row
		suite string
		want  bool
	}{
		{Row{Since: "0.1"}, "0.1", true},
		{Row{Since: "0.2"}, "0.1", false},
		{Row{Since: "0.1", Asked: "0.2"}, "0.1", false},
		{Row{Since: "0.1", Asked: "0.2"}, "0.2", true},
		{Row{Since: "0.1", Asked: "0.9"}, "0.10", true},
	} {
		if got := tt.row.AskedIn(tt.suite); got != tt.want {
			t.Errorf("Row{Since: %q, Asked: %q}.AskedIn(%q) = %t, want %t", tt.row.Since, tt.row.Asked, tt.suite, got, tt.want)
		}
	}
}

func TestRowsThatArriveLaterAreNotAskedYet(t *testing.T) {
	later := map[string]string{} // families and rows
	for _, r := range All() {
		from := cmp.Or(later[r.ID], later[r.Family()])
		want := from == ""
		if got := r.AskedIn(Suite); got != want {
			t.Errorf("%s: AskedIn(%q) = %t, want %t", r.ID, Suite, got, want)
		}
		if from != "" && !r.AskedIn(from) {
			t.Errorf("%s: AskedIn(%q) = false, want true", r.ID, from)
		}
	}
}
