//go:build cuda

package cuda

import "errors"

// Reclaim runs a collection and gives back all device memory that nobody can
// reach, as an allocation does that fails. What went wrong when some was given back
// before is its error, too: nobody else was there to hear it.
func (d *Device) Reclaim() error {
	// With nothing to give back a device that is lost or closed says so all the same.
	if err := d.do(func() error { return nil }); err != nil {
		return d.failed(err, "reclaim")
	}
	err := d.reclaim()
	d.unreachable.mu.Lock()
	defer d.unreachable.mu.Unlock()
	return errors.Join(err, d.unreachable.failure)
}

// Do runs f with the device's context current on its thread, for calls that this
// package has not: f makes them with gorgonia.org/cu, from no other goroutine. What
// it copies or launches is its own to order and to wait for.
func (d *Device) Do(f func() error) error { return d.failed(d.do(f), "do") }
