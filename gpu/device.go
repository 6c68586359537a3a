package gpu

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/statespec/statespec/gpu/cuda"
	"github.com/statespec/statespec/gpu/kernels"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
)

// Device is a CUDA device that the reference can keep its tensors on. Copies are the
// same device.
type Device struct {
	cuda    *cuda.Device
	kernels *loaded
}

// loaded is the module of the kernels. The CUDA driver compiles it for each time that
// it is loaded, and keeps what it compiled to: a device loads it once.
type loaded struct {
	mu     sync.Mutex
	module *cuda.Module
}

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
	return Device{d, &loaded{}}, nil
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

// Kernels returns the module of [kernels.PTX], which is loaded when it is first asked
// for.
func (d Device) Kernels() (*cuda.Module, error) {
	d.kernels.mu.Lock()
	defer d.kernels.mu.Unlock()
	if d.kernels.module == nil {
		m, err := d.cuda.Load(kernels.PTX)
		if err != nil {
			return nil, err
		}
		d.kernels.module = m
	}
	return d.kernels.module, nil
}

// InUse returns the bytes that this process took from the CUDA driver and has not
// given back, once those have been that nobody can reach. What the driver itself
// counts is no such number on a GPU: it is of all processes, and in granules of 2 MiB.
// That both agree where the driver's is exact, on simulated CUDA, is tested.
func (d Device) InUse() (int64, error) {
	if err := d.cuda.Reclaim(); err != nil {
		return 0, err
	}
	bytes, _ := d.cuda.Allocated()
	return bytes, nil
}

// Kind is what a report calls the device: its name by the CUDA driver, which says
// so where it is simulated.
func (d Device) Kind() string {
	if cuda.Simulated() && !strings.Contains(strings.ToLower(d.cuda.Name()), "simulated") {
		return "simulated " + d.cuda.Name()
	}
	return d.cuda.Name()
}
