package spec

// ManagerSpec says what manager to make.
type ManagerSpec struct {
	Cap        *int       `json:"cap,omitempty"` // nil: what Config and the environment come to
	Config     Config     `json:"config,omitzero"`
	Refuse     bool       `json:"refuse,omitempty"`      // refuse a new session at the cap [admission]
	ByteBudget *int64     `json:"byte_budget,omitempty"` // recorded only
	Snapshot   bool       `json:"snapshot,omitempty"`    // stats is one cut over all sessions, where that is a choice [snapshot]
	Attrs      []AttrDecl `json:"attrs,omitempty"`       // the attributes of its sessions
}

// AttrDecl declares one attribute and what it reads as before it is written.
type AttrDecl struct {
	Name    string `json:"name"`
	Default Recipe `json:"default"` // a scalar, an empty list, or none
}

// Manager is the table of retained sessions.
type Manager interface {
	// Session returns the session of an id, and makes it when it is not
	// retained: the one operation that counts as use everywhere. Each call is
	// a new holder, as each forward of a model is. No argument is a request
	// that names no session; more than one is refused.
	Session(id ...string) (Session, error)

	// Continue is Session for a caller that expects state: refused when the
	// id is not retained. [continuation]
	Continue(id string) (Session, error)

	// Contains says whether an id is retained.
	Contains(id string) (bool, error)

	// Stats counts.
	Stats() (Stats, error)

	// Drop ends a session and says whether it was retained. [drop]
	Drop(id string) (bool, error)

	// Free gives a device at least so many bytes back, or as many as nothing is
	// lost by, and says what it took from objects. [planner]
	Free(device string, bytes int64) ([]Freed, error)

	// RaiseCap raises the cap and says whether it changed. [raise-cap]
	RaiseCap(n int) (bool, error)

	Handle
}

// Freed is what a planner took from one object.
type Freed struct {
	Session string `json:"session"`
	Object  string `json:"object"`
	Bytes   int64  `json:"bytes"`            // that the device has back
	Parked  bool   `json:"parked,omitempty"` // and the host holds now; else the object was evicted
}

// Stats is what can be seen of a manager.
type Stats struct {
	// Counts is what stats() of the document returns. The document names
	// total_nbytes and nbytes:<device>; the contract adds sessions,
	// max_sessions, hits, misses and evictions.
	Counts map[string]int64 `json:"counts"`

	ByteBudget *int64   `json:"byte_budget,omitempty"` // as recorded
	Retained   []string `json:"retained,omitempty"`    // oldest first, where the subject shows it
	Unmeasured []string `json:"unmeasured,omitempty"`  // what is held and could not be counted, by name
}

// Total is total_nbytes.
func (s Stats) Total() int64 { return s.Counts["total_nbytes"] }

// Bytes is nbytes:<device>.
func (s Stats) Bytes(device string) int64 { return s.Counts["nbytes:"+device] }

// Sessions is how many sessions are retained.
func (s Stats) Sessions() int64 { return s.Counts["sessions"] }
