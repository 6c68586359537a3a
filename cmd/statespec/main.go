// Command statespec asks a session state manager to keep its promises.
//
// Flags in, packages called, nothing else: what is promised is in spec/catalogue,
// how it is asked in the topic folders, what comes of it in spec/verdict and
// spec/report.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/families"
	"github.com/statespec/statespec/spec/faulty"
	"github.com/statespec/statespec/spec/run"
	"github.com/statespec/statespec/spec/verdict"
)

func main() {
	// A worker and a fresh subject are this binary again.
	factory, err := subjectOf(os.Getenv(faulty.Var))
	if os.Getenv(shippedVar) != "" {
		factory = subject.NewShipped
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "statespec: %s: %v\n", faulty.Var, err)
		os.Exit(int(verdict.Unusable))
	}
	driver.ServeIfAsked(factory)
	run.WorkIfAsked(factory, families.Specs)

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	os.Exit(int(execute(ctx, os.Args[1:], os.Stdout, os.Stderr)))
}

// shippedVar makes a process of ours the reference with its encoder.
const shippedVar = "STATESPEC_SHIPPED"

// subjectOf is the reference, or with the name of a fault the reference that has
// it.
func subjectOf(fault string) (spec.Factory, error) {
	if fault == "" {
		return subject.New, nil
	}
	f, err := faulty.Find(fault)
	if err != nil {
		return nil, err
	}
	return f.Factory(), nil
}
