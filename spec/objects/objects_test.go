package objects_test

import (
	"os"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec/objects"
)

func TestMain(m *testing.M) {
	driver.ServeIfAsked(subject.New)
	os.Exit(m.Run())
}

func TestTheReferenceKeepsTheObjectGuarantees(t *testing.T) {
	RegisterFailHandler(Fail)
	objects.Specs(driver.Open(subject.New))
	RunSpecs(t, "OBJ: one state object's lifecycle")
}
