package driver

import (
	"context"
	"os"
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

// OpenWithin is Open with a deadline for each request.
func OpenWithin(f spec.Factory, deadline time.Duration) func(context.Context, spec.Process) (*op.Client, error) {
	return func(ctx context.Context, p spec.Process) (*op.Client, error) {
		if p.Fresh {
			return fresh(p, deadline)
		}
		log := &op.Log{}
		said := p.Log
		p.Log = log.Add
		s, err := f(ctx, p)
		if err != nil {
			return nil, err
		}
		c, err := op.NewClient(op.Local(s, log), deadline, said)
		if err != nil {
			s.Close()
			return nil, err
		}
		return c, nil
	}
}

func fresh(p spec.Process, deadline time.Duration) (*op.Client, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	extra := []string{ServeVar + "=1", threadsVar + "=" + strconv.Itoa(p.Threads)}
	t, err := Start(p, extra, self, os.Args[1:]...)
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
