//go:build cuda

package cuda_test

import (
	"fmt"
	"runtime"
	"testing"
	"unsafe"

	"gorgonia.org/cu"

	"github.com/statespec/statespec/gpu/cuda"
)

// sizes are those of a small tensor, of a latent frame, and beyond any cache.
var sizes = []int{4 << 10, 1 << 20, 64 << 20}

// onlyReal skips what takes long on simulated CUDA and says nothing there.
func onlyReal(b *testing.B, nbytes int) {
	b.Helper()
	if cuda.Simulated() && nbytes > 1<<20 {
		b.Skip("simulated CUDA has no bandwidth worth a measurement")
	}
}

// control makes a context as plain as can be: current on this thread for good, and
// the CUDA driver's synchronous copies on its NULL stream.
func control(b *testing.B) {
	b.Helper()
	runtime.LockOSThread()
	id, err := cu.GetDevice(0)
	ok(b, err)
	context, err := id.MakeContext(cu.SchedAuto)
	ok(b, err)
	b.Cleanup(func() {
		ok(b, context.Destroy())
		runtime.UnlockOSThread()
	})
}

// allocate makes device memory for a control.
func allocate(b *testing.B, nbytes int) cu.DevicePtr {
	b.Helper()
	p, err := cu.MemAlloc(int64(nbytes))
	ok(b, err)
	b.Cleanup(func() { ok(b, cu.MemFree(p)) })
	return p
}

// benchmarkDevice opens the device for a benchmark, and says so when it is none.
func benchmarkDevice(b *testing.B) *cuda.Device {
	b.Helper()
	d := open(b)
	if cuda.Simulated() {
		b.Cleanup(func() { b.ReportMetric(1, "simulated") }) // the loop forgets what was reported before
	}
	return d
}

// loop times f, which moves nbytes bytes.
func loop(b *testing.B, nbytes int, f func() error) {
	b.Helper()
	b.SetBytes(int64(nbytes))
	b.ReportAllocs()
	for b.Loop() {
		if err := f(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCopy is a copy that is complete, by this package and by the CUDA
// driver's plain one.
func BenchmarkCopy(b *testing.B) {
	cuda.Require(b)
	for _, n := range sizes {
		host := make([]byte, n)
		at := unsafe.Pointer(&host[0])
		for _, c := range []struct {
			dir       string
			statespec func(m, o *cuda.Memory) error
			control   func(m, o cu.DevicePtr) error
		}{
			{"h2d", func(m, _ *cuda.Memory) error { return m.WriteAt(host, 0) },
				func(m, _ cu.DevicePtr) error { return cu.MemcpyHtoD(m, at, int64(n)) }},
			{"d2h", func(m, _ *cuda.Memory) error { return m.ReadAt(host, 0) },
				func(m, _ cu.DevicePtr) error { return cu.MemcpyDtoH(at, m, int64(n)) }},
			{"d2d", func(m, o *cuda.Memory) error { return m.CopyFrom(0, o, 0, n) },
				func(m, o cu.DevicePtr) error {
					if err := cu.MemcpyDtoD(m, o, int64(n)); err != nil {
						return err
					}
					return cu.Synchronize() // that copy alone does not wait
				}},
		} {
			name := fmt.Sprintf("dir=%s/bytes=%d/impl=", c.dir, n)
			b.Run(name+"statespec", func(b *testing.B) {
				onlyReal(b, n)
				d := benchmarkDevice(b)
				m, o := memory(b, d, n), memory(b, d, n)
				loop(b, n, func() error { return c.statespec(m, o) })
			})
			b.Run(name+"control", func(b *testing.B) {
				onlyReal(b, n)
				control(b)
				m, o := allocate(b, n), allocate(b, n)
				loop(b, n, func() error { return c.control(m, o) })
			})
		}
	}
}

// BenchmarkPinned is a copy of pinned memory, queued and waited for.
func BenchmarkPinned(b *testing.B) {
	cuda.Require(b)
	for _, n := range sizes {
		for _, dir := range []string{"h2d", "d2h"} {
			b.Run(fmt.Sprintf("dir=%s/bytes=%d", dir, n), func(b *testing.B) {
				onlyReal(b, n)
				d := benchmarkDevice(b)
				m, s := memory(b, d, n), stream(b, d)
				p, err := d.AllocatePinned(n)
				ok(b, err)
				defer p.Free()
				queue := func() error { return m.WriteOn(s, 0, p, 0, n) }
				if dir == "d2h" {
					queue = func() error { return m.ReadOn(s, p, 0, 0, n) }
				}
				loop(b, n, func() error {
					if err := queue(); err != nil {
						return err
					}
					return s.Synchronize()
				})
			})
		}
	}
}

// BenchmarkAllocate is a megabyte allocated and released.
func BenchmarkAllocate(b *testing.B) {
	cuda.Require(b)
	const n = 1 << 20
	b.Run("impl=statespec", func(b *testing.B) {
		d := benchmarkDevice(b)
		loop(b, 0, func() error {
			m, err := d.Allocate(n)
			if err != nil {
				return err
			}
			return m.(*cuda.Memory).Release()
		})
	})
	b.Run("impl=control", func(b *testing.B) {
		control(b)
		loop(b, 0, func() error {
			p, err := cu.MemAlloc(n)
			if err != nil {
				return err
			}
			return cu.MemFree(p)
		})
	})
}

// BenchmarkRing is the move of a window of N frames of 1 MiB down by one.
func BenchmarkRing(b *testing.B) {
	cuda.Require(b)
	const frame = 1 << 20
	for _, slots := range []int{2, 4, 21} {
		b.Run(fmt.Sprintf("slots=%d", slots), func(b *testing.B) {
			m := memory(b, benchmarkDevice(b), slots*frame)
			loop(b, (slots-1)*frame, func() error { return m.CopyFrom(0, m, frame, (slots-1)*frame) })
		})
	}
}
