//go:build cuda

package cuda

import (
	"weak"

	"gorgonia.org/cu"
)

// An Event is a mark in a stream that others can wait for. It takes no times.
type Event struct {
	d        *Device
	resource *resource
	event    cu.Event
}

// NewEvent makes an event that was not recorded yet.
func (d *Device) NewEvent() (e *Event, err error) {
	err = d.do(func() error {
		made, err := cu.MakeEvent(cu.DisableTiming)
		if err != nil {
			return err
		}
		e = &Event{d: d, event: made}
		e.resource = d.own(anEvent, 0, 0, func() error { return cu.DestroyEvent(&made) }, weak.Pointer[Memory]{})
		return nil
	})
	if err != nil {
		return nil, d.failed(err, "make an event")
	}
	return e, nil
}

// Record marks the end of the work queued on a stream so far; nil is the device's
// own.
func (e *Event) Record(s *Stream) error {
	operation := func() string { return "record an event" }
	queue, err := e.d.queue(operation, s)
	if err != nil {
		return err
	}
	return e.d.using(operation, func() error {
		return e.event.Record(queue.stream)
	}, append(queue.resources(), e.resource)...)
}

// Synchronize waits until the work before the last mark is done. Without a mark
// there is nothing to wait for.
func (e *Event) Synchronize() error {
	return e.d.using(func() string { return "synchronize an event" }, func() error {
		return e.event.Synchronize()
	}, e.resource)
}

// Close ends the event. Closing twice is ErrReleased.
func (e *Event) Close() error { return e.d.release(e.resource, "close an event") }
