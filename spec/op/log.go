package op

import (
	"sync"

	"github.com/statespec/statespec/spec"
)

// Log keeps what a subject logged until the next answer takes it.
type Log struct {
	mu      sync.Mutex
	records []spec.Record
}

// Add keeps a record. It is a spec.Process's Log.
func (l *Log) Add(r spec.Record) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.records = append(l.records, r)
}

// Take returns what was kept, and forgets it.
func (l *Log) Take() (rs []spec.Record) {
	l.mu.Lock()
	defer l.mu.Unlock()
	rs, l.records = l.records, nil
	return rs
}
