package driver

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// Open starts a factory's subjects: in this process or, when a fresh process is
// asked for, by running this binary again with the same arguments, which then
// calls [ServeIfAsked] with the same factory.
func Open(f spec.Factory) func(context.Context, spec.Process) (*op.Client, error) {
	return OpenWithin(f, op.DefaultDeadline)
}

// OpenWithin is Open with a deadline for each request, and [op.Longer] times that for
// the start.
func OpenWithin(f spec.Factory, deadline time.Duration) func(context.Context, spec.Process) (*op.Client, error) {
	return func(ctx context.Context, p spec.Process) (*op.Client, error) {
		open := near
		if p.Fresh {
			open = fresh
		}
		t, err := open(ctx, f, p, op.Longer*deadline)
		if err != nil {
			return nil, err
		}
		c, err := op.NewClient(t, deadline, p.Log)
		if err != nil {
			t.Close()
			return nil, err
		}
		return c, nil
	}
}

// starting is the request that a failure of a start is told with.
var starting = op.Call{Method: "start"}

// near starts a subject in this process, on a goroutine of its own: a start that
// panics or never ends is the subject's.
func near(ctx context.Context, f spec.Factory, p spec.Process, deadline time.Duration) (op.Transport, error) {
	log := &op.Log{}
	p.Log = log.Add
	type started struct {
		s   spec.Subject
		err error
	}
	done := make(chan started, 1)
	go func() {
		var got started
		defer func() {
			if v := recover(); v != nil {
				got.err = &op.Failure{Fate: op.Crashed, Request: starting, Detail: fmt.Sprintf("panic: %v\n%s", v, debug.Stack())}
			}
			done <- got
		}()
		got.s, got.err = f(ctx, p)
	}()
	select {
	case got := <-done:
		switch {
		case got.err != nil:
			return nil, got.err
		case got.s == nil:
			return nil, &op.Failure{Fate: op.Garbled, Request: starting, Detail: "the factory returned neither a subject nor an error"}
		}
		return op.Local(got.s, log), nil
	case <-time.After(deadline):
		return nil, &op.Failure{Fate: op.Hung, Request: starting, Detail: fmt.Sprintf("not started after %v", deadline)}
	}
}

// fresh starts a subject in a process made of this same binary.
func fresh(_ context.Context, _ spec.Factory, p spec.Process, _ time.Duration) (op.Transport, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	env := append(environment(os.Environ(), p.Env), ServeVar+"=1", threadsVar+"="+strconv.Itoa(p.Threads))
	cmd := exec.Command(self, os.Args[1:]...)
	cmd.Env, cmd.SysProcAttr = env, attributes()
	return start(cmd, onOwn, "")
}

// threadsVar carries Process.Threads to a fresh process.
const threadsVar = "STATESPEC_THREADS"

// threads is what the process that started this one asked for; 0 for nothing.
func threads() int {
	n, err := strconv.Atoi(os.Getenv(threadsVar))
	if err != nil || n < 0 {
		return 0
	}
	return n
}
