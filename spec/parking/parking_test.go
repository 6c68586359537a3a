package parking_test

import (
	"os"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor/devicetest"
	"github.com/statespec/statespec/spec/parking"
	"github.com/statespec/statespec/spec/suite"
	"github.com/statespec/statespec/spec/verdict"
)

// onDevice is the reference with a device beside the host.
var onDevice = subject.Assemble(func() subject.Parts {
	return subject.Parts{Devices: []subject.Device{devicetest.New("cuda:0", 1<<28)}}
})

func TestMain(m *testing.M) {
	driver.ServeIfAsked(onDevice)
	os.Exit(m.Run())
}

func TestTheReferenceKeepsTheParkingGuarantees(t *testing.T) {
	RegisterFailHandler(Fail)
	parking.Specs(driver.Open(onDevice))
	// A spec that decides nothing about the reference decides nothing at all.
	ReportAfterEach(func(r SpecReport) {
		if suite.Told(r).Word == verdict.CannotTell {
			t.Errorf("%s: %s", r.FullText(), r.FailureMessage())
		}
	})
	RunSpecs(t, "PRK: parking")
}
