package ab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/statespec/statespec/driver/reap"
)

// drain is how long the output of an ended command may take to arrive: a child of
// it may hold the log open.
const drain = 2 * time.Second

// perform carries out one run and moves what it left into a folder of its own.
// Its error is one of the harness, or of the context; how the command ended is in
// the run.
func (o Options) perform(ctx context.Context, s Side, number int) (Run, error) {
	r := Run{Side: s, Number: number, Argv: o.command(s), Var: o.Var, Env: o.Env, Out: o.Out}
	if o.Var != "" {
		r.Value = o.value(s)
	}
	home, err := o.home(s, number)
	if err != nil {
		return r, err
	}
	r.Dir, r.Log = filepath.Join(home, artefactDir), filepath.Join(home, logFile)
	if err := os.Mkdir(o.Out, 0o755); err != nil {
		return r, fmt.Errorf("the folder that runs write into: %w (is another A/B under way, or was one killed? then remove it)", err)
	}
	r.Facts = o.before(s)
	err = o.execute(ctx, &r)
	if moved := o.collect(&r); moved != nil {
		return r, errors.Join(err, fmt.Errorf("move aside what run %d left: %w", number, moved))
	}
	if err != nil {
		return r, err
	}
	if err := o.after(&r); err != nil {
		return r, err
	}
	return r, r.save(home)
}

// home makes the folder that a run is kept in.
func (o Options) home(s Side, number int) (string, error) {
	dir := filepath.Join(o.Runs, fmt.Sprintf("%d-%s", number, s))
	return dir, os.Mkdir(dir, 0o755)
}

// execute runs the command in a process group of its own, which ends with it, and
// so does what left the group, where reap.Adopt has been called.
func (o Options) execute(ctx context.Context, r *Run) error {
	log, err := os.Create(r.Log)
	if err != nil {
		return err
	}
	defer log.Close()
	limited, cancel := ctx, context.CancelFunc(func() {})
	if o.Timeout > 0 {
		limited, cancel = context.WithTimeout(ctx, o.Timeout)
	}
	defer cancel()

	cmd := exec.CommandContext(limited, r.Argv[0], r.Argv[1:]...)
	cmd.Env = o.environ(r.Side)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = drain

	r.Began = time.Now().UTC()
	err = reap.Start(cmd)
	switch {
	case ctx.Err() != nil && err != nil:
		return ctx.Err()
	case err != nil:
		r.Exit, r.Ending = -1, fmt.Sprintf("it could not be started: %v", err)
		return nil
	}
	err = cmd.Wait()
	r.Seconds = time.Since(r.Began).Seconds()
	reap.Forget(cmd)
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // whatever it started and left behind
	reap.Sweep("")                                  // also in another session
	r.Exit = cmd.ProcessState.ExitCode()
	r.PeakRSS = peak(cmd.ProcessState)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		r.Exit, r.Ending = -1, fmt.Sprintf("it was ended after %v, its time limit", o.Timeout)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		r.Ending = err.Error()
	}
	return log.Sync()
}

// lastWords is the end of a run's log, for a reader who wonders why it failed.
func (r Run) lastWords() string {
	const most = 2 << 10
	file, err := os.Open(r.Log)
	if err != nil {
		return ""
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return ""
	}
	tail := make([]byte, min(most, info.Size()))
	if _, err := file.ReadAt(tail, info.Size()-int64(len(tail))); err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(string(tail), "\ufffd")), "\n")
	return strings.Join(lines[max(0, len(lines)-8):], "\n")
}
