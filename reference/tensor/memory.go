package tensor

import "github.com/statespec/statespec/reference/fault"

// A Memory is one allocation on a device whose memory the host cannot address.
// It lives as long as somebody can reach it, and is given back after that. Its
// methods may be called from many goroutines; they move bytes, and are complete
// when they return.
type Memory interface {
	// Device returns the device, such as "cuda:0", and Address where the
	// allocation begins there: 0 when it has no bytes.
	Device() Device
	Address() uintptr

	// Len returns its length in bytes.
	Len() int

	// ReadAt copies len(dst) bytes from offset on to the host, WriteAt as many
	// from it. A range that is not wholly inside is refused.
	ReadAt(dst []byte, offset int) error
	WriteAt(src []byte, offset int) error

	// CopyFrom copies n bytes of memory of the same device without passing the
	// host. The ranges may overlap, as those of copy may.
	CopyFrom(offset int, src Memory, from, n int) error

	// Allocator returns what allocated it, for more of the same kind.
	Allocator() Allocator
}

// An Allocator gives out the memory of one device.
type Allocator interface {
	Device() Device

	// Allocate returns nbytes bytes, whose content is undefined. Zero is legal.
	// When the device has no room the error matches fault.ErrOutOfMemory.
	Allocate(nbytes int) (Memory, error)
}

// NewDeviceStorage makes a storage of a device's memory: all of it, and all of
// its own.
func NewDeviceStorage(m Memory) *Storage {
	return elsewhere(located(m), m.Len(), true)
}

func located(m Memory) location {
	return location{device: m.Device(), memory: m, start: m.Address()}
}

// NewStorageOn allocates on a device; a nil allocator is the host, and then the
// bytes are zero. Elsewhere they are undefined.
func NewStorageOn(a Allocator, nbytes int) (*Storage, error) {
	if a == nil {
		return NewStorage(nbytes), nil
	}
	m, err := a.Allocate(nbytes)
	if err != nil {
		return nil, err
	}
	return NewDeviceStorage(m), nil
}

// Memory returns the device's memory behind a storage; nil when it lies on the
// host, or is another library's.
func (s *Storage) Memory() Memory { return s.at.Load().memory }

// Allocator returns what can allocate more where the storage lies: nil for the
// host.
func (s *Storage) Allocator() Allocator {
	if m := s.Memory(); m != nil {
		return m.Allocator()
	}
	return nil
}

// Readable reports whether elements can be moved at all: the host addresses
// them, or their device copies them.
func (s *Storage) Readable() bool {
	at := s.at.Load() // once: between two looks it may move from the one to the other
	return s.size == 0 || at.bytes != nil || at.memory != nil
}

// CopyWithin moves n bytes inside the storage, from one offset to another. The
// ranges may overlap.
func (s *Storage) CopyWithin(to, from, n int) (err error) {
	at, done := s.hold()
	defer release(&err, done)
	switch {
	case at.memory != nil:
		return at.memory.CopyFrom(to, at.memory, from, n)
	case at.bytes == nil && s.size > 0:
		return fault.New(fault.ErrNotAddressable, "move %d bytes on %s: neither the host nor a device of ours can reach that memory", n, at.device)
	default:
		copy(at.bytes[to:to+n], at.bytes[from:from+n])
		return nil
	}
}
