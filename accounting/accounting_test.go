package accounting_test

import (
	"os"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/accounting"
	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/reference/subject"
)

func TestMain(m *testing.M) {
	driver.ServeIfAsked(subject.New)
	os.Exit(m.Run())
}

func TestAccounting(t *testing.T) {
	RegisterFailHandler(Fail)
	accounting.Specs(driver.Open(subject.New))
	RunSpecs(t, "Byte accounting")
}
