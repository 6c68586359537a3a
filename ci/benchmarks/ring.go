package benchmarks

import (
	"bytes"
	"context"
	"fmt"

	"github.com/statespec/statespec/ci/paired"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

// latentFrame is one latent frame at the shipped size: 225,280 bytes of bfloat16.
var latentFrame = []int{1, 32, 1, 44, 80}

// written is a new tensor each of whose bytes was written. A source that never was is one
// page of zeros to the system, however large it is, and is copied from the fastest cache.
func written(dt dtype.DType, shape ...int) (*tensor.Tensor, error) {
	t, err := tensor.New(dt, shape...)
	if err != nil {
		return nil, err
	}
	b, _ := t.Bytes()
	for i := range b {
		b[i] = byte(i)
	}
	return t, nil
}

// pushed is a ring of n frames, into which frames are pushed and of which the last n
// are viewed as one tensor.
func pushed(n int) func(context.Context) (*paired.Body, error) {
	return func(context.Context) (*paired.Body, error) {
		frame, err := written(dtype.BFloat16, latentFrame...)
		if err != nil {
			return nil, err
		}
		b := object.NewLatentBuffer("vae_encoder_out")
		if err := b.Allocate(object.Bound{Unit: object.Frames, N: n, Axis: 2}); err != nil {
			return nil, err
		}
		step := func(view int) error {
			if err := b.Append(frame); err != nil {
				return err
			}
			v, err := b.Last(view)
			if err == nil && v.Dim(2) != view {
				err = unlike("frames viewed", v.Dim(2), view)
			}
			return err
		}
		for range 4 * n { // every window's header has been made
			if err := step(min(n, b.Len()+1)); err != nil {
				return nil, err
			}
		}
		return &paired.Body{
			Run: func(times int) error {
				for range times {
					if err := step(n); err != nil {
						return err
					}
				}
				return nil
			},
			Units: func() (map[string]float64, error) { return held(b.BytesByDevice()["cpu"]), nil },
		}, nil
	}
}

// slots is one frame copied into each of n slots in turn.
func slots(n int) func(context.Context) (*paired.Body, error) {
	return func(context.Context) (*paired.Body, error) {
		frame, err := written(dtype.BFloat16, latentFrame...)
		if err != nil {
			return nil, err
		}
		from, _ := frame.Bytes()
		to, i := bytes.Repeat(from, n), 0 // every page is there
		return &paired.Body{Run: func(times int) error {
			for range times {
				copy(to[i*len(from):], from)
				i = (i + 1) % n
			}
			return nil
		}}, nil
	}
}

func ring(n int) paired.Benchmark {
	// A ring of exactly n frames whose last n lie side by side copies n frames a push:
	// 98 % of its time at 2 and 4 is memmove, and the control is one copy. Where a copy
	// within the cache is as slow as one into it, n is what can be reached. One of 64
	// writes each frame twice, into 28.8 MB, where the control writes once into half of
	// that: 2.4 by itself, 3 where other things are in the cache. A shift once in 64
	// pushes comes to the same, and is late when it comes.
	most := map[int]float64{2: 2.2, 4: 4, 64: 3.3}
	parts := fmt.Sprintf("/frames=%d", n)
	return paired.Benchmark{
		Name: "Ring" + parts, Doc: "a latent frame pushed and the last frames viewed as one tensor, steady state; the control copies the frame into a slot",
		Variants: []paired.Variant{
			{Name: ours(""), Most: unallocating(most[n]), SetUp: pushed(n)},
			{Name: controlled(""), SetUp: slots(n)},
		},
	}
}
