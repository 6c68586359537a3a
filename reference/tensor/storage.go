package tensor

import (
	"fmt"
	"sync/atomic"
	"unsafe"
)

// A Device names the memory a storage lies in: "cpu", "cuda:0".
type Device string

// CPU is host memory.
const CPU Device = "cpu"

// A Storage is one allocation on one device. Tensors are views of it; as long
// as one of them lives, all of it does. Park moves it to another memory, with
// every view.
type Storage struct {
	at     atomic.Pointer[location]
	host   location // where at points to on the host: one allocation less
	size   int      // bytes that tensors may view
	extent int      // bytes that are kept alive
	owned  bool
}

// A location is where a storage lies. It never changes.
type location struct {
	device Device
	bytes  []byte    // host memory; nil elsewhere
	memory Memory    // on a device of ours
	start  uintptr   // where the host cannot address it
	home   Allocator // of what was parked: where it lay
}

// onHost makes a storage of host memory.
func onHost(b []byte, extent int, owned bool) *Storage {
	s := &Storage{host: location{device: CPU, bytes: b}, size: len(b), extent: extent, owned: owned}
	s.at.Store(&s.host)
	return s
}

// elsewhere makes a storage of what the host cannot address. Its location is no
// part of it: once it has moved, nothing keeps what it left.
func elsewhere(at location, size int, owned bool) *Storage {
	s := &Storage{size: size, extent: size, owned: owned}
	s.at.Store(&at)
	return s
}

// NewStorage allocates nbytes zeroed bytes of host memory. Zero is legal. It
// panics on a negative size, as make does.
func NewStorage(nbytes int) *Storage {
	return onHost(make([]byte, nbytes), nbytes, true)
}

// WrapBytes makes a storage of host memory that the caller owns, without a
// copy: Len is len(b). What it keeps alive, as far as a slice can tell, is
// cap(b), and Span says so.
func WrapBytes(b []byte) *Storage {
	return onHost(b, cap(b), false)
}

// NewForeignStorage stands for an allocation of nbytes bytes at start that
// another library owns, such as an engine's device memory. It is accounted by
// its span; its elements cannot be reached through this package.
func NewForeignStorage(device Device, start uintptr, nbytes int) *Storage {
	if nbytes < 0 {
		panic(fmt.Sprintf("tensor: foreign storage of %d bytes", nbytes))
	}
	return elsewhere(location{device: device, start: start}, nbytes, false)
}

// Device returns where the storage lies.
func (s *Storage) Device() Device { return s.at.Load().device }

// Len returns the bytes that tensors may view.
func (s *Storage) Len() int { return s.size }

// Bytes returns the host memory itself, not a copy; nil when the host cannot
// address it.
func (s *Storage) Bytes() []byte { return s.at.Load().bytes }

// Owned reports whether the memory is the storage's own. Two owned storages never
// overlap, which is what spares the accounting their addresses.
func (s *Storage) Owned() bool { return s.owned }

// Addressable reports whether the host can reach the elements.
func (s *Storage) Addressable() bool { return s.size == 0 || s.at.Load().bytes != nil }

// Span returns the addresses that the storage keeps alive: n bytes at start on
// a device. With n of 0 the start means nothing. The address holds as long as
// the storage lives.
func (s *Storage) Span() (device Device, start uintptr, n int) {
	at := s.at.Load()
	if at.bytes == nil {
		return at.device, at.start, s.extent
	}
	return at.device, uintptr(unsafe.Pointer(unsafe.SliceData(at.bytes))), s.extent
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
