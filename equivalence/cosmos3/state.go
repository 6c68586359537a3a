package cosmos3

// A State is one session's conditioning as the model sees it. Tensors handed in
// are copied: a caller may re-use its buffers. Those handed out are as they are
// held, and who writes to them writes the state. A refused call has changed
// nothing; its error is a kind of package fault. A branch that there is not is
// ErrInvalidArgument.
//
// Branches know nothing of each other, and may be of different depth. A branch
// counts as captured while its first layer is there, whatever became of the
// others: so an eviction that begins with it leads to a capture, and any other
// to an error on reading.
//
// A State serves one forward at a time and is not safe for concurrent use. The
// manager may count the bytes of a managed one meanwhile.
type State interface {
	// Path is BespokePath or ManagedPath, what Store.Path says too.
	Path() string

	// Captured reports whether a branch needs no capture.
	Captured(b Branch) (bool, error)

	// Capture stores a branch that is not captured, layers and frequencies,
	// of each at least one. Of one that is captured it changes nothing, and
	// does not look at what is handed in: encoding happens once.
	Capture(b Branch, c Conditioning) error

	// SetLayers stores the layers of a branch, at least one, in the stead of
	// all that it had. Frequencies stay.
	SetLayers(b Branch, layers []Layer) error

	// Load returns a branch: no layers where it is not captured, and all of
	// them where it is. That some are gone is ErrNotResident; it is never a
	// shorter branch.
	Load(b Branch) (Conditioning, error)

	// EvictLayer releases one layer and returns its bytes, none when it is
	// gone already. A layer that the session never had is not found.
	EvictLayer(b Branch, layer int) (freed int64, found bool, err error)

	// Reset clears both branches.
	Reset() error

	// Bytes returns the storage bytes of a branch, frequencies included.
	Bytes(b Branch) (int64, error)
}

// The paths.
const (
	BespokePath = "bespoke"
	ManagedPath = "managed"
)
