//go:build mutants

package families_test

import (
	"os"
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
// reference claims all that is asked, so a mutant that does not is found out.
//
// What the specs say of the reference itself the root package's TestConformance
// tells, which can lose a worker and go on.
func TestTheReferenceHolds(t *testing.T) {
	RegisterFailHandler(Fail)
	families.Specs(driver.OpenWithin(subject.New, patience))
	reached := map[string]bool{}
	ReportAfterEach(func(s SpecReport) {
		if row, ok := suite.RowOf(s.Labels()); ok && suite.Told(s).Word != verdict.Unclaimed {
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
