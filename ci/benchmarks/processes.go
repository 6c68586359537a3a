package benchmarks

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"github.com/statespec/statespec/ci/paired"
	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// trace is how many operations a trace has.
const trace = 10_000

// A child is a driver in another process.
type child struct {
	language string
	args     []string
	most     float64 // of a request, to cat
}

func requests(o Options) []paired.Benchmark {
	children := []child{{"go", nil, 3}, {"python", o.Python, 5}}
	if o.Statespec != nil {
		children[0].args = append(append([]string(nil), o.Statespec...), "serve")
	}
	request := paired.Benchmark{Name: "Request", Slice: 20 * time.Millisecond, Doc: "a request to a driver and its answer; the control is a line of as many bytes through cat"}
	request.Variants = append(request.Variants, paired.Variant{Name: controlled(""), SetUp: cat})
	list := []paired.Benchmark{request}
	for _, c := range children {
		list[0].Variants = append(list[0].Variants, paired.Variant{
			Name: "driver=" + c.language, Most: paired.AtMost(c.most), SetUp: c.asking(func(s *op.Client) func() error {
				return func() error {
					_, err := s.Ask(contains("session 7"))
					return err
				}
			}),
		})
		list = append(list, paired.Benchmark{
			Name: "Trace", Doc: "a trace of 10,000 operations sent at once; the control sends one request each",
			Variants: []paired.Variant{
				{Name: fmt.Sprintf("impl=batch/driver=%s/operations=%d", c.language, trace), Most: paired.AtMost(0.35), SetUp: c.asking(batched)},
				{Name: controlled(fmt.Sprintf("/driver=%s/operations=%d", c.language, trace)), SetUp: c.asking(oneByOne)},
			},
		})
	}
	return list
}

func contains(id string) op.Call {
	return op.Call{Method: "contains", Params: op.Params{On: "m", Session: &id}}
}

func traced() (calls []op.Call) {
	for i := range trace {
		calls = append(calls, contains(fmt.Sprint("session ", i%100)))
	}
	return calls
}

func batched(s *op.Client) func() error {
	calls := traced()
	return func() error {
		_, err := s.Ask(op.Call{Method: "batch", Params: op.Params{Calls: calls}})
		return err
	}
}

func oneByOne(s *op.Client) func() error {
	calls := traced()
	return func() error {
		for _, c := range calls {
			if _, err := s.Ask(c); err != nil {
				return err
			}
		}
		return nil
	}
}

// asking is a body that asks a driver something, over and over.
func (c child) asking(what func(*op.Client) func() error) func(context.Context) (*paired.Body, error) {
	return func(ctx context.Context) (*paired.Body, error) {
		if c.args == nil {
			return nil, paired.Unavailable{Why: "no driver in " + c.language + " is known here"}
		}
		pool := driver.NewPool(driver.Command{Args: c.args})
		s, err := pool.Open(ctx, spec.Process{})
		if err != nil {
			pool.Close()
			return nil, err
		}
		end := func() error {
			err := s.Close()
			pool.Close()
			return err
		}
		if _, err := s.Ask(op.Call{Method: "new_manager", Params: op.Params{As: "m", ManagerSpec: &spec.ManagerSpec{Cap: new(64)}}}); err != nil {
			return nil, errors.Join(err, end())
		}
		ask := what(s)
		return &paired.Body{Uncounted: true, Close: end, Run: func(n int) error {
			for range n {
				if err := ask(); err != nil {
					return err
				}
			}
			return nil
		}}, nil
	}
}

// cat is a line through cat and back.
func cat(ctx context.Context) (*paired.Body, error) {
	path, err := exec.LookPath("cat")
	if err != nil {
		return nil, paired.Unavailable{Why: "there is no cat"}
	}
	cmd := exec.CommandContext(ctx, path)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(out)
	const line = `{"id":1234,"method":"contains","params":{"on":"m","session":"session 7"}}` + "\n"
	return &paired.Body{
		Uncounted: true,
		Run: func(n int) error {
			for range n {
				if _, err := io.WriteString(in, line); err != nil {
					return err
				}
				if _, err := lines.ReadString('\n'); err != nil {
					return err
				}
			}
			return nil
		},
		Close: func() error { return errors.Join(in.Close(), cmd.Wait()) },
	}, nil
}

// conformance is one run of the whole suite of the Go reference.
func conformance(o Options) paired.Benchmark {
	return paired.Benchmark{
		Name: "Conformance", Doc: "the whole conformance run of the Go reference; there is no control, the target is in seconds",
		Variants: []paired.Variant{{
			Name: ours(""), Most: map[string]float64{"sec/op": 5},
			SetUp: func(ctx context.Context) (*paired.Body, error) {
				if o.Statespec == nil {
					return nil, paired.Unavailable{Why: "the command itself is not known here"}
				}
				return &paired.Body{Timed: func(n int) (took time.Duration, err error) {
					for range n {
						cmd := exec.CommandContext(ctx, o.Statespec[0], append(append([]string(nil), o.Statespec[1:]...), "run")...)
						start := time.Now()
						if out, err := cmd.CombinedOutput(); err != nil {
							return 0, fmt.Errorf("%v: %w\n%s", cmd.Args, err, out)
						}
						took += time.Since(start)
					}
					return took, nil
				}}, nil
			},
		}},
	}
}
