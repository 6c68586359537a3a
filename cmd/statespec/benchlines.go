package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
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
		case "count", "in-process", "line", "out", "targets": // of this process
		default:
			args = append(args, "--"+flag.Name+"="+flag.Value.String())
		}
	})
	p := newProgress(cmd.ErrOrStderr())
	defer p.done()
	for i := range f.count {
		p.show(fmt.Sprintf("%d of %d lines", i, f.count), "each of a process of its own")
		var said, lines bytes.Buffer
		line := exec.CommandContext(cmd.Context(), self, append(args, fmt.Sprintf("--line=%d", f.line+i))...)
		line.Stdout, line.Stderr = &lines, &said
		// A terminal's Ctrl-C goes to all of a group, and a second signal ends a process at
		// once. In a group of its own the line has none: it ends with its input.
		line.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		line.Env = append(os.Environ(), lifelineVar+"=1")
		lifeline, err := line.StdinPipe()
		if err != nil {
			return &exit{verdict.OwnFault, err}
		}
		line.Cancel = lifeline.Close
		line.WaitDelay = 5 * time.Second
		err = line.Run()
		if line.Process != nil {
			syscall.Kill(-line.Process.Pid, syscall.SIGKILL) // whatever it started and left behind
		}
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

// lifelineVar says to a line's process that its input ends when nobody waits for it any
// more: with the interrupted bench, or with the killed one, which could not say so.
const lifelineVar = "STATESPEC_BENCH_LIFELINE"

// onLifeline is a context that ends with the input where the process was started so.
func onLifeline(ctx context.Context, in io.Reader) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if os.Getenv(lifelineVar) != "" {
		os.Unsetenv(lifelineVar) // it is not for what this process starts
		go func() {
			defer cancel()
			io.Copy(io.Discard, in)
		}()
	}
	return ctx, cancel
}
