// Package owner is somebody's own test package: a Ginkgo suite of theirs, and
// the conformance of their manager beside it. The tests of the root package run
// it.
package owner

import (
	"context"
	"flag"
	"os"
	"runtime"
	"sync/atomic"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
)

// own is a flag of the owner's, which every process of the binary has to get.
var own = flag.String("own", "", "")

var _ = BeforeSuite(func() {
	if os.Getenv("OWNER_BEFORE_SUITE") != "" {
		Fail("the owner's own set-up")
	}
})

var _ = Describe("the owner's own", func() {
	It("holds", func() { Expect(1 + 1).To(Equal(2)) })
	if os.Getenv("OWNER_FOCUS") != "" {
		FIt("is focused", func() {})
		It("is left out by the focus above", func() { Fail("not run") })
	}
})

func TestConformance(t *testing.T) {
	var opts []statespec.Option
	if os.Getenv("OWNER_STRICT") != "" {
		opts = append(opts, statespec.Strict())
	}
	if file := os.Getenv("OWNER_EXPECT"); file != "" {
		opts = append(opts, statespec.Expect(file))
	}
	if expr := os.Getenv("OWNER_ONLY"); expr != "" {
		opts = append(opts, statespec.Only(expr))
	}
	statespec.Run(t, start, opts...)
}

func TestOwn(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "own")
}

func start(ctx context.Context, p spec.Process) (spec.Subject, error) {
	s, err := subject.New(ctx, p)
	return owned{s}, err
}

// owned is the reference with one fault, if one is asked for.
type owned struct{ spec.Subject }

func (o owned) Hello() spec.Hello {
	h := o.Subject.Hello()
	h.Name = "owned " + *own
	return h
}

func (o owned) NewManager(m spec.ManagerSpec) (spec.Manager, error) {
	switch os.Getenv("OWNER_FAULT") {
	case "forgets the budget": // EVI-20, a MUST
		m.ByteBudget = nil
	case "takes a zero cap": // EVI-11, a SHOULD
		if m.Cap != nil && *m.Cap <= 0 {
			m.Cap = new(1)
		}
	case "exits":
		if m.ByteBudget != nil {
			os.Exit(0)
		}
	}
	made, err := o.Subject.NewManager(m)
	if err == nil && os.Getenv("OWNER_FAULT") == "contains what others ask for" { // EVI-13.linearizable
		made = &gullible{Manager: made}
	}
	return made, err
}

// gullible contains everything while a session is asked for.
type gullible struct {
	spec.Manager
	asked atomic.Int32
}

func (g *gullible) Session(ids ...string) (spec.Session, error) {
	g.asked.Add(1)
	defer g.asked.Add(-1)
	runtime.Gosched()
	return g.Manager.Session(ids...)
}

func (g *gullible) Contains(id string) (bool, error) {
	runtime.Gosched()
	if g.asked.Load() > 0 {
		return true, nil
	}
	return g.Manager.Contains(id)
}
