package kernels_test

import (
	"fmt"
	"testing"

	"github.com/statespec/statespec/gpu/kernels"
	"github.com/statespec/statespec/reference/dtype"
)

// drawn returns n taps with weights as the encoder has them, and some of 24 bits.
func drawn(seed uint64, n int) []kernels.Taps {
	raw, list := noise(seed, 4*n), make([]kernels.Taps, n)
	for i := range list {
		b := raw[4*i:]
		list[i] = kernels.Taps{Older: float32(int8(b[0])) / 128, Old: float32(int8(b[1])) / 100, Now: float32(int8(b[2])) / 90, Bias: float32(int8(b[3])) / 256}
	}
	return list
}

// causals are all the ways in which the encoder calls it, and some more.
func causals(channels, positions int) (list []kernels.Causal) {
	for _, frames := range []int{1, 2, 3, 4, 6} {
		for held := range 3 {
			for kept := max(held, 1); kept <= min(2, held+frames); kept++ {
				for fan := 1; fan <= 2; fan++ {
					for stride := 1; stride <= 2; stride++ {
						if stride == 1 || frames == 1 || frames%2 == 0 {
							list = append(list, kernels.Causal{Channels: channels, Positions: positions, Frames: frames, Held: held, Kept: kept, Fan: fan, Stride: stride})
						}
					}
				}
			}
		}
	}
	return list
}

// convolve runs the kernel.
func convolve(t testing.TB, m machine, c kernels.Causal, x, before []byte, taps []kernels.Taps) (y, after []byte) {
	t.Helper()
	n := 2 * c.Channels * c.Positions
	atY, atAfter := m.allocate(t, noise(1, n*c.Fan*c.Made())), m.allocate(t, noise(2, n*c.Kept))
	var atBefore uintptr
	if c.Held > 0 {
		atBefore = m.allocate(t, before)
	}
	launch(t, m)(c.Call(atY, atAfter, m.allocate(t, x), atBefore, m.allocate(t, kernels.PackTaps(taps))))
	return m.read(t, atY, n*c.Fan*c.Made()), m.read(t, atAfter, n*c.Kept)
}

func testCausal(t *testing.T, m machine) {
	for i, c := range append(causals(3, 37), causals(1, 1)...) {
		n, taps := c.Channels*c.Positions, drawn(uint64(i), c.Channels*c.Fan)
		x, before := values(dtype.BFloat16, uint64(2*i), n*c.Frames), values(dtype.BFloat16, uint64(2*i+1), n*c.Held)
		if i%3 == 0 {
			x = special(dtype.BFloat16, n*c.Frames)
		}
		wantY, wantAfter, err := c.Convolve(x, before, taps)
		if err != nil {
			t.Fatal(err)
		}
		y, after := convolve(t, m, c, x, before, taps)
		wantBytes(t, fmt.Sprintf("y of %+v", c), quiet(y, dtype.BFloat16), quiet(wantY, dtype.BFloat16), 2)
		wantBytes(t, fmt.Sprintf("the entry after %+v", c), after, wantAfter, 2)
		m.clear(t)
	}
}

func testCausalInPlace(t *testing.T, m machine) {
	for _, frames := range []int{1, 2, 4} {
		c := kernels.Causal{Channels: 3, Positions: 50, Frames: frames, Held: 2, Kept: 2, Fan: 1, Stride: 1}
		n := c.Channels * c.Positions
		x, before, taps := values(dtype.BFloat16, 1, n*frames), values(dtype.BFloat16, 2, n*2), drawn(3, c.Channels)
		wantY, wantAfter, err := c.Convolve(x, before, taps)
		if err != nil {
			t.Fatal(err)
		}
		inY, inEntry := m.allocate(t, x), m.allocate(t, before)
		launch(t, m)(c.Call(inY, inEntry, inY, inEntry, m.allocate(t, kernels.PackTaps(taps))))
		wantBytes(t, "y in place", m.read(t, inY, len(wantY)), wantY, 2)
		wantBytes(t, "the entry in place", m.read(t, inEntry, len(wantAfter)), wantAfter, 2)
	}
}

func TestTheConvolutionsShapeIsChecked(t *testing.T) {
	sound := kernels.Causal{Channels: 2, Positions: 3, Frames: 4, Held: 2, Kept: 2, Fan: 1, Stride: 1}
	if _, err := sound.Call(8, 16, 24, 32, 40); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*kernels.Causal){
		"no frames":                   func(c *kernels.Causal) { c.Frames = 0 },
		"three frames halved":         func(c *kernels.Causal) { c.Frames, c.Stride = 3, 2 },
		"fan 0":                       func(c *kernels.Causal) { c.Fan = 0 },
		"fan 3":                       func(c *kernels.Causal) { c.Fan = 3 },
		"stride 0":                    func(c *kernels.Causal) { c.Stride = 0 },
		"stride 3":                    func(c *kernels.Causal) { c.Stride = 3 },
		"three frames held":           func(c *kernels.Causal) { c.Held = 3 },
		"fewer frames held than none": func(c *kernels.Causal) { c.Held = -1 },
		"fewer frames kept than held": func(c *kernels.Causal) { c.Kept = 1 },
		"more frames kept than there": func(c *kernels.Causal) { c.Held, c.Frames = 0, 1 },
		"negative channels":           func(c *kernels.Causal) { c.Channels = -1 },
		"negative positions":          func(c *kernels.Causal) { c.Positions = -1 },
		"more than memory has":        func(c *kernels.Causal) { c.Channels, c.Positions = 1<<31, 1<<31 },
	} {
		c := sound
		change(&c)
		_, err := c.Call(8, 16, 24, 32, 40)
		wantRefused(t, "Call with "+name, err)
		_, _, err = c.Convolve(nil, nil, nil)
		wantRefused(t, "Convolve with "+name, err)
	}
	for name, run := range map[string]func() ([]byte, []byte, error){
		"too few bytes": func() ([]byte, []byte, error) {
			return sound.Convolve(make([]byte, 47), make([]byte, 24), make([]kernels.Taps, 2))
		},
		"too few bytes held": func() ([]byte, []byte, error) {
			return sound.Convolve(make([]byte, 48), make([]byte, 22), make([]kernels.Taps, 2))
		},
		"too few taps": func() ([]byte, []byte, error) {
			return sound.Convolve(make([]byte, 48), make([]byte, 24), make([]kernels.Taps, 1))
		},
	} {
		_, _, err := run()
		wantRefused(t, "Convolve of "+name, err)
	}
}
