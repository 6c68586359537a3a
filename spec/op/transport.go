package op

import (
	"context"
	"fmt"
	"time"

	"github.com/statespec/statespec/spec"
)

// A Transport carries requests to a subject. Its error means that the subject
// can be asked no more: it is a [*Failure].
type Transport interface {
	Do(ctx context.Context, q Request) (Response, error)
	Close() error
}

// A Fate is how a subject failed that did not refuse.
type Fate string

const (
	Crashed Fate = "crashed"      // panicked, or its process ended
	Hung    Fate = "hung"         // no answer within the deadline
	Garbled Fate = "driver-error" // answered nonsense, or could not be started
)

// Failure is the end of a subject, and the request that it came with.
type Failure struct {
	Fate    Fate
	Request Call
	Detail  string
}

func (f *Failure) Error() string {
	return fmt.Sprintf("the subject %s during %s: %s", words[f.Fate], f.Request.Method, f.Detail)
}

// Unwrap keeps a failure from reading as a refusal, which every other error of
// an implementation is.
func (f *Failure) Unwrap() error { return spec.Internal }

// GomegaString is what a failed assertion shows: the error, not its fields.
func (f *Failure) GomegaString() string { return f.Error() }

var words = map[Fate]string{Crashed: "crashed", Hung: "hung", Garbled: "failed"}

// local carries requests to a dispatcher in this process.
type local struct {
	d   *Dispatcher
	log *Log
}

// Local is the transport to a subject in this process. What the subject logs
// has to be given to the log as it comes.
func Local(s spec.Subject, log *Log) Transport { return &local{NewDispatcher(s), log} }

// Do runs the call on a goroutine of its own, so that one that never returns
// costs the harness that goroutine and no more.
func (l *local) Do(ctx context.Context, q Request) (Response, error) {
	type answer struct {
		r   *Result
		err *spec.Error
		p   *Panic
	}
	done := make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			a.p = caught(recover())
			done <- a
		}()
		a.r, a.err = l.d.Serve(q.Call)
	}()
	began := time.Now()
	select {
	case a := <-done:
		if a.p != nil {
			return Response{}, &Failure{Crashed, q.Call, fmt.Sprintf("%v\n%s", a.p, a.p.Stack)}
		}
		return Response{ID: q.ID, Result: a.r, Error: a.err, Log: l.log.Take()}, nil
	case <-ctx.Done():
		return Response{}, &Failure{Hung, q.Call, fmt.Sprintf("no answer after %v", time.Since(began).Round(time.Millisecond))}
	}
}

// closeGrace is how long a subject may take to end.
const closeGrace = 2 * time.Second

// Close ends the subject, or leaves one that does not end.
func (l *local) Close() error {
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() {
			if p := caught(recover()); p != nil {
				err = &Failure{Crashed, Call{Method: "close"}, fmt.Sprintf("%v\n%s", p, p.Stack)}
			}
			done <- err
		}()
		err = l.d.Close()
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(closeGrace):
		return &Failure{Hung, Call{Method: "close"}, fmt.Sprintf("not closed after %v", closeGrace)}
	}
}
