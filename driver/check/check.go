package check

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// A Word is what became of a rule.
type Word string

const (
	Right   Word = "right"
	Wrong   Word = "wrong"
	Skipped Word = "not claimed" // the driver does not claim what the rule is about
	Unasked Word = "not asked"   // something that the rule builds on is wrong
)

// A Finding is what became of one rule.
type Finding struct {
	Rule string `json:"rule"` // its name
	Word Word   `json:"word"`
	What string `json:"what,omitempty"` // what was seen, of a rule that is wrong
	Mend string `json:"mend,omitempty"` // how to mend it
}

// A rule is one thing that a driver has to do.
type rule struct {
	name string
	mend string
	ask  func(*visit) error
}

// errNotClaimed ends a rule about something that the driver does not claim.
var errNotClaimed = errors.New("not claimed")

// A visit is a driver while it is checked.
type visit struct {
	ctx     context.Context
	command driver.Command
	probe   *driver.Probe
	hello   spec.Hello
	made    int // handles
}

// Run checks a driver by each rule in turn, and tells each finding as it comes.
// The error is of a driver that could not be started at all, or that of ctx, at whose
// end Run ends the driver and returns what was found until then.
func Run(ctx context.Context, c driver.Command, tell func(Finding)) (findings []Finding, err error) {
	if c.Start <= 0 {
		c.Start = driver.DefaultStart
	}
	if c.Request <= 0 {
		c.Request = op.DefaultDeadline
	}
	v := &visit{ctx: ctx, command: c}
	if v.probe, err = c.Probe(); err != nil {
		return nil, err
	}
	defer func() { v.probe.Close() }()
	lost := false
	for i, r := range rules {
		f := Finding{Rule: r.name, Word: Right}
		if lost {
			f.Word = Unasked
		} else {
			f = v.find(r)
			lost = f.Word == Wrong && i < vital
		}
		if ctx.Err() != nil { // whatever the rule came to, it may be by that
			return findings, ctx.Err()
		}
		findings = append(findings, f)
		tell(f)
	}
	return findings, nil
}

func (v *visit) find(r rule) Finding {
	err := v.fresh()
	if err == nil {
		err = r.ask(v)
	}
	switch {
	case errors.Is(err, errNotClaimed):
		return Finding{Rule: r.name, Word: Skipped}
	case err != nil:
		return Finding{Rule: r.name, Word: Wrong, What: err.Error(), Mend: r.mend}
	}
	return Finding{Rule: r.name, Word: Right}
}

// fresh replaces a process that can be asked no more.
func (v *visit) fresh() (err error) {
	if !v.probe.Gone() {
		return nil
	}
	if v.probe, err = v.command.Probe(); err != nil {
		return err
	}
	return v.begin(nil)
}

// begin has the driver begin with a subject.
func (v *visit) begin(env map[string]string) error {
	params := map[string]any{}
	if env != nil {
		params["env"] = env
	}
	_, err := v.result(v.command.Start, "start", params)
	return err
}

// ask makes a request, and takes an error as an answer, too.
func (v *visit) ask(method string, params map[string]any) (op.Response, error) {
	return v.probe.Raw(v.ctx, v.command.Request, map[string]any{"method": method, "params": params})
}

// result makes a request that has to come to a result.
func (v *visit) result(within time.Duration, method string, params map[string]any) (*op.Result, error) {
	a, err := v.probe.Raw(v.ctx, within, map[string]any{"method": method, "params": params})
	switch {
	case err != nil:
		return nil, err
	case a.Error != nil:
		return nil, fmt.Errorf("%s answers an error: %w", method, a.Error)
	case a.Result == nil:
		return nil, fmt.Errorf(`%s answers with neither "result" nor "error"`, method)
	}
	return a.Result, nil
}

// must is result within the time of a request.
func (v *visit) must(method string, params map[string]any) (*op.Result, error) {
	return v.result(v.command.Request, method, params)
}

// name is a handle that was not used yet.
func (v *visit) name() string {
	v.made++
	return fmt.Sprintf("c%d", v.made)
}

// make makes something, and returns its handle.
func (v *visit) make(method string, params map[string]any) (string, error) {
	h := v.name()
	params["as"] = h
	_, err := v.must(method, params)
	return h, err
}

func (v *visit) value(recipe map[string]any, from ...string) (string, error) {
	params := map[string]any{"recipe": recipe}
	if len(from) > 0 {
		params["from"] = from
	}
	return v.make("make", params)
}
