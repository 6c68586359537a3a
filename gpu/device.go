package gpu

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/statespec/statespec/gpu/cuda"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
)

// Device is a CUDA device that the reference can keep its tensors on.
type Device struct{ cuda *cuda.Device }

var _ subject.Device = Device{}

// Open opens a device by its name, "cuda:0". Whoever opens it closes it. Without a
// device the error says why there is none.
func Open(name string) (Device, error) {
	ordinal, err := Ordinal(name)
	if err != nil {
		return Device{}, err
	}
	d, err := cuda.Open(ordinal)
	if err != nil {
		return Device{}, fmt.Errorf("%s: %w", name, err)
	}
	return Device{d}, nil
}

// Ordinal is the number in a device's name, whether it is there or not.
func Ordinal(name string) (int, error) {
	number, is := strings.CutPrefix(name, "cuda:")
	n, err := strconv.ParseUint(number, 10, 16)
	if !is || err != nil {
		return 0, fmt.Errorf("device %q: want cuda:0, cuda:1 and so on", name)
	}
	return int(n), nil
}

// CUDA returns the device itself.
func (d Device) CUDA() *cuda.Device { return d.cuda }

// Close ends the device's context. What still lies there is named, and lost.
func (d Device) Close() error { return d.cuda.Close() }

// Device returns the name.
func (d Device) Device() tensor.Device { return d.cuda.Device() }

// Allocate returns nbytes bytes, whose content is undefined.
func (d Device) Allocate(nbytes int) (tensor.Memory, error) { return d.cuda.Allocate(nbytes) }

// InUse returns the bytes in use on the device by the CUDA driver's own counter,
// once those have been given back that nobody can reach. The counter sees every
// process.
func (d Device) InUse() (int64, error) {
	if err := d.cuda.Reclaim(); err != nil {
		return 0, err
	}
	free, total, err := d.cuda.Info()
	return total - free, err
}

// Kind is what a report calls the device: its name by the CUDA driver, which says
// so where it is simulated.
func (d Device) Kind() string {
	if cuda.Simulated() && !strings.Contains(strings.ToLower(d.cuda.Name()), "simulated") {
		return "simulated " + d.cuda.Name()
	}
	return d.cuda.Name()
}
