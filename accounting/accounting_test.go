package accounting_test

import (
	"os"
	"slices"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/accounting"
	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec/suite"
	"github.com/statespec/statespec/spec/verdict"
)

func TestMain(m *testing.M) {
	driver.ServeIfAsked(subject.New)
	os.Exit(m.Run())
}

func TestAccounting(t *testing.T) {
	RegisterFailHandler(Fail)
	accounting.Specs(driver.Open(subject.New))
	// A spec that decides nothing about the reference decides nothing at all,
	// but for one that measures time: a busy machine may be too noisy for it.
	ReportAfterEach(func(r SpecReport) {
		if suite.Told(r).Word == verdict.CannotTell && !slices.Contains(r.Labels(), "ACC-21") {
			t.Errorf("%s: %s", r.FullText(), r.FailureMessage())
		}
	})
	RunSpecs(t, "Byte accounting")
}
