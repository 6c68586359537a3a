//go:build cuda

package kernels_test

import (
	"testing"

	"github.com/statespec/statespec/gpu/cuda"
	"github.com/statespec/statespec/gpu/kernels"
)

func TestTheDeviceGivesTheBitsOfTheGoCode(t *testing.T) { everything(t, open(t)) }

// device runs kernels on the first device, each in a stream to its end.
type device struct {
	*cuda.Device
	module *cuda.Module
	stream *cuda.Stream
	held   map[uintptr]*cuda.Memory // by address; kept reachable
}

func open(t *testing.T) *device {
	t.Helper()
	cuda.Require(t)
	d := &device{Device: must[*cuda.Device](t)(cuda.Open(0)), held: map[uintptr]*cuda.Memory{}}
	t.Cleanup(func() {
		d.clear(t)
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	d.module = must[*cuda.Module](t)(d.Load(kernels.PTX))
	d.stream = must[*cuda.Stream](t)(d.NewStream())
	return d
}

func (d *device) allocate(t testing.TB, contents []byte) uintptr {
	t.Helper()
	memory, err := d.Allocate(max(len(contents), 1))
	if err != nil {
		t.Fatal(err)
	}
	if err := memory.WriteAt(contents, 0); err != nil {
		t.Fatal(err)
	}
	d.held[memory.Address()] = memory.(*cuda.Memory)
	return memory.Address()
}

// read finds the allocation in which an address lies.
func (d *device) read(t testing.TB, address uintptr, nbytes int) []byte {
	t.Helper()
	b := make([]byte, nbytes)
	for base, memory := range d.held {
		if base <= address && address+uintptr(nbytes) <= base+uintptr(memory.Len()) {
			if err := memory.ReadAt(b, int(address-base)); err != nil {
				t.Fatal(err)
			}
			return b
		}
	}
	t.Fatalf("read %d bytes at %#x: no allocation has them", nbytes, address)
	return nil
}

func (d *device) launch(call kernels.Call) error {
	if err := d.module.Launch(d.stream, call.Kernel, call.Threads, call.Args...); err != nil {
		return err
	}
	return d.stream.Synchronize()
}

func (d *device) clear(t testing.TB) {
	t.Helper()
	for _, memory := range d.held {
		if err := memory.Release(); err != nil {
			t.Error(err)
		}
	}
	clear(d.held)
}
