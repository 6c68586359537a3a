package tensor

import "errors"

// counted is memory that can be given back while it is reachable.
type counted interface {
	Retain() error
	Release() error
}

// Hold returns the device's memory behind a storage, which is not given back before
// done is called, wherever the storage moves meanwhile; nil when it lies on the host
// or is another library's. It is for who hands the address to a device: readers of
// tensors hold what they read.
func (s *Storage) Hold() (m Memory, done func() error) {
	at, done := s.hold()
	return at.memory, done
}

// hold is where the storage lies, and stays until done: it moves, and what it leaves
// is kept.
func (s *Storage) hold() (at *location, done func() error) {
	for {
		at := s.at.Load()
		m, is := at.memory.(counted)
		if !is {
			return at, nothing
		}
		if m.Retain() == nil {
			return at, m.Release
		}
		if s.at.Load() == at { // its owner gave it back: whoever uses it hears so
			return at, nothing
		}
	}
}

func nothing() error { return nil }

// still is t on a storage that does not move before done, by which the checks of an
// operation hold to its end: t itself unless it is on a device or parked.
func (t *Tensor) still() (v *Tensor, done func() error) {
	if at := t.st.at.Load(); at.memory == nil && at.home == nil {
		return t, nothing
	}
	at, done := t.st.hold()
	v = t.view()
	v.st = elsewhere(*at, t.st.size, t.st.owned)
	v.st.extent = t.st.extent
	return v, done
}

// release ends what still began, and says what went wrong with that.
func release(err *error, done func() error) {
	if late := done(); late != nil {
		*err = errors.Join(*err, late)
	}
}
