package op

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// race runs each list of calls on a thread of its own. All are released at once,
// and again before every few calls: on a busy machine one list would else be
// through before the other gets a processor.
func race(c *call) error {
	threads := c.p.Threads
	out := make([][]Answer, len(threads))
	rounds, patience := roundsOf(threads), spin
	if len(threads) > runtime.GOMAXPROCS(0) {
		patience = spinCrowded
	}
	var done sync.WaitGroup
	panics := make([]*Panic, len(threads))
	t0 := time.Now()
	for i, calls := range threads {
		out[i] = make([]Answer, len(calls))
		done.Go(func() {
			at := 0
			defer func() {
				if panics[i] = caught(recover()); panics[i] != nil {
					rounds.leave(at, len(calls))
				}
			}()
			for ; at < len(calls); at++ {
				if at%stride == 0 {
					arrive(&rounds[at/stride], patience)
				}
				a := &out[i][at]
				a.Start = time.Since(t0)
				a.Result, a.Error = c.d.Serve(calls[at])
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

// stride is how many calls a thread makes between two releases: few, so that
// threads stay beside each other, and more than one, so that the order of their
// calls is theirs.
const stride = 8

// rounds are the releases of a race: how many threads each still waits for.
type rounds []atomic.Int32

func roundsOf(threads [][]Call) rounds {
	longest := 0
	for _, calls := range threads {
		longest = max(longest, len(calls))
	}
	rs := make(rounds, (longest+stride-1)/stride)
	for _, calls := range threads {
		for at := 0; at < len(calls); at += stride {
			rs[at/stride].Add(1)
		}
	}
	return rs
}

// leave releases the others from a thread that comes no more, after the call
// that it ended in.
func (rs rounds) leave(at, n int) {
	for at = (at/stride + 1) * stride; at < n; at += stride {
		rs[at/stride].Add(-1)
	}
}

// arrive waits until everybody has. It spins: a barrier that blocks wakes its
// threads further apart than a whole operation takes. It keeps its processor
// while it does, or the last to arrive would run alone where the others are
// still queued behind it, and yields now and then for machines that have fewer
// processors than there are threads.
func arrive(absent *atomic.Int32, patience time.Duration) {
	absent.Add(-1)
	for began := time.Now(); absent.Load() > 0; {
		if time.Since(began) > patience {
			runtime.Gosched()
			began = time.Now()
		}
	}
}

// spin is how long a thread waits before it yields, and spinCrowded how long
// where there are more of them than processors: one that it waits for may be
// waiting for its own.
const (
	spin        = 200 * time.Microsecond
	spinCrowded = 20 * time.Microsecond
)

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
