package main

import (
	"context"
	"fmt"
	"io"
	"runtime"

	"github.com/statespec/statespec/ci/paired"
)

// measure makes the benchmarks that are asked for, and writes each line when it is
// there.
func measure(ctx context.Context, f flags, out, progress io.Writer) error {
	if err := paired.WriteHead(out, "goos", runtime.GOOS, "goarch", runtime.GOARCH, "pkg", "github.com/statespec/statespec/ci/peers"); err != nil {
		return err
	}
	o := paired.Options{Count: f.count, Time: f.length, Skip: func(name string, why error) {
		fmt.Fprintf(progress, "%s: left out: %v\n", name, why)
	}}
	for i, b := range f.asked {
		fmt.Fprintf(progress, "%d of %d: %s\n", i+1, len(f.asked), b.Name)
		if err := paired.Run(ctx, b, o, func(l paired.Line) error { return paired.Write(out, l) }); err != nil {
			return err
		}
	}
	return nil
}
