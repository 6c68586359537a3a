package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"time"

	"github.com/kballard/go-shellquote"
	"github.com/spf13/pflag"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/driver/reap"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/report"
	"github.com/statespec/statespec/spec/run"
	"github.com/statespec/statespec/spec/suite"
)

// A target is whom a command asks: the reference, the reference with a fault, or
// whatever speaks the driver protocol.
type target struct {
	driver string
	own
	timeout  time.Duration // of a request
	start    time.Duration // of a driver
	restarts int

	command driver.Command // that --driver comes to
}

// flags are those that name a target.
func (t *target) flags(fl *pflag.FlagSet) {
	fl.StringVar(&t.driver, "driver", "", "ask the driver that this `COMMAND` starts, split into words as a shell would")
	fl.StringVar(&t.fault, "fault", "", "the reference with the fault of this `NAME` instead (statespec detect --list)")
	fl.DurationVar(&t.timeout, "timeout", run.DefaultTimeout, "time for one request; a start may take six times as long, and a spec twelve times")
	fl.DurationVar(&t.start, "start-timeout", driver.DefaultStart, "time for the driver to start")
}

// check says what is wrong with a target.
func (t *target) check() error {
	if t.driver == "" { // whose own devices have the names that it gives them
		if err := t.own.check(); err != nil {
			return err
		}
	}
	switch {
	case t.driver != "" && t.fault != "":
		return fmt.Errorf("--driver: want it without --fault, which is of the reference: statespec serve --fault is its driver")
	case t.driver != "" && t.shipped:
		return fmt.Errorf("--driver: want it without --shipped, which is of the reference: statespec serve --shipped is its driver")
	case t.restarts < 0:
		return fmt.Errorf("--restarts %d: want 0 or more", t.restarts)
	case t.timeout < shortest:
		return fmt.Errorf("--timeout %v: want at least %v", t.timeout, shortest)
	case t.start < shortest:
		return fmt.Errorf("--start-timeout %v: want at least %v", t.start, shortest)
	case t.driver == "":
		return nil
	}
	words, err := commandOf(t.driver)
	if err != nil {
		return fmt.Errorf("--driver %w", err)
	}
	t.command = driver.Command{Args: words, Start: t.start, Request: t.timeout, Restarts: t.restarts}
	return nil
}

// commandOf is the words of a driver's command line, as a shell would split it, of a
// program that is there.
func commandOf(line string) ([]string, error) {
	words, err := shellquote.Split(line)
	if err == nil {
		err = driver.Command{Args: words}.Check()
	}
	if err != nil {
		return nil, fmt.Errorf("%q: %w", line, err)
	}
	return words, nil
}

// shortest is the least time for a request: with less, no subject could start.
const shortest = 10 * time.Millisecond

// driverVar makes a worker of ours ask a driver: a driver.Command as JSON.
const driverVar = "STATESPEC_ASK"

// env makes a worker ask the target.
func (t *target) env() []string {
	if t.driver != "" {
		command, err := json.Marshal(t.command)
		if err != nil {
			panic(err) // texts and numbers
		}
		return []string{driverVar + "=" + string(command)}
	}
	var env []string
	for name, value := range t.own.env() {
		env = append(env, name+"="+value)
	}
	return env
}

// again is the flags that name the target on another command line.
func (t *target) again() (words string) {
	for _, flag := range []struct {
		name, value string
		said        bool
	}{
		{"--driver", report.ShellWord(t.driver), t.driver != ""},
		{"--fault", report.ShellWord(t.fault), t.fault != ""},
		{"--device", report.ShellWord(t.device), t.device != ""},
		{"--timeout", t.timeout.String(), t.timeout != run.DefaultTimeout},
		{"--start-timeout", t.start.String(), t.start != driver.DefaultStart},
	} {
		if flag.said {
			words += " " + flag.name + " " + flag.value
		}
	}
	if t.shipped {
		words += " --shipped"
	}
	return words
}

// apart starts the target's subjects in processes of their own. Whoever calls ends
// them.
func (t *target) apart() (open suite.Open, process spec.Process, end func(), err error) {
	process = spec.Process{Fresh: true}
	if err := t.check(); err != nil {
		return nil, process, nil, err
	}
	if t.driver != "" {
		if err := reap.Adopt(); err != nil {
			return nil, process, nil, err
		}
		command := t.command
		command.Restarts = math.MaxInt // each crash is a finding, and made smaller by crashing again
		pool := driver.NewPool(command)
		process.Fresh = false // a process that failed is replaced as it is
		return pool.Open, process, pool.Close, nil
	}
	factory, err := t.factory()
	if err != nil {
		return nil, process, nil, err
	}
	process.Env = t.own.env()
	return driver.OpenWithin(factory, t.timeout), process, func() {}, nil
}

// source is whom a worker of ours asks, by what its environment says.
func source() (run.Source, spec.Factory, error) {
	if text := os.Getenv(driverVar); text != "" {
		os.Unsetenv(driverVar) // not for the driver
		var c driver.Command
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			return nil, nil, fmt.Errorf("%s=%s: %w", driverVar, strconv.Quote(text), err)
		}
		if err := reap.Adopt(); err != nil {
			return nil, nil, err
		}
		return func(time.Duration) (suite.Open, func()) {
			pool := driver.NewPool(c)
			return pool.Open, pool.Close
		}, subject.New, nil
	}
	factory, err := ownAsked().factory()
	if err != nil { // told as what it is: of a subject that cannot be started
		factory = func(context.Context, spec.Process) (spec.Subject, error) { return nil, err }
	}
	return run.Of(factory), factory, nil
}
