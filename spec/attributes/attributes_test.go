package attributes_test

import (
	"os"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec/attributes"
)

func TestMain(m *testing.M) {
	driver.ServeIfAsked(subject.New)
	os.Exit(m.Run())
}

func TestTheReferenceKeepsTheAttributeGuarantees(t *testing.T) {
	RegisterFailHandler(Fail)
	attributes.Specs(driver.Open(subject.New))
	RunSpecs(t, "ATT: attributes")
}
