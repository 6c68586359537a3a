package account

import (
	"unsafe"

	"github.com/statespec/statespec/reference/tensor"
)

// A storageSet is a set of storages by identity: open addressing over their
// addresses, which holds them alive and is several times faster than a map.
type storageSet struct {
	slots []*tensor.Storage // a power of two, at most half full
	n     int
}

// add reports whether the storage is new.
func (s *storageSet) add(st *tensor.Storage) bool {
	if 2*s.n >= len(s.slots) {
		s.grow()
	}
	mask := uintptr(len(s.slots) - 1)
	for i := spread(st); ; i++ {
		switch s.slots[i&mask] {
		case st:
			return false
		case nil:
			s.slots[i&mask] = st
			s.n++
			return true
		}
	}
}

// spread scatters addresses, whose low bits are all alike, over the slots.
func spread(st *tensor.Storage) uintptr {
	h := uint64(uintptr(unsafe.Pointer(st))) * 0x9E3779B97F4A7C15
	return uintptr(h >> 32)
}

func (s *storageSet) grow() {
	old := s.slots
	s.slots = make([]*tensor.Storage, max(64, 2*len(old)))
	s.n = 0
	for _, st := range old {
		if st != nil {
			s.add(st)
		}
	}
}

// clear forgets the storages and keeps the room, unless one large walk made
// it far larger than walks need.
func (s *storageSet) clear() {
	switch {
	case len(s.slots) > 1<<16 && s.n < len(s.slots)/16:
		s.slots = nil
	case s.n > 0:
		clear(s.slots)
	}
	s.n = 0
}
