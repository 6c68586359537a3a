package kernels_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/gpu/kernels"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
)

var quantised = []dtype.DType{dtype.Float32, dtype.BFloat16}

// values returns n float32 or bfloat16 between -4 and 4, among them zeros of both
// signs and subnormals.
func values(dt dtype.DType, seed uint64, n int) []byte {
	raw := noise(seed, 4*n)
	b := make([]byte, 0, dt.Size()*n)
	for i := range n {
		word := binary.LittleEndian.Uint32(raw[4*i:])
		f := math.Ldexp(float64(int32(word)), -29)
		switch word % 61 {
		case 0:
			f = 0
		case 1:
			f = math.Copysign(0, -1)
		case 2:
			f = math.Ldexp(f, -126)
		}
		if dt == dtype.BFloat16 {
			b = binary.LittleEndian.AppendUint16(b, dtype.BFloat16FromFloat32(float32(f)))
		} else {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(f)))
		}
	}
	return b
}

// quiet replaces every NaN by one, since processors make different ones.
func quiet(b []byte, dt dtype.DType) []byte {
	b = bytes.Clone(b)
	if dt == dtype.BFloat16 {
		for i := 0; i < len(b); i += 2 {
			if binary.LittleEndian.Uint16(b[i:])&0x7fff > 0x7f80 {
				binary.LittleEndian.PutUint16(b[i:], 0x7fc0)
			}
		}
		return b
	}
	for i := 0; i < len(b); i += 4 {
		if binary.LittleEndian.Uint32(b[i:])&0x7fffffff > 0x7f800000 {
			binary.LittleEndian.PutUint32(b[i:], 0x7fc00000)
		}
	}
	return b
}

func weights(t testing.TB, channels int, seed uint64) *dreamzero.Weights {
	t.Helper()
	return must[*dreamzero.Weights](t)(dreamzero.GenerateWeights(channels, seed))
}

// dreamzeros is the Go code's quantiser.
func dreamzeros(t testing.TB, p kernels.Pointwise, w *dreamzero.Weights, x []byte) []byte {
	t.Helper()
	q := must[*dreamzero.Pointwise](t)(dreamzero.NewPointwise(w, 2))
	in := must[*tensor.Tensor](t)(tensor.FromBytes(p.DType, x, 1, p.Channels, 1, 1, p.Positions))
	return must[*tensor.Tensor](t)(q.Quantise(in)).AppendBytes(nil)
}

// quantise runs a kernel: that by length where split is not 0.
func quantise(t testing.TB, m machine, p kernels.Pointwise, w *dreamzero.Weights, x []byte, split int) []byte {
	t.Helper()
	nbytes := p.Channels * p.Positions * p.DType.Size()
	y, in, packed := m.allocate(t, noise(9, nbytes)), m.allocate(t, x), m.allocate(t, kernels.PackWeights(w))
	if split == 0 {
		launch(t, m)(p.Call(y, in, packed))
	} else {
		launch(t, m)(p.CallByLength(y, in, packed, split))
	}
	return m.read(t, y, nbytes)
}

func testPointwise(t *testing.T, m machine) {
	for _, dt := range quantised {
		for _, shape := range [][2]int{{1, 1}, {1, 17}, {2, 3}, {7, 255}, {32, 1}, {32, 120}, {32, 1999}, {33, 64}, {32, 7040}} {
			p := kernels.Pointwise{DType: dt, Channels: shape[0], Positions: shape[1]}
			w := weights(t, p.Channels, 5)
			for kind, x := range map[string][]byte{"values": values(dt, 11, p.Channels*p.Positions), "noise": noise(12, p.Channels*p.Positions*dt.Size()), "specials": special(dt, p.Channels*p.Positions)} {
				what := fmt.Sprintf("quantiser of %d×%d %v, %s", p.Channels, p.Positions, dt, kind)
				got, want := quantise(t, m, p, w, x, 0), dreamzeros(t, p, w, x)
				if kind != "values" {
					got, want = quiet(got, dt), quiet(want, dt)
				}
				wantBytes(t, what, got, want, dt.Size())
				m.clear(t)
			}
		}
	}
}

// special returns n of the special values, no NaN among them; infinities are
// sparse, or each sum would be one of them.
func special(dt dtype.DType, n int) []byte {
	var b []byte
	for i := range n {
		bits := specials[i*7919%len(specials)]
		if bits&0x7f800000 == 0x7f800000 {
			if bits = 0x3f808000 ^ bits&0x80000000; i%211 == 0 {
				bits |= 0x7f800000
				bits &= 0xff800000
			}
		}
		if dt == dtype.BFloat16 {
			b = binary.LittleEndian.AppendUint16(b, uint16(bits>>16))
		} else {
			b = binary.LittleEndian.AppendUint32(b, bits)
		}
	}
	return b
}

func testPointwiseStep(t *testing.T, m machine) {
	const channels, frames, plane, last = 5, 7, 33, 2
	for _, dt := range quantised {
		size := dt.Size()
		history := values(dt, 21, channels*frames*plane)
		w := weights(t, channels, 3)
		var newest []byte
		for c := range channels {
			newest = append(newest, history[((c*frames)+frames-last)*plane*size:(c+1)*frames*plane*size]...)
		}
		p := kernels.Pointwise{DType: dt, Channels: channels, Positions: last * plane, Step: frames * plane}
		y, x := m.allocate(t, noise(9, len(newest))), m.allocate(t, history)
		launch(t, m)(p.Call(y, x+uintptr((frames-last)*plane*size), m.allocate(t, kernels.PackWeights(w))))
		p.Step = 0
		wantBytes(t, fmt.Sprintf("the newest frames of %v", dt), m.read(t, y, len(newest)), dreamzeros(t, p, w, newest), size)
	}
}

func testFixedOrder(t *testing.T, m machine) {
	const channels, longest = 32, 700
	for _, dt := range quantised {
		w, x := weights(t, channels, 5), values(dt, 31, channels*longest)
		whole := kernels.Pointwise{DType: dt, Channels: channels, Positions: longest}
		all := quantise(t, m, whole, w, x, 0)
		for _, n := range []int{1, 2, 31, 256, 257, 699} {
			p := kernels.Pointwise{DType: dt, Channels: channels, Positions: n}
			wantBytes(t, fmt.Sprintf("the first %d of %d positions of %v", n, longest, dt),
				quantise(t, m, p, w, cut(x, whole, n), 0), cut(all, whole, n), dt.Size())
		}
	}
}

// cut returns the first n positions of each channel.
func cut(b []byte, p kernels.Pointwise, n int) (out []byte) {
	size := p.DType.Size()
	for c := range p.Channels {
		out = append(out, b[c*p.Positions*size:][:n*size]...)
	}
	return out
}

func testByLength(t *testing.T, m machine) {
	for _, dt := range quantised {
		for _, channels := range []int{1, 2, 3, 4, 7, 8, 32} {
			for _, positions := range []int{1, 10, 11, 21, 30, 31, 400} {
				p := kernels.Pointwise{DType: dt, Channels: channels, Positions: positions}
				w, x := weights(t, channels, 5), values(dt, 41, channels*positions)
				wantBytes(t, fmt.Sprintf("quantiser by length of %d×%d %v", channels, positions, dt),
					quantise(t, m, p, w, x, 10), must[[]byte](t)(kernels.PointwiseByLength(p, w, x, 10)), dt.Size())
			}
			m.clear(t)
		}
	}
}

func testByLengthDiffers(t *testing.T, m machine) {
	const channels, split = 32, 100
	for _, dt := range quantised {
		for positions, blocks := range map[int]int{1: 1, 99: 1, 100: 1, 101: 2, 200: 2, 201: 3, 301: 4, 900: 4} {
			p := kernels.Pointwise{DType: dt, Channels: channels, Positions: positions}
			w, x := weights(t, channels, 5), values(dt, 51, channels*positions)
			d := must[kernels.Difference](t)(kernels.Compare(quantise(t, m, p, w, x, 0), quantise(t, m, p, w, x, split), dt.Size()))
			if (d.Count > 0) != (blocks > 1) {
				t.Errorf("of %d positions of %v, summed in %d blocks, %d differ from the fixed order; they differ where there is more than one", positions, dt, blocks, d.Count)
			}
			if got := kernels.BlocksByLength(channels, positions, split); got != blocks {
				t.Errorf("BlocksByLength(%d, %d, %d) = %d, want %d", channels, positions, split, got, blocks)
			}
		}
	}
}

// The first half and the second: the rollout's fault, written out.
func TestTwoBlocksAreTheTwoHalvesOfTheRolloutsFaults(t *testing.T) {
	const channels, positions = 32, 50
	for _, dt := range quantised {
		p := kernels.Pointwise{DType: dt, Channels: channels, Positions: positions}
		w, x := weights(t, channels, 5), values(dt, 61, channels*positions)
		got := must[[]byte](t)(kernels.PointwiseByLength(p, w, x, positions/2))
		round := func(f float32) float32 {
			if dt == dtype.BFloat16 {
				return dtype.Float32FromBFloat16(dtype.BFloat16FromFloat32(f))
			}
			return f
		}
		var want []byte
		for o := range channels {
			for i := range positions {
				first, second := w.Bias[o], float32(0)
				for c := range channels {
					value := math.Float32frombits(binary.LittleEndian.Uint32(append(make([]byte, 4-dt.Size()), x[(c*positions+i)*dt.Size():][:dt.Size()]...)))
					if product := float32(w.Mix[o*channels+c] * value); c < channels/2 {
						first += product
					} else {
						second += product
					}
				}
				v := round(round(round(round(first)+round(second))-w.Mean[o]) * w.InvStd[o])
				b := binary.LittleEndian.AppendUint32(nil, math.Float32bits(v))
				want = append(want, b[4-dt.Size():]...)
			}
		}
		wantBytes(t, fmt.Sprintf("two blocks of %v", dt), got, want, dt.Size())
	}
}

func TestTheQuantisersShapeIsChecked(t *testing.T) {
	sound := kernels.Pointwise{DType: dtype.Float32, Channels: 4, Positions: 6}
	for name, change := range map[string]func(*kernels.Pointwise){
		"float64":              func(p *kernels.Pointwise) { p.DType = dtype.Float64 },
		"no channels":          func(p *kernels.Pointwise) { p.Channels = 0 },
		"negative positions":   func(p *kernels.Pointwise) { p.Positions = -1 },
		"a step too short":     func(p *kernels.Pointwise) { p.Step = 5 },
		"more than memory has": func(p *kernels.Pointwise) { p.Channels, p.Positions = 1<<40, 1<<40 },
	} {
		p := sound
		change(&p)
		_, err := p.Call(8, 16, 24)
		wantRefused(t, "Call of "+name, err)
		_, err = p.CallByLength(8, 16, 24, 1)
		wantRefused(t, "CallByLength of "+name, err)
	}
	_, err := sound.CallByLength(8, 16, 24, 0)
	wantRefused(t, "CallByLength split at 0", err)
	w := weights(t, 4, 1)
	_, err = kernels.PointwiseByLength(sound, w, make([]byte, 95), 1)
	wantRefused(t, "PointwiseByLength of too few bytes", err)
	_, err = kernels.PointwiseByLength(sound, nil, make([]byte, 96), 1)
	wantRefused(t, "PointwiseByLength without weights", err)
}

func wantRefused(t testing.TB, what string, err error) {
	t.Helper()
	if err == nil {
		t.Errorf("%s is accepted, want an error", what)
	}
}
