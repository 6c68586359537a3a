package tensor

import "fmt"

// A Device names the memory a storage lies in: "cpu", "cuda:0".
type Device string

// CPU is host memory.
const CPU Device = "cpu"

// A Storage is one allocation on one device. Tensors are views of it; as long
// as one of them lives, all of it does.
type Storage struct {
	device Device
	bytes  []byte  // host memory; nil elsewhere
	memory Memory  // on a device of ours
	start  uintptr // where the host cannot address it
	size   int     // bytes that tensors may view
	extent int     // bytes that are kept alive
	owned  bool
}

// NewStorage allocates nbytes zeroed bytes of host memory. Zero is legal. It
// panics on a negative size, as make does.
func NewStorage(nbytes int) *Storage {
	return &Storage{device: CPU, bytes: make([]byte, nbytes), size: nbytes, extent: nbytes, owned: true}
}

// WrapBytes makes a storage of host memory that the caller owns, without a
// copy: Len is len(b). What it keeps alive, as far as a slice can tell, is
// cap(b), and Span says so.
func WrapBytes(b []byte) *Storage {
	return &Storage{device: CPU, bytes: b, size: len(b), extent: cap(b)}
}

// NewForeignStorage stands for an allocation of nbytes bytes at start that
// another library owns, such as an engine's device memory. It is accounted by
// its span; its elements cannot be reached through this package.
func NewForeignStorage(device Device, start uintptr, nbytes int) *Storage {
	if nbytes < 0 {
		panic(fmt.Sprintf("tensor: foreign storage of %d bytes", nbytes))
	}
	return &Storage{device: device, start: start, size: nbytes, extent: nbytes}
}

// Device returns where the storage lies.
func (s *Storage) Device() Device { return s.device }

// Len returns the bytes that tensors may view.
func (s *Storage) Len() int { return s.size }

// Bytes returns the host memory itself, not a copy; nil when the host cannot
// address it.
func (s *Storage) Bytes() []byte { return s.bytes }

// Owned reports whether the memory is the storage's own. Two owned storages never
// overlap, which is what spares the accounting their addresses.
func (s *Storage) Owned() bool { return s.owned }

// Addressable reports whether the host can reach the elements.
func (s *Storage) Addressable() bool { return s.size == 0 || s.bytes != nil }

// Span returns the addresses that the storage keeps alive: n bytes at start on
// a device. With n of 0 the start means nothing. The address holds as long as
// the storage lives.
func (s *Storage) Span() (device Device, start uintptr, n int) {
	return s.device, s.address(), s.extent
}

// Overlaps reports whether writing to one can change the other, as with two
// that wrap parts of one array.
func (s *Storage) Overlaps(o *Storage) bool {
	if s == o {
		return true
	}
	if s.owned && o.owned {
		return false
	}
	sd, sa, sn := s.Span()
	od, oa, on := o.Span()
	return sd == od && sa < oa+uintptr(on) && oa < sa+uintptr(sn)
}
