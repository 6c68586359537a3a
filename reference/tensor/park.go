package tensor

import (
	"errors"

	"github.com/statespec/statespec/reference/fault"
)

// Park moves the storage's bytes from its device to the host, and every view
// of it with them. It returns the bytes that the device is given back: 0 when
// the storage lies on the host already. What another library owns is
// ErrNotAddressable. Who writes elements meanwhile may write to what is left
// behind: the callers' own agreement, as for any two writers. An error beside
// bytes says that the storage moved, and that its device could not take them.
func (s *Storage) Park() (n int, err error) {
	from, done := s.hold()
	defer release(&err, done)
	switch {
	case from.bytes != nil || s.size == 0 && from.memory == nil:
		return 0, nil
	case from.memory == nil:
		return 0, fault.New(fault.ErrNotAddressable, "park %d bytes on %s: neither the host nor a device of ours can reach that memory", s.size, from.device)
	}
	there := location{device: CPU, bytes: make([]byte, s.size), home: from.memory.Allocator()}
	if err := from.memory.ReadAt(there.bytes, 0); err != nil {
		return 0, err
	}
	return s.move(from, &there)
}

// Unpark moves a parked storage back to the device that it was parked from,
// and returns the bytes that the host is given back: 0 when it is not parked.
// A device without room is fault.ErrOutOfMemory, and the storage stays parked.
func (s *Storage) Unpark() (int, error) {
	from := s.at.Load()
	if from.home == nil {
		return 0, nil
	}
	m, err := from.home.Allocate(s.size)
	if err != nil {
		return 0, err
	}
	there := located(m)
	if err := m.WriteAt(from.bytes, 0); err != nil {
		return 0, errors.Join(err, giveBack(m))
	}
	n, err := s.move(from, &there)
	if n == 0 { // somebody else has moved it
		err = errors.Join(err, giveBack(m))
	}
	return n, err
}

// Parked reports whether the storage waits on the host to be moved back.
func (s *Storage) Parked() bool { return s.at.Load().home != nil }

// move puts the storage where its bytes have been copied to, and gives back
// where they were; who came first with another move has done it.
func (s *Storage) move(from, to *location) (int, error) {
	if !s.at.CompareAndSwap(from, to) {
		return 0, nil
	}
	return s.size, giveBack(from.memory)
}

// giveBack ends the ownership of memory that has one; other memory goes when nobody
// can reach it.
func giveBack(m Memory) error {
	if m, is := m.(counted); is {
		return m.Release()
	}
	return nil
}
