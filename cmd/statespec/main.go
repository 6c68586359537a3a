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
	"github.com/statespec/statespec/spec/families"
	"github.com/statespec/statespec/spec/run"
	"github.com/statespec/statespec/spec/verdict"
)

func main() {
	// A worker and a fresh subject are this binary again.
	asked, factory, err := source()
	if err != nil {
		fmt.Fprintln(os.Stderr, "statespec:", err)
		os.Exit(int(verdict.Unusable))
	}
	driver.ServeIfAsked(factory)
	run.WorkIfAsked(asked, families.Specs)

	os.Exit(int(command()))
}

// command is what this process was started for, until a signal interrupts it.
func command() verdict.Exit {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	return execute(ctx, os.Args[1:], os.Stdout, os.Stderr)
}
