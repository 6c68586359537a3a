package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/statespec/statespec/ci/paired"
	"github.com/statespec/statespec/spec/verdict"
)

// apartEach measures each line in a process of its own, which is this command with a
// count of one. Two processes of one binary differ by where their memory lies, so ten
// lines of one process are one measurement made ten times.
func (f *benchFlags) apartEach(cmd *cobra.Command, _ []paired.Benchmark, out io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return &exit{verdict.OwnFault, err}
	}
	args := []string{"bench", "--in-process", "--count=1"}
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		switch flag.Name {
		case "count", "in-process", "out", "targets": // of this process
		default:
			args = append(args, "--"+flag.Name+"="+flag.Value.String())
		}
	})
	p := newProgress(cmd.ErrOrStderr())
	defer p.done()
	for i := range f.count {
		p.show(fmt.Sprintf("%d of %d lines", i, f.count), "each of a process of its own")
		var said, lines bytes.Buffer
		line := exec.CommandContext(cmd.Context(), self, args...)
		line.Stdout, line.Stderr = &lines, &said
		line.Cancel = func() error { return line.Process.Signal(os.Interrupt) } // so that it ends what it started
		line.WaitDelay = 5 * time.Second
		err := line.Run()
		switch code, failed := errors.AsType[*exec.ExitError](err); {
		case cmd.Context().Err() != nil:
			return &exit{verdict.Interrupted, nil}
		case failed && code.ExitCode() > 0:
			return &exit{verdict.Exit(code.ExitCode()), errors.New(strings.TrimPrefix(strings.TrimSpace(said.String()), "statespec: "))}
		case err != nil:
			return &exit{verdict.NoVerdict, fmt.Errorf("line %d: %w\n%s", i+1, err, said.String())}
		}
		for text := range strings.Lines(lines.String()) {
			if strings.HasPrefix(text, "Benchmark") { // and not the head again
				if _, err := io.WriteString(out, text); err != nil {
					return &exit{verdict.OwnFault, err}
				}
			}
		}
		for text := range strings.Lines(said.String()) {
			if i == 0 && strings.Contains(text, notMeasured) {
				p.done()
				fmt.Fprint(cmd.ErrOrStderr(), text)
			}
		}
	}
	return nil
}
