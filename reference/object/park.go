package object

import (
	"errors"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/tensor"
)

// A Parker is an object whose bytes can wait on the host while nobody needs
// them on their device. Whoever reads or writes it brings them back; when the
// device has no room for that, the call is refused and the object stays parked.
type Parker interface {
	// Park moves what the object holds to the host, staged payloads included,
	// and returns the bytes that devices are given back: 0 when all of it is on
	// the host. What another library owns stays where it is, and is an error.
	Park() (int64, error)

	// Unpark moves it back and returns the bytes that devices hold again.
	Unpark() (int64, error)

	// Parked reports whether some of it waits on the host.
	Parked() bool
}

var (
	_ Parker = (*LatentBuffer)(nil)
	_ Parker = (*EncodeOnce)(nil)
)

// Park is Parker's.
func (b *LatentBuffer) Park() (int64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, err := Park(b.payloads, b.ring.st, b.staged)
	b.parked = b.parked || n > 0
	return n, err
}

// Unpark is Parker's.
func (b *LatentBuffer) Unpark() (int64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.unpark()
}

// Parked is Parker's.
func (b *LatentBuffer) Parked() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.parked
}

func (b *LatentBuffer) unpark() (n int64, err error) {
	if b.parked {
		n, err = Unpark(b.payloads, b.ring.st, b.staged)
		b.parked = err != nil
	}
	return n, err
}

// Park is Parker's.
func (e *EncodeOnce) Park() (int64, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	n, err := Park(e.committed, e.staged)
	e.parked = e.parked || n > 0
	return n, err
}

// Unpark is Parker's.
func (e *EncodeOnce) Unpark() (int64, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.unpark()
}

// Parked is Parker's.
func (e *EncodeOnce) Parked() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.parked
}

func (e *EncodeOnce) unpark() (n int64, err error) {
	if e.parked {
		n, err = Unpark(e.committed, e.staged)
		e.parked = err != nil
	}
	return n, err
}

// Park parks the storages that values keep alive by themselves, and returns the
// bytes that devices are given back. Where one cannot be moved the others are.
func Park(values ...any) (int64, error) { return each((*tensor.Storage).Park, values) }

// Unpark brings parked storages back, and returns their bytes. Where one cannot
// be moved the others are.
func Unpark(values ...any) (int64, error) { return each((*tensor.Storage).Unpark, values) }

func each(move func(*tensor.Storage) (int, error), values []any) (moved int64, err error) {
	var failed []error
	for _, st := range account.Storages(values...) {
		n, err := move(st)
		moved += int64(n)
		if err != nil {
			failed = append(failed, err)
		}
	}
	return moved, errors.Join(failed...)
}
