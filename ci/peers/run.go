package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
)

// What the command exits with.
const (
	done   = 0
	failed = 1 // a peer did not do what is measured of it
	usage  = 2
)

// run is the command.
func run(ctx context.Context, args []string, out, progress io.Writer) int {
	f, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(progress, help())
		return done
	case err != nil:
		fmt.Fprintf(progress, "peers: %v\n", err)
		return usage
	}
	if f.strict {
		err = writeStrict(out)
	} else {
		err = measure(ctx, f, out, progress)
	}
	if err != nil {
		fmt.Fprintf(progress, "peers: %v\n", err)
		return failed
	}
	return done
}
