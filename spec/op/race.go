package op

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// race runs each list of calls on a thread of its own, all released at once.
func race(c *call) error {
	threads := c.p.Threads
	out := make([][]Answer, len(threads))
	var absent atomic.Int32 // who has still to arrive
	absent.Store(int32(len(threads)))
	var done sync.WaitGroup
	panics := make([]*Panic, len(threads))
	t0 := time.Now()
	for i, calls := range threads {
		out[i] = make([]Answer, len(calls))
		done.Go(func() {
			defer func() { panics[i] = caught(recover()) }()
			// Spinning: a barrier that blocks wakes its threads further apart
			// than a whole operation takes.
			for absent.Add(-1); absent.Load() > 0; {
				runtime.Gosched()
			}
			for j, call := range calls {
				a := &out[i][j]
				a.Start = time.Since(t0)
				a.Result, a.Error = c.d.Serve(call)
				a.End = time.Since(t0)
			}
		})
	}
	done.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p) // on the thread that whoever called watches
		}
	}
	c.r.Events = out
	return nil
}

// Panic is a panic of the subject, with the stack on which it rose.
type Panic struct {
	Value any
	Stack []byte
}

func (p *Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// caught is what recover returned, nil for nothing.
func caught(v any) *Panic {
	switch v := v.(type) {
	case nil:
		return nil
	case *Panic:
		return v
	}
	return &Panic{Value: v, Stack: debug.Stack()}
}
