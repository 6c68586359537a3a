//go:build cuda

package cuda

import (
	"weak"

	"gorgonia.org/cu"

	"github.com/statespec/statespec/reference/fault"
)

// A Stream is a queue of work that the device does in order, beside other streams.
// A nil *Stream stands for the device's own wherever one is asked for.
type Stream struct {
	d        *Device
	resource *resource
	stream   cu.Stream
}

// NewStream makes a stream that waits for no other.
func (d *Device) NewStream() (s *Stream, err error) {
	err = d.do(func() error {
		made, err := cu.MakeStream(cu.NonBlocking)
		if err != nil {
			return err
		}
		s = &Stream{d: d, stream: made}
		s.resource = d.own(aStream, 0, 0, func() error { return made.Destroy() }, weak.Pointer[Memory]{})
		return nil
	})
	if err != nil {
		return nil, d.failed(err, "make a stream")
	}
	return s, nil
}

// Synchronize waits until all work queued so far is done, and returns the error of
// any of it.
func (s *Stream) Synchronize() error {
	return s.d.using(func() string { return "synchronize a stream" }, func() error {
		return s.stream.Synchronize()
	}, s.resource)
}

// Close waits for the device's work and ends the stream. Closing twice is
// ErrReleased.
func (s *Stream) Close() error { return s.d.release(s.resource, "close a stream") }

// Wait has the work queued from now on wait for an event as it was recorded last.
// An event that was not recorded is not waited for.
func (s *Stream) Wait(e *Event) error {
	const operation = "wait for an event"
	switch {
	case e == nil:
		return fault.New(fault.ErrInvalidArgument, "%s: %s: there is no event", s.d.device, operation)
	case e.d != s.d:
		return fault.New(fault.ErrInvalidArgument, "%s: %s: the event belongs to another context, on %s", s.d.device, operation, e.d.device)
	}
	return s.d.using(func() string { return operation }, func() error {
		return s.stream.Wait(e.event, 0)
	}, s.resource, e.resource)
}

// queue is the stream that an operation goes to.
func (d *Device) queue(operation func() string, s *Stream) (Stream, error) {
	switch {
	case s == nil:
		return Stream{d: d, stream: d.stream}, nil
	case s.d != d:
		return Stream{}, fault.New(fault.ErrInvalidArgument, "%s: %s: the stream belongs to another context, on %s", d.device, operation(), s.d.device)
	}
	return *s, nil
}

// resources are what the use of a queue keeps: nothing of the device's own.
func (s Stream) resources() []*resource {
	if s.resource == nil {
		return nil
	}
	return []*resource{s.resource}
}
