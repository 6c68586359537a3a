//go:build mutants

package families_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/families"
	"github.com/statespec/statespec/spec/suite"
	"github.com/statespec/statespec/spec/verdict"
)

// patience is how long the reference may take to answer: a thousand times what it
// takes, and a mutant that never answers costs no more.
const patience = 10 * time.Second

func TestMain(m *testing.M) {
	driver.ServeIfAsked(subject.New)
	os.Exit(m.Run())
}

// The test of mutants of the reference: every spec in this process, so that what
// they reach is in the coverage profile, up to the first that fails. The
// reference claims all that is asked, and of it every spec can tell: a mutant
// that does not, or of which one cannot, is found out.
//
// What the specs say of the reference itself the root package's TestConformance
// tells, which can lose a worker and go on.
func TestTheReferenceHolds(t *testing.T) {
	RegisterFailHandler(Fail)
	families.Specs(driver.OpenWithin(subject.New, patience))
	reached := map[string]bool{"EQV-09": true} // asked of a device, which the reference has not
	ReportAfterEach(func(s SpecReport) {
		row, ok := suite.RowOf(s.Labels())
		switch word := suite.Told(s).Word; {
		case !ok || word == verdict.Unclaimed:
		case word == verdict.CannotTell && !timed(row):
			t.Errorf("%s: cannot tell: %s", row.ID, s.FailureMessage())
		default:
			reached[row.ID] = true
		}
	})
	config, reporter := GinkgoConfiguration()
	config.FailFast, config.RandomSeed = true, 1
	reporter.Succinct, reporter.NoColor = true, true
	if !RunSpecs(t, "The specs on a mutant of the reference", config, reporter) {
		return
	}
	for _, row := range catalogue.All() {
		if row.AskedIn(catalogue.Suite) && !reached[row.ID] {
			t.Errorf("%s: no spec had a claim to ask of", row.ID)
		}
	}
}

// timed says whether a row is asked by how long calls take, or by calls that have
// to overlap: of any subject it may be that it cannot be told.
func timed(r catalogue.Row) bool {
	guarantee, _, _ := strings.Cut(r.ID, ".")
	return slices.Contains([]string{"ACC-21", "EVI-01", "EVI-13", "EVI-14", "EVI-18", "RNG-08"}, guarantee)
}
