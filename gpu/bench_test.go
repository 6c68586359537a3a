package gpu_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/statespec/statespec/gpu"
	"github.com/statespec/statespec/gpu/cuda"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
)

// latentFrame is one latent frame at the shipped size: 225,280 bytes.
var latentFrame = []int{1, 32, 1, 44, 80}

// BenchmarkRingPush commits a frame to a ring on the device, and views the window. The
// control is the least that it can cost: the frame copied once.
func BenchmarkRingPush(b *testing.B) {
	cuda.Require(b)
	for _, n := range []int{2, 4, 21} {
		name := fmt.Sprintf("frames=%d/impl=", n)
		b.Run(name+"statespec", func(b *testing.B) {
			d := benchmarkDevice(b)
			frame := filled(b, d, dtype.BFloat16, latentFrame...)
			ring := object.NewLatentBuffer("vae_encoder_out")
			ok(b, ring.Allocate(object.Bound{Unit: object.Frames, N: n, Axis: 2}))
			for range 4 * n { // every window's header has been made
				ok(b, ring.Append(frame))
				_, err := ring.Last(min(n, ring.Len()))
				ok(b, err)
			}
			var window *tensor.Tensor
			loop(b, d, frame.NumBytes(), func() (err error) {
				if err := ring.Append(frame); err != nil {
					return err
				}
				window, err = ring.Last(n)
				return err
			})
			newest, err := window.Narrow(2, n-1, 1)
			ok(b, err)
			same(b, newest, frame)
		})
		b.Run(name+"control", func(b *testing.B) {
			d := benchmarkDevice(b)
			control(b, d, filled(b, d, dtype.BFloat16, latentFrame...))
		})
	}
}

// BenchmarkGather makes a window contiguous whose frames lie side by side, as a model
// wants it: channels before time. Few or large blocks are copied by the device, many
// small ones pass through the host. The control is the bytes in one copy.
func BenchmarkGather(b *testing.B) {
	cuda.Require(b)
	for _, shape := range [][]int{
		{4, 3, 352, 640}, // what the encoder is given
		{2, 32, 44, 80},  // latents: as many blocks as the device copies
		{4, 32, 44, 80},
	} {
		name := fmt.Sprintf("blocks=%d/blockbytes=%d/impl=", shape[0]*shape[1], shape[2]*shape[3]*2)
		b.Run(name+"statespec", func(b *testing.B) {
			d := benchmarkDevice(b)
			view, err := filled(b, d, dtype.BFloat16, shape...).Transpose(0, 1)
			ok(b, err)
			to, err := tensor.NewOn(d, dtype.BFloat16, view.Shape()...)
			ok(b, err)
			loop(b, d, view.NumBytes(), func() error { return to.CopyFrom(view) })
			same(b, to, view)
		})
		b.Run(name+"control", func(b *testing.B) {
			d := benchmarkDevice(b)
			control(b, d, filled(b, d, dtype.BFloat16, shape...))
		})
	}
}

// BenchmarkQuantise quantises a latent frame that lies on the device. The control does
// without kernels: to the host, there on every CPU, and back.
func BenchmarkQuantise(b *testing.B) {
	cuda.Require(b)
	for _, dt := range []dtype.DType{dtype.Float32, dtype.BFloat16} {
		host, err := subject.Quantiser("pointwise", 0)
		ok(b, err)
		onHost := func(d gpu.Device, x *tensor.Tensor) (*tensor.Tensor, error) {
			h, err := x.OnHost()
			if err == nil {
				h, err = host.Quantise(h)
			}
			if err != nil {
				return nil, err
			}
			return h.CopyOn(d)
		}
		name := fmt.Sprintf("dtype=%v/impl=", dt)
		b.Run(name+"statespec", func(b *testing.B) {
			d := benchmarkDevice(b)
			x := filled(b, d, dt, latentFrame...)
			q := gpu.NewQuantiser(d, host)
			y, err := q.Quantise(x) // which loads the kernels and the weights
			ok(b, err)
			loop(b, d, x.NumBytes(), func() (err error) {
				if y, err = q.Quantise(x); err != nil {
					return err
				}
				return d.CUDA().Synchronize()
			})
			due, err := onHost(d, x)
			ok(b, err)
			same(b, y, due)
		})
		b.Run(name+"control", func(b *testing.B) {
			d := benchmarkDevice(b)
			x := filled(b, d, dt, latentFrame...)
			var y *tensor.Tensor
			loop(b, d, x.NumBytes(), func() (err error) {
				y, err = onHost(d, x)
				return err
			})
			due, err := gpu.NewQuantiser(d, host).Quantise(x)
			ok(b, err)
			same(b, y, due)
		})
	}
}

// BenchmarkCompare compares two buffers on the device bit for bit, which differ in their
// last byte alone. The control copies both to the host and compares them there.
func BenchmarkCompare(b *testing.B) {
	cuda.Require(b)
	for _, n := range []int{1 << 20, 64 << 20} {
		name := fmt.Sprintf("bytes=%d/impl=", n)
		b.Run(name+"statespec", func(b *testing.B) {
			onlyReal(b, n)
			d := benchmarkDevice(b)
			x, y := pair(b, d, n)
			c := newComparer(b, d)
			loop(b, d, 2*n, func() error { return c.compare(x, y) })
			if got := c.difference(b); got.Count != 1 || got.First != n-1 {
				b.Fatalf("difference = %+v, want one byte, the last of %d", got, n)
			}
		})
		b.Run(name+"control", func(b *testing.B) {
			onlyReal(b, n)
			d := benchmarkDevice(b)
			x, y := pair(b, d, n)
			hx, hy := make([]byte, n), make([]byte, n)
			equal := true
			loop(b, d, 2*n, func() error {
				if err := x.ReadAt(hx, 0); err != nil {
					return err
				}
				if err := y.ReadAt(hy, 0); err != nil {
					return err
				}
				equal = bytes.Equal(hx, hy)
				return nil
			})
			if equal {
				b.Fatal("the buffers are equal, and differ in their last byte")
			}
		})
	}
}
