package driver

import (
	"context"
	"encoding/json"
	"time"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// A Probe is one process of a driver, for who looks at how it keeps the protocol
// rather than at what it answers. It is a transport.
type Probe struct{ *process }

// Probe starts a process of the command, and asks it nothing.
func (c Command) Probe() (*Probe, error) {
	t, err := NewPool(c).launch(spec.Process{})
	if err != nil {
		return nil, err
	}
	return &Probe{t}, nil
}

// Raw sends a request with any members, and an id of its own, and waits so long
// for the answer, and not beyond the end of ctx.
func (p *Probe) Raw(ctx context.Context, within time.Duration, members map[string]any) (op.Response, error) {
	p.last++
	members["id"] = p.last
	line, err := json.Marshal(members)
	if err != nil {
		return op.Response{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	method, _ := members["method"].(string)
	return p.exchange(ctx, op.Request{ID: p.last, Call: op.Call{Method: method}}, line)
}

// Pid is the process that was started, which may have started the driver in turn.
func (p *Probe) Pid() int { return p.cmd.Process.Pid }

// Pipes are the pipes of requests and of answers, as Linux names what a descriptor
// is of.
func (p *Probe) Pipes() [2]string { return p.pipes }

// Gone says whether it can be asked no more.
func (p *Probe) Gone() bool { return p.gone() }
