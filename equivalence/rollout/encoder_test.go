package rollout

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/statespec/statespec/fixtures/fill"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
)

// minute is a profile for definitions that are slow.
var minute = Profile{Name: "minute", CameraHeight: 12, CameraWidth: 12, Base: 3}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// film returns n frames of noise for a profile.
func film(t testing.TB, p Profile, seed uint64, n int) []*tensor.Tensor {
	t.Helper()
	list := make([]*tensor.Tensor, n)
	for i := range list {
		b := fill.Bytes("uint8", seed+uint64(i), p.Height()*p.Width()*ColourChannels)
		list[i] = must[*tensor.Tensor](t)(tensor.FromBytes(dtype.UInt8, b, p.FrameShape()...))
	}
	return list
}

// encoded runs a seed and n body chunks through an encoder with maps of their
// own, and returns the latents and the last map.
func encoded(t testing.TB, p Profile, workers, n int) ([]*tensor.Tensor, FeatureMap) {
	t.Helper()
	e := must[*Encoder](t)(NewEncoder(p, 1, workers))
	var m FeatureMap
	var latents []*tensor.Tensor
	pictures := film(t, p, 100, 1+n*bodyFrames)
	for chunk := range n + 1 {
		from, to := 0, 1
		if chunk > 0 {
			from, to = 1+(chunk-1)*bodyFrames, 1+chunk*bodyFrames
		}
		next := must[FeatureMap](t)(newFeatureMap(e.layout, chunk+1))
		latents = append(latents, must[*tensor.Tensor](t)(e.Encode(pictures[from:to], m, next)))
		m = next
	}
	return latents, m
}

func digest(ts ...*tensor.Tensor) string {
	h := xxh3.New()
	for _, t := range ts {
		h.Write(t.AppendBytes(nil))
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// video is a plain tensor of the definition: [channel][frame][row*width+column].
type video [][][]float32

func plainVideo(channels, frames, positions int) video {
	v := make(video, channels)
	for c := range v {
		v[c] = make([][]float32, frames)
		for t := range v[c] {
			v[c][t] = make([]float32, positions)
		}
	}
	return v
}

// A plainEncoder is the encoder written out layer by layer over whole videos,
// one output at a time.
type plainEncoder struct {
	e       *Encoder
	history [Entries]video // nil before the seed
}

func (p *plainEncoder) filter(entry int, x video, w []taps, stride int) video {
	place, fan := p.e.layout[entry], len(w)/len(x)
	frames, positions := len(x[0]), place.Height*place.Width
	before := p.history[entry]
	at := func(c, t, i int) float32 {
		switch {
		case t >= 0:
			return x[c][t][i]
		case before == nil || len(before[c])+t < 0:
			return 0
		}
		return before[c][len(before[c])+t][i]
	}
	seedOfTime := stride == 2 && frames == 1
	out := plainVideo(fan*len(x), (frames+stride-1)/stride, positions)
	for o := range out {
		for t := range out[o] {
			for i := range positions {
				c, last := o/fan, t*stride+stride-1
				if seedOfTime {
					out[o][t][i] = x[c][0][i]
					continue
				}
				first := float32(w[o].older * at(c, last-2, i))
				second := float32(w[o].old * at(c, last-1, i))
				third := float32(w[o].now * at(c, last, i))
				sum := first + second
				sum = sum + third
				sum = sum + w[o].bias
				if sum < 0 {
					sum *= slope
				}
				out[o][t][i] = dtype.Float32FromBFloat16(dtype.BFloat16FromFloat32(sum))
			}
		}
	}
	kept := min(place.Frames, frames+1)
	if before == nil {
		kept = 1
	}
	after := plainVideo(len(x), kept, positions)
	for c := range after {
		for k := range kept {
			for i := range positions {
				after[c][k][i] = at(c, frames-kept+k, i)
			}
		}
	}
	p.history[entry] = after
	return out
}

func (p *plainEncoder) halve(x video, width int, w []square) video {
	out := plainVideo(len(x), len(x[0]), len(x[0][0])/4)
	for c := range out {
		for t := range out[c] {
			for i := range out[c][t] {
				at := 2*(i/(width/2))*width + 2*(i%(width/2))
				sum := float32(0)
				for k, from := range []int{at, at + 1, at + width, at + width + 1} {
					product := float32(w[c][k] * x[c][t][from])
					if k == 0 {
						sum = product
					} else {
						sum += product
					}
				}
				out[c][t][i] = dtype.Float32FromBFloat16(dtype.BFloat16FromFloat32(sum))
			}
		}
	}
	return out
}

func (p *plainEncoder) encode(pictures []*tensor.Tensor) []uint16 {
	stem, w := p.e.layout[entryStem], p.e.weights
	x := plainVideo(ColourChannels, len(pictures), stem.Height*stem.Width)
	for t, picture := range pictures {
		for i, v := range picture.AppendBytes(nil) {
			x[i%ColourChannels][t][i/ColourChannels] = p.e.centred[v]
		}
	}
	x = p.filter(entryStem, x, w.stem, 1)
	mixed := plainVideo(len(w.mix), len(pictures), stem.Height*stem.Width)
	for g, m := range w.mix {
		for t := range mixed[g] {
			for i := range mixed[g][t] {
				first := float32(m.wa * x[m.a][t][i])
				second := float32(m.wb * x[m.b][t][i])
				sum := first + second
				sum += m.offset
				if sum < 0 {
					sum *= slope
				}
				mixed[g][t][i] = dtype.Float32FromBFloat16(dtype.BFloat16FromFloat32(sum))
			}
		}
	}
	x = mixed
	for entry := entryLevel0; entry < Entries; entry++ {
		stride := 1
		switch entry {
		case entryLevel1:
			x = p.halve(x, p.e.layout[entry-1].Width, w.halve[0])
		case entryTime1:
			x, stride = p.halve(x, p.e.layout[entry-1].Width, w.halve[1]), 2
		case entryTime2:
			x, stride = p.halve(x, p.e.layout[entry-1].Width, w.halve[2]), 2
		}
		x = p.filter(entry, x, w.conv[entry], stride)
	}
	out := make([]uint16, 0, LatentChannels*len(x[0][0]))
	for o := range LatentChannels {
		for i := range x[0][0] {
			sum := w.bias[o]
			for c := range x {
				product := float32(w.dense[o*len(x)+c] * x[c][0][i])
				sum += product
			}
			out = append(out, dtype.BFloat16FromFloat32(sum))
		}
	}
	return out
}

func TestTheEncoderIsItsDefinition(t *testing.T) {
	e := must[*Encoder](t)(NewEncoder(minute, 1, 2))
	plain := plainEncoder{e: e}
	pictures := film(t, minute, 7, 1+5*bodyFrames)
	var m FeatureMap
	for chunk := range 6 {
		part := pictures[:1]
		if chunk > 0 {
			part = pictures[1+(chunk-1)*bodyFrames:][:bodyFrames]
		}
		next := must[FeatureMap](t)(newFeatureMap(e.layout, chunk+1))
		latent := must[*tensor.Tensor](t)(e.Encode(part, m, next))
		m = next
		if got, want := bits(latent), plain.encode(part); !slices.Equal(got, want) {
			t.Fatalf("chunk %d: latents of Encode differ from the definition's first at %d", chunk, firstDifference(got, want))
		}
		for i, entry := range m {
			var want []uint16
			for _, c := range plain.history[i] {
				for _, frame := range c {
					for _, v := range frame {
						want = append(want, dtype.BFloat16FromFloat32(v))
					}
				}
			}
			if got := bits(entry); !slices.Equal(got, want) {
				t.Fatalf("chunk %d: entry %d, %s, differs from the definition's first at %d of %d", chunk, i, e.layout[i].Name, firstDifference(got, want), len(want))
			}
		}
	}
}

func bits(x *tensor.Tensor) []uint16 {
	b := x.AppendBytes(nil)
	out := make([]uint16, len(b)/2)
	for i := range out {
		out[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return out
}

func firstDifference(a, b []uint16) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// The digest holds on every processor.
func TestTheEncoderHasOneAnswerWithAnyNumberOfWorkers(t *testing.T) {
	const wantLatents, wantMap = "e822bc984d237703", "91b3af694c06aff6"
	for _, workers := range []int{1, 2, 3, 5, 7} {
		latents, m := encoded(t, Tiny, workers, 5)
		if got := digest(latents...); got != wantLatents {
			t.Errorf("latents on %d workers have digest %s, want %s", workers, got, wantLatents)
		}
		if got := digest(m...); got != wantMap {
			t.Errorf("the map on %d workers has digest %s, want %s", workers, got, wantMap)
		}
	}
}

// Values stay far from where float32 or bfloat16 end, so that nothing becomes
// infinite, subnormal or no number.
func TestWhatTheEncoderMakesStaysInRange(t *testing.T) {
	latents, m := encoded(t, slim(Small), 2, 8)
	for i, x := range append(slices.Clone(m), latents...) {
		for _, b := range bits(x) {
			if exponent := b >> 7 & 0xff; b&0x7fff != 0 && (exponent < 127-60 || exponent > 127+20) {
				t.Fatalf("tensor %d holds %v, want a magnitude between 2^-60 and 2^20", i, dtype.Float32FromBFloat16(b))
			}
		}
	}
}

// A change of one element of the cache must not die out: it is in the next
// cache or the next latents, of whichever entry it was. What is lost is an
// element so small beside its neighbours that rounding swallows it.
func TestASignFlippedInAnyEntryReachesWhatComesNext(t *testing.T) {
	e := must[*Encoder](t)(NewEncoder(Tiny, 1, 2))
	_, m := encoded(t, Tiny, 2, 3)
	chunk := film(t, Tiny, 900, bodyFrames)
	next := func(from FeatureMap) string {
		out := must[FeatureMap](t)(newFeatureMap(e.layout, 5))
		latent := must[*tensor.Tensor](t)(e.Encode(chunk, from, out))
		return digest(append(out, latent)...)
	}
	undisturbed := next(m)
	where := fill.Seeded(5)
	const tries, swallowed = 6, 1
	for i, entry := range m {
		reached := 0
		for range tries {
			flipped := slices.Clone(m)
			flipped[i] = entry.Clone()
			b, _ := flipped[i].Bytes()
			b[2*(where.Uint64()%uint64(entry.NumElements()))+1] ^= 0x80
			if next(flipped) != undisturbed {
				reached++
			}
		}
		if reached < tries-swallowed {
			t.Errorf("of %d signs flipped in entry %d, %s, %d reach the next cache or latents, want %d", tries, i, e.layout[i].Name, reached, tries-swallowed)
		}
	}
}

func TestTheEncoderRefusesWhatDoesNotFit(t *testing.T) {
	e := must[*Encoder](t)(NewEncoder(minute, 1, 1))
	fresh := func(chunks int) FeatureMap { return must[FeatureMap](t)(newFeatureMap(e.layout, chunks)) }
	short := fresh(2)[:23]
	other := fresh(2)
	other[3] = must[*tensor.Tensor](t)(tensor.New(dtype.Float32, other[3].Shape()...))
	turned := fresh(2)
	turned[4] = must[*tensor.Tensor](t)(turned[4].Transpose(3, 4))
	for name, c := range map[string]struct {
		frames  []*tensor.Tensor
		in, out FeatureMap
	}{
		"a seed of four frames":           {film(t, minute, 1, 4), nil, fresh(1)},
		"a chunk of one":                  {film(t, minute, 1, 1), fresh(1), fresh(2)},
		"a frame of another size":         {film(t, Tiny, 1, 1), nil, fresh(1)},
		"no frame":                        {[]*tensor.Tensor{nil}, nil, fresh(1)},
		"a map that lacks an entry":       {film(t, minute, 1, 4), short, fresh(2)},
		"a map of another dtype":          {film(t, minute, 1, 4), other, fresh(2)},
		"a map of another shape":          {film(t, minute, 1, 4), turned, fresh(2)},
		"nowhere to write":                {film(t, minute, 1, 1), nil, nil},
		"a seed's map for a body chunk's": {film(t, minute, 1, 4), fresh(1), fresh(1)},
	} {
		if latent, err := e.Encode(c.frames, c.in, c.out); err == nil {
			t.Errorf("Encode with %s = %v, want an error", name, latent)
		}
	}
	for _, bad := range []Profile{{CameraHeight: 4, CameraWidth: 40, Base: 1}, {CameraHeight: 29, CameraWidth: 40, Base: 1}, {CameraHeight: 28, CameraWidth: 40}} {
		if _, err := NewEncoder(bad, 1, 1); err == nil {
			t.Errorf("NewEncoder(%+v) = no error, want one", bad)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, p := range Profiles() {
		b.Run("profile="+p.Name, func(b *testing.B) {
			e := must[*Encoder](b)(NewEncoder(p, 1, 0))
			in, out := must[FeatureMap](b)(newFeatureMap(e.layout, 2)), must[FeatureMap](b)(newFeatureMap(e.layout, 2))
			pictures := film(b, p, 1, bodyFrames)
			for b.Loop() {
				must[*tensor.Tensor](b)(e.Encode(pictures, in, out))
				in, out = out, in
			}
		})
	}
}
