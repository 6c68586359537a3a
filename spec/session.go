package spec

// Session is one session, held. Holding it is what an adapter does between two
// forwards: it outlives eviction.
type Session interface {
	// Object returns the object of a name, NotFound when there is none.
	Object(name string) (Object, error)

	// Ensure returns the object of a name, and makes and allocates it when it
	// is absent, not resident or of another kind (get-or-create).
	Ensure(name string, o ObjectSpec) (Object, error)

	// Put stores an object under a name and replaces what was there.
	Put(name string, o Object) error

	// Attr reads an attribute: what was last written, else its default, else
	// nil.
	Attr(name string) (Value, error)

	// SetAttr writes an attribute wholesale; nil clears it.
	SetAttr(name string, v Value) error

	// Contents lists both buckets and the session's own bytes.
	Contents() (Contents, error)

	// Reset resets every object and clears every attribute.
	Reset() error

	// Park moves what the object or attribute of a name holds from devices to
	// the host, Unpark brings it back; NotFound when there is none. Both return
	// the bytes that moved. [park]
	Park(name string) (int64, error)
	Unpark(name string) (int64, error)

	Handle
}

// Contents is what a session holds.
type Contents struct {
	Objects []string         `json:"objects"`         // names, sorted
	Attrs   []string         `json:"attrs"`           // names that hold a value, sorted
	Bytes   map[string]int64 `json:"bytes,omitempty"` // by device, this session alone [session-bytes]
}
