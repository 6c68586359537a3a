package gpu_test

import (
	"bytes"
	"errors"
	"runtime"
	"testing"

	"github.com/statespec/statespec/fixtures/fill"
	"github.com/statespec/statespec/gpu"
	"github.com/statespec/statespec/gpu/cuda"
	"github.com/statespec/statespec/gpu/kernels"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
)

// ok stops a benchmark at an error.
func ok(b testing.TB, errs ...error) {
	b.Helper()
	if err := errors.Join(errs...); err != nil {
		b.Fatal(err)
	}
}

// onlyReal skips what takes long on simulated CUDA and says nothing there.
func onlyReal(b *testing.B, nbytes int) {
	b.Helper()
	if cuda.Simulated() && nbytes > 1<<20 {
		b.Skip("simulated CUDA has no bandwidth worth a measurement")
	}
}

// benchmarkDevice opens the device for one benchmark alone, so that what it holds is
// that benchmark's.
func benchmarkDevice(b *testing.B) gpu.Device {
	b.Helper()
	d, err := gpu.Open(device)
	ok(b, err)
	b.Cleanup(func() { ok(b, d.Close()) })
	return d
}

// loop times f, which handles nbytes bytes, and is complete when it returns.
func loop(b *testing.B, d gpu.Device, nbytes int, f func() error) {
	b.Helper()
	b.SetBytes(int64(nbytes))
	b.ReportAllocs()
	for b.Loop() {
		if err := f(); err != nil {
			b.Fatal(err)
		}
	}
	held(b, d)
	runtime.KeepAlive(f) // and what it works on
}

// control times the CUDA driver's plain copy of a tensor's bytes, within the device and
// waited for, with the context current all the time.
func control(b *testing.B, d gpu.Device, from *tensor.Tensor) {
	b.Helper()
	n := from.NumBytes()
	to, err := d.Allocate(n)
	ok(b, err)
	source := from.Storage().Memory()
	b.SetBytes(int64(n))
	b.ReportAllocs()
	ok(b, d.CUDA().Do(func() error {
		for b.Loop() {
			if err := plainCopy(to.Address(), source.Address(), n); err != nil {
				return err
			}
		}
		return nil
	}))
	held(b, d)
	got, due := make([]byte, n), make([]byte, n)
	ok(b, to.ReadAt(got, 0), source.ReadAt(due, 0))
	if !bytes.Equal(got, due) {
		b.Fatal("the plain copy is not its source")
	}
}

// held reports the device memory that is in use once nothing unreachable is left, and
// whether the device is simulated. A loop's beginning would forget both.
func held(b *testing.B, d gpu.Device) {
	b.Helper()
	ok(b, d.CUDA().Reclaim())
	bytes, _ := d.CUDA().Allocated()
	b.ReportMetric(float64(bytes), "device-bytes")
	if cuda.Simulated() {
		b.ReportMetric(1, "simulated")
	}
}

// filled makes a tensor of known values on the device.
func filled(b testing.TB, d gpu.Device, dt dtype.DType, shape ...int) *tensor.Tensor {
	b.Helper()
	n := 1
	for _, size := range shape {
		n *= size
	}
	host, err := tensor.FromBytes(dt, fill.Bytes(dt.String(), 1, n), shape...)
	ok(b, err)
	t, err := host.CopyOn(d)
	ok(b, err)
	return t
}

// same demands the same bytes of two tensors, wherever they lie.
func same(b testing.TB, got, want *tensor.Tensor) {
	b.Helper()
	x, err := got.ReadBytes(nil)
	ok(b, err)
	y, err := want.ReadBytes(nil)
	ok(b, err)
	if !bytes.Equal(x, y) {
		b.Fatalf("%v has other bytes than %v", got, want)
	}
}

// pair is two buffers of n bytes on the device that differ in the last.
func pair(b testing.TB, d gpu.Device, n int) (x, y tensor.Memory) {
	b.Helper()
	contents := make([]byte, n)
	_, err := fill.Seeded(1).Read(contents)
	ok(b, err)
	for _, m := range []*tensor.Memory{&x, &y} {
		*m, err = d.Allocate(n)
		ok(b, err)
		ok(b, (*m).WriteAt(contents, 0))
		contents[n-1] ^= 1
	}
	return x, y
}

// A comparer compares on the device, and brings back where and how much.
type comparer struct {
	module     *cuda.Module
	result     tensor.Memory
	start, got []byte
}

func newComparer(b testing.TB, d gpu.Device) *comparer {
	b.Helper()
	m, err := d.CUDA().Load(kernels.PTX)
	ok(b, err)
	result, err := d.Allocate(kernels.DifferenceBytes)
	ok(b, err)
	return &comparer{m, result, kernels.DifferenceStart(), make([]byte, kernels.DifferenceBytes)}
}

func (c *comparer) compare(x, y tensor.Memory) error {
	if err := c.result.WriteAt(c.start, 0); err != nil {
		return err
	}
	call, err := kernels.CallDifference(c.result.Address(), x.Address(), y.Address(), x.Len(), 1)
	if err != nil {
		return err
	}
	if err := c.module.Launch(nil, call.Kernel, call.Threads, call.Args...); err != nil {
		return err
	}
	runtime.KeepAlive(x)
	runtime.KeepAlive(y)
	return c.result.ReadAt(c.got, 0) // behind the kernel, on the device's own stream
}

func (c *comparer) difference(b testing.TB) kernels.Difference {
	b.Helper()
	d, err := kernels.DecodeDifference(c.got)
	ok(b, err)
	return d
}
