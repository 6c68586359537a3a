package equivalence_test

import (
	"context"
	"os"
	"os/exec"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/equivalence"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	"github.com/statespec/statespec/spec/run"
)

func TestMain(m *testing.M) {
	factory := spec.Factory(subject.New)
	if other, named := subjects[os.Getenv(subjectVar)]; named {
		factory = other
	}
	driver.ServeIfAsked(factory)
	run.WorkIfAsked(run.Of(factory), equivalence.Specs)
	os.Exit(m.Run())
}

// pipeVar has every subject of TestEquivalence in a process of its own.
const pipeVar = "STATESPEC_PATHS_OVER_A_PIPE"

func TestEquivalence(t *testing.T) {
	RegisterFailHandler(Fail)
	open := driver.Open(subject.New)
	equivalence.Specs(func(ctx context.Context, p spec.Process) (*op.Client, error) {
		p.Fresh = p.Fresh || os.Getenv(pipeVar) != ""
		return open(ctx, p)
	})
	RunSpecs(t, "Both paths")
}

// What both paths answer is the same to who asks through a pipe.
func TestEquivalenceOverAPipe(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestEquivalence$", "-ginkgo.no-color")
	cmd.Env = append(os.Environ(), pipeVar+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
