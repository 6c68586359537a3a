//go:build !cuda

package cuda

// Reclaim runs a collection and gives back all device memory that nobody can reach.
func (d *Device) Reclaim() error { return refused() }

// Do runs f with the device's context current on its thread.
func (d *Device) Do(f func() error) error { return refused() }
