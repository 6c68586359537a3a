//go:build race

package run_test

import (
	"strings"
	"testing"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/verdict"
)

func init() {
	traps["race"] = ask
	factories["race"] = trapped(func() (spec.Memory, error) {
		n, done := 0, make(chan struct{})
		go func() { n++; close(done) }()
		n++
		<-done
		return fine()
	})
}

// A race that the detector sees is the subject's, of the spec in which it was
// seen, however well the spec went.
func TestADataRaceIsNoPass(t *testing.T) {
	r := fall(t, "race", nil)
	v := own(r, "EVI-02")
	if v.Own != verdict.Crashed || !strings.Contains(v.Specs[0].Output, "DATA RACE") {
		t.Errorf("EVI-02 is %s: %+v, want %s with the detector's report", v.Own, v.Specs, verdict.Crashed)
	}
}
