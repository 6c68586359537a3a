package main

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/driver/hostile"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/families"
	"github.com/statespec/statespec/spec/run"
	"github.com/statespec/statespec/spec/suite"
)

// subjectVar chooses what the workers of these tests ask. The command under test
// runs in the test's own process; its workers are this binary again.
const subjectVar = "STATESPEC_TEST_SUBJECT"

func TestMain(m *testing.M) {
	worker := os.Getenv(run.WorkerVar) != "" || os.Getenv(driver.ServeVar) != "" // of a command that is this binary
	if os.Getenv(commandVar) != "" && !worker {
		os.Exit(int(command()))
	}
	hostile.ServeIfAsked()
	asked, f, err := source()
	if err != nil {
		panic(err)
	}
	if own := subjects[os.Getenv(subjectVar)]; own != nil {
		asked, f = run.Of(own), own
	}
	register := families.Specs
	if os.Getenv(subjectVar) == "spec panics" {
		register = func(suite.Open) {
			ginkgo.It("panics", suite.Promise("EVI-20"), func() { panic("a fault of ours") })
		}
	}
	driver.ServeIfAsked(f)
	run.WorkIfAsked(asked, register)
	os.Exit(m.Run())
}

// commandVar makes a process of this test binary the command itself, as an A/B of
// our own rollout starts it.
const commandVar = "STATESPEC_TEST_IS_COMMAND"

// changed is the reference with its answers changed.
type changed struct {
	spec.Subject
	hello   func(*spec.Hello)
	manager func(spec.ManagerSpec) spec.ManagerSpec
	with    func(spec.Manager) spec.Manager
}

func (c changed) Hello() spec.Hello {
	h := c.Subject.Hello()
	if c.hello != nil {
		c.hello(&h)
	}
	return h
}

func (c changed) NewManager(m spec.ManagerSpec) (spec.Manager, error) {
	if c.manager != nil {
		m = c.manager(m)
	}
	made, err := c.Subject.NewManager(m)
	if err == nil && c.with != nil {
		made = c.with(made)
	}
	return made, err
}

func change(c changed) spec.Factory {
	return func(ctx context.Context, p spec.Process) (spec.Subject, error) {
		s, err := subject.New(ctx, p)
		c := c
		c.Subject = s
		return c, err
	}
}

// stats answers stats in its own way.
type stats struct {
	spec.Manager
	answer func() (spec.Stats, error)
}

func (s stats) Stats() (spec.Stats, error) { return s.answer() }

func answering(answer func() (spec.Stats, error)) func(spec.Manager) spec.Manager {
	return func(m spec.Manager) spec.Manager { return stats{m, answer} }
}

// unrefusing answers a new session at the cap by evicting, whatever was asked.
func unrefusing(m spec.ManagerSpec) spec.ManagerSpec { m.Refuse = false; return m }

var subjects = map[string]spec.Factory{
	"forgets the budget": change(changed{manager: func(m spec.ManagerSpec) spec.ManagerSpec { m.ByteBudget = nil; return m }}),
	"takes a zero cap": change(changed{manager: func(m spec.ManagerSpec) spec.ManagerSpec {
		if m.Cap != nil && *m.Cap <= 0 {
			m.Cap = new(1)
		}
		return m
	}}),
	"does not refuse": change(changed{manager: unrefusing}),
	"cannot drop": change(changed{hello: func(h *spec.Hello) {
		h.Can = slices.DeleteFunc(h.Can, func(c spec.Capability) bool { return c == spec.CanDrop })
	}}),
	"claims no layer": change(changed{hello: func(h *spec.Hello) { h.Layers = nil }}),
	"exits":           change(changed{with: answering(func() (spec.Stats, error) { os.Exit(0); return spec.Stats{}, nil })}),
	"hangs":           change(changed{with: answering(func() (spec.Stats, error) { select {} })}),
	"starts slowly": func(ctx context.Context, p spec.Process) (spec.Subject, error) {
		time.Sleep(300 * time.Millisecond)
		return subject.New(ctx, p)
	},
	"cannot start": func(context.Context, spec.Process) (spec.Subject, error) {
		return nil, spec.Refuse(spec.Raised, "no such device")
	},
}
