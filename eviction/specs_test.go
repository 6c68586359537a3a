package eviction_test

import (
	"os"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/eviction"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec/run"
)

func TestMain(m *testing.M) {
	if factory, named := disorderly[os.Getenv(disorderVar)]; named {
		run.WorkIfAsked(run.Of(factory), eviction.Specs)
	}
	driver.ServeIfAsked(subject.New)
	os.Exit(m.Run())
}

func TestEviction(t *testing.T) {
	RegisterFailHandler(Fail)
	eviction.Specs(driver.Open(subject.New))
	RunSpecs(t, "Sessions and eviction")
}
