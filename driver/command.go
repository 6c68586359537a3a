package driver

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// A Command is a driver in any language, and how long it may take.
type Command struct {
	Args     []string      // the program and its arguments, at least one
	Start    time.Duration // for a process to start and begin with a subject; [DefaultStart] when 0
	Request  time.Duration // for each request after that; [op.DefaultDeadline] when 0
	Restarts int           // processes that may fail and be replaced
}

// DefaultStart is how long a driver may take to start: importing what a model
// needs takes its time.
const DefaultStart = time.Minute

// A Pool starts subjects in the processes of a driver. A process whose subject has
// been closed is kept for the next one; two subjects at once have a process each.
type Pool struct {
	c Command

	mu     sync.Mutex
	idle   []*process
	closed bool
	failed int // processes that can be asked no more
}

// NewPool makes a pool without processes.
func NewPool(c Command) *Pool {
	if c.Start <= 0 {
		c.Start = DefaultStart
	}
	if c.Request <= 0 {
		c.Request = op.DefaultDeadline
	}
	return &Pool{c: c}
}

// Open starts a subject. Asked for a fresh process, it starts one that is not kept.
func (p *Pool) Open(ctx context.Context, want spec.Process) (*op.Client, error) {
	t, err := p.lend(ctx, want)
	if err != nil {
		return nil, err
	}
	c, err := op.NewClient(t, p.c.Request, want.Log)
	if err != nil {
		t.process.end(0)
		t.Close()
		return nil, err
	}
	t.process.reads = c.Hello().Environment
	return c, nil
}

// Close ends the processes that are kept, and keeps no more.
func (p *Pool) Close() {
	p.mu.Lock()
	idle := p.idle
	p.idle, p.closed = nil, true
	p.mu.Unlock()
	for _, t := range idle {
		t.Close()
	}
}

// lend finds or starts a process, and has it begin with a subject.
func (p *Pool) lend(ctx context.Context, want spec.Process) (*lease, error) {
	t, err := p.take(want)
	if err != nil {
		return nil, err
	}
	l := &lease{process: t, of: p, keep: !want.Fresh}
	ctx, cancel := context.WithTimeout(ctx, p.c.Start)
	defer cancel()
	a, err := t.Do(ctx, op.Request{Call: op.Call{Method: "start", Params: op.Params{Env: want.Env, Cores: want.Threads}}})
	if err == nil && a.Error != nil {
		err = t.fail(op.Garbled, op.Request{Call: starting}, a.Error.Error())
	}
	if err != nil {
		l.Close()
		return nil, err
	}
	for _, r := range a.Log {
		if want.Log != nil {
			want.Log(r)
		}
	}
	return l, nil
}

// take takes a process that is kept and can begin with such a subject, or starts
// one.
func (p *Pool) take(want spec.Process) (*process, error) {
	p.mu.Lock()
	if p.failed > p.c.Restarts {
		defer p.mu.Unlock()
		return nil, &op.Failure{Fate: op.Garbled, Request: starting,
			Detail: fmt.Sprintf("%d processes of the driver failed, and no more than %d restarts were allowed", p.failed, p.c.Restarts)}
	}
	for i, t := range p.idle {
		if !want.Fresh && t.fits(want) {
			p.idle = slices.Delete(p.idle, i, i+1)
			p.mu.Unlock()
			return t, nil
		}
	}
	p.mu.Unlock()
	return p.launch(want)
}

// IDVar is in the environment of a driver and of whatever it starts, with the
// number of its process.
const IDVar = "STATESPEC_DRIVER"

var launched atomic.Int64

func (p *Pool) launch(want spec.Process) (*process, error) {
	mark := IDVar + "=" + strconv.Itoa(os.Getpid()) + "." + strconv.FormatInt(launched.Add(1), 10)
	cmd := exec.Command(p.c.Args[0], p.c.Args[1:]...)
	cmd.Env = append(environment(os.Environ(), want.Env), mark)
	cmd.SysProcAttr = attributes()
	t, err := start(cmd, onStandard, mark)
	if err != nil {
		p.count()
		return nil, &op.Failure{Fate: op.Garbled, Request: starting, Detail: err.Error()}
	}
	t.env, t.cores = maps.Clone(want.Env), want.Threads
	return t, nil
}

// fits says whether a process can begin with a subject: any one where the
// implementation reads its environment at each call, else one that was started in
// the same.
func (t *process) fits(want spec.Process) bool {
	return t.reads == "call" || maps.Equal(t.env, want.Env) && t.cores == want.Threads
}

func (p *Pool) count() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failed++
}

// A lease is a process while one client asks it.
type lease struct {
	*process
	of   *Pool
	keep bool
	back sync.Once
}

// Close gives the process back, or ends it.
func (l *lease) Close() (err error) {
	l.back.Do(func() {
		if l.gone() {
			l.of.count()
			return
		}
		if !l.keep || !l.of.put(l.process) {
			err = l.process.Close()
		}
	})
	return err
}

// mostIdle is how many processes a pool keeps: as many as specs have subjects at
// once. One that reads its environment when it starts would else have one for
// each.
const mostIdle = 2

// put keeps a process, and ends the one that was kept longest where there are too
// many.
func (p *Pool) put(t *process) (kept bool) {
	var over *process
	p.mu.Lock()
	if kept = !p.closed; kept {
		p.idle = append(p.idle, t)
		if len(p.idle) > mostIdle {
			over = p.idle[0]
			p.idle = slices.Delete(p.idle, 0, 1)
		}
	}
	p.mu.Unlock()
	if over != nil {
		over.Close()
	}
	return kept
}

// Check says what is wrong with a command before it is started.
func (c Command) Check() error {
	if len(c.Args) == 0 {
		return errors.New("no command: want the driver's program and its arguments")
	}
	if _, err := exec.LookPath(c.Args[0]); err != nil {
		return err
	}
	return nil
}
