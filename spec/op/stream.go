package op

import (
	"time"

	"github.com/statespec/statespec/spec"
)

// Stream lists the messages that a driver answers beside those of [Table]: they
// are about the stream of requests, and no part of the port.
func Stream() []Row { return stream[:] }

// They are set in init, since a batch serves calls, which the table is of.
var stream [3]Row

func init() {
	stream = [...]Row{
		{Method: "start", On: OnStream, Params: may(nil, "env", "cores"), Doc: "end whatever is held, set the feature's variables, and begin with a new subject"},
		{Method: "batch", On: OnStream, Params: need("calls"), Result: "answers", Doc: "make calls in order, and answer each", serve: batch},
		{Method: "bench", On: OnStream, Params: need("calls", "times"), Result: "timing", Doc: "make calls over and over, and say how long that takes", serve: bench},
	}
}

// batch makes calls one after the other, whatever came of those before.
func batch(c *call) error {
	if err := c.flat(); err != nil {
		return err
	}
	t0 := time.Now()
	c.r.Answers = make([]Answer, len(c.p.Calls))
	for i, k := range c.p.Calls {
		a := &c.r.Answers[i]
		a.Start = time.Since(t0)
		a.Result, a.Error = c.d.Serve(k)
		a.End = time.Since(t0)
	}
	return nil
}

// bench makes calls over and over, and as many that do nothing. The first that is
// not answered with a result ends it.
func bench(c *call) error {
	if c.p.Times < 1 {
		return spec.Refuse(spec.Internal, "bench: params.times is %d, want at least 1", c.p.Times)
	}
	if err := c.flat(); err != nil {
		return err
	}
	var took, floor time.Duration
	for left := c.p.Times; left > 0; { // in turn, so that whatever else the machine does is in both
		n := min(left, 1+c.p.Times/turns)
		left -= n
		began := time.Now()
		for range n {
			for _, k := range c.p.Calls {
				if _, err := c.d.Serve(k); err != nil {
					return err
				}
			}
		}
		took += time.Since(began)
		began = time.Now()
		for range n * len(c.p.Calls) {
			c.d.Serve(Call{Method: nothing})
		}
		floor += time.Since(began)
	}
	c.r.Timing = &Timing{Times: c.p.Times, Took: took, Floor: floor}
	return nil
}

// turns is how often a bench goes from its calls to those that do nothing.
const turns = 32

// nothing is the method of the operation that does nothing, which is in no table.
const nothing = "\x00"

// flat refuses a list of calls with another list in it.
func (c *call) flat() error {
	for _, k := range c.p.Calls {
		switch k.Method {
		case "start", "batch", "bench":
			return spec.Refuse(spec.Internal, "params.calls: a list of calls has no %s in it", k.Method)
		}
	}
	return nil
}
