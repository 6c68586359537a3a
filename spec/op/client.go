package op

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/statespec/statespec/spec"
)

// DefaultDeadline is how long one request may take.
const DefaultDeadline = 10 * time.Second

// Client drives a subject: it is the port's interfaces over a transport. It is
// safe for concurrent use; requests are carried one at a time.
type Client struct {
	hello    spec.Hello
	deadline time.Duration
	log      func(spec.Record)
	place    string // where tensors are made whose recipe names no device

	mu         sync.Mutex
	t          Transport
	last       int64  // number of the last request
	made       int    // handles named so far
	failure    error  // why nothing can be asked any more
	internal   error  // the driver's own failure, if it told of one
	transcript []Call // what was asked, the oldest left out past the limit
	left       int    // how many were left out
}

// transcriptLimit bounds the calls that a client remembers.
const transcriptLimit = 2000

// NewClient asks the subject behind a transport who it is. Each request may take
// as long as the deadline; what the subject logs goes to log, which may be nil.
func NewClient(t Transport, deadline time.Duration, log func(spec.Record)) (*Client, error) {
	if deadline <= 0 {
		deadline = DefaultDeadline
	}
	c := &Client{t: t, deadline: deadline, log: log}
	r, err := c.call(Call{Method: "hello"})
	if err != nil {
		return nil, err
	}
	if r.Hello.Protocol != spec.ProtocolVersion {
		return nil, &Failure{Garbled, Call{Method: "hello"},
			fmt.Sprintf("it speaks protocol %d, want %d", r.Hello.Protocol, spec.ProtocolVersion)}
	}
	if wrong := misspoken(*r.Hello); wrong != "" {
		return nil, &Failure{Garbled, Call{Method: "hello"}, wrong}
	}
	c.hello = *r.Hello
	return c, nil
}

// On has tensors made on a device of the subject, where their recipe names none.
// Host arrays stay on the host. It is called before anything is made.
func (c *Client) On(device string) error {
	if device != "" && !slices.Contains(c.hello.Devices, device) {
		return fmt.Errorf("the subject has no device %q; it names %s", device, strings.Join(c.hello.Devices, ", "))
	}
	c.place = device
	return nil
}

// Device is where tensors are made whose recipe names no device.
func (c *Client) Device() string { return cmp.Or(c.place, "cpu") }

// Failure is why the subject cannot be asked any more, or its driver's own
// failure; nil while neither came. After one, refusals mean nothing.
func (c *Client) Failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure != nil {
		return c.failure
	}
	return c.internal
}

// Transcript is what was asked, oldest first, and how many earlier calls were
// left out.
func (c *Client) Transcript() (calls []Call, left int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Call(nil), c.transcript...), c.left
}

// Close ends the subject.
func (c *Client) Close() error { return c.t.Close() }

// Hello is what the subject said of itself at the start.
func (c *Client) Hello() spec.Hello { return c.hello }

// Ask makes one call as it stands: for calls that were recorded, and for those of
// the stream. The names of handles in it are the caller's affair.
func (c *Client) Ask(k Call) (*Result, error) { return c.call(k) }

func (c *Client) call(k Call) (*Result, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure != nil {
		return nil, c.failure
	}
	c.last++
	c.remember(k)
	deadline := c.deadline
	if k.long() {
		deadline *= Longer
	}
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	a, err := c.t.Do(ctx, Request{c.last, k})
	if err != nil {
		c.failure = err
		return nil, err
	}
	for _, r := range a.Log {
		if !slices.Contains(levels, r.Level) {
			return nil, c.garbled(k, fmt.Sprintf("it logged at level %q, want one of %q", r.Level, levels))
		}
		if c.log != nil {
			c.log(r)
		}
	}
	return c.judged(k, a)
}

// judged tells a refusal from an answer that is none.
func (c *Client) judged(k Call, a Response) (*Result, error) {
	switch {
	case a.Error != nil:
		if a.Error.Kind == spec.Internal {
			c.internal = &Failure{Garbled, k, a.Error.Message}
		}
		if claim := c.denied(k, a.Error); claim != "" {
			return nil, &Contradiction{k.Method, claim}
		}
		return nil, a.Error
	case a.Result == nil:
		return nil, c.garbled(k, "the answer has neither a result nor an error")
	}
	if wrong := malformed(k, a.Result); wrong != "" {
		return nil, c.garbled(k, wrong)
	}
	return a.Result, nil
}

// Longer is how much longer than others a request may take that is long, and a start:
// a CUDA driver alone may take more than ten seconds to begin with several GPUs.
const Longer = 6

// long says whether a call is one of work, rather than of state: the first of a
// process, and that of an encoder of the shipped size.
func (k Call) long() bool {
	return k.Method == "hello" || k.Params.Step != nil && k.Params.Step.Do == "encode_newest"
}

func (c *Client) garbled(k Call, how string) error {
	c.failure = &Failure{Garbled, k, how}
	return c.failure
}

func (c *Client) remember(k Call) {
	if len(c.transcript) == transcriptLimit {
		c.transcript = append(c.transcript[:0], c.transcript[transcriptLimit/2:]...)
		c.left += transcriptLimit / 2
	}
	c.transcript = append(c.transcript, k)
}

// name chooses a handle for something of a kind: "s7" for a session.
func (c *Client) name(kind Receiver) Handle {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made++
	return fmt.Sprintf("%c%d", letters[kind], c.made)
}

var letters = map[Receiver]rune{OnManager: 'm', OnSession: 's', OnObject: 'o', OnValue: 'v', OnModel: 'd', OnState: 't'}

// remote is a handle of the harness: a name, and whose it is.
type remote struct {
	c *Client
	h Handle
}

func (r remote) handle() Handle { return r.h }

// Release lets go of the thing.
func (r remote) Release() error {
	_, err := r.c.call(Call{"release", Params{On: r.h}})
	return err
}

type named interface{ handle() Handle }

// handleOf is the name of a handle that a client made; empty for nil.
func handleOf(h spec.Handle) Handle {
	if h == nil {
		return ""
	}
	return h.(named).handle()
}

func handlesOf(vs []spec.Value) []Handle {
	hs := make([]Handle, len(vs))
	for i, v := range vs {
		hs[i] = handleOf(v)
	}
	return hs
}

// make sends a call whose result is a handle; ok is false when the result is
// nothing, or a refusal.
func (c *Client) make(kind Receiver, method string, p Params) (remote, bool, error) {
	p.As = c.name(kind)
	r, err := c.call(Call{method, p})
	return remote{c, p.As}, err == nil && !r.None, err
}

// value is make for a value, which may be nothing.
func (c *Client) value(method string, p Params) (spec.Value, error) {
	r, ok, err := c.make(OnValue, method, p)
	if !ok {
		return nil, err
	}
	return &value{r}, nil
}

// id is a session's id as a parameter.
func id(ids []string) (*string, error) {
	switch len(ids) {
	case 0:
		return nil, nil
	case 1:
		return &ids[0], nil
	}
	return nil, spec.Refuse(spec.InvalidArgument, "a request names one session, not %d", len(ids))
}
