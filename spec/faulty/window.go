package faulty

import (
	"runtime"
	"sync/atomic"
	"time"
)

// A window is the moment of a fault at which another caller has to come by for
// it to show. Who is in it waits for that, so that a fault shows whenever two
// callers are beside each other at all. Where nobody comes it waits for a short
// time, shorter each time: a caller who is alone is not held up for long.
type window struct {
	passed atomic.Int64
	vain   atomic.Int64 // waits in vain since the last one that was not
}

// The longest wait, and how often it is halved.
const (
	longestWait = time.Millisecond
	halvings    = 5
)

// pass tells who waits that a caller came by.
func (w *window) pass() { w.passed.Add(1) }

// open waits for a caller, who is not the one that waits: that one has passed
// before. It reports whether one came.
func (w *window) open() bool { return w.openSince(w.now()) }

// now is a moment to wait from.
func (w *window) now() int64 { return w.passed.Load() }

// openSince is open where a caller counts who came by since a moment.
func (w *window) openSince(moment int64) bool {
	bound := longestWait >> min(w.vain.Load(), halvings)
	for began := time.Now(); ; runtime.Gosched() {
		if w.now() != moment {
			w.vain.Store(0)
			return true
		}
		if time.Since(began) >= bound {
			w.vain.Add(1)
			return false
		}
	}
}

// A meeting brings a caller who writes and one who counts together: whichever
// comes first waits for the other.
type meeting struct{ writers, counters window }

// write waits for somebody who counts, and then writes.
func (m *meeting) write(do func() error) error {
	m.counters.open()
	defer m.writers.pass()
	return do()
}

// count is told when a count begins, and returns what waits until somebody has
// written since.
func (m *meeting) count() (written func() bool) {
	began := m.writers.now()
	m.counters.pass()
	return func() bool { return m.writers.openSince(began) }
}
