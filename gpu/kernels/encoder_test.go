package kernels_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/statespec/statespec/equivalence/rollout"
	"github.com/statespec/statespec/gpu/kernels"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
)

// The encoder keeps its weights to itself. But the entry of a convolution has what
// went into it, and the next one's what came out. So of each channel, the taps are
// looked for that explain its chunks, among all that the encoder can draw; and with
// those the kernel has to give every bit of the next entry.
func testEncoder(t *testing.T, m machine) {
	chunks := encode(t)
	same(t, m, chunks, 10, 2) // doubles the channels, of two frames
	same(t, m, chunks, 11, 1)
	same(t, m, chunks, 12, 1)
	halved(t, m, chunks)
	for entry := 15; entry < 23; entry++ { // of one frame
		same(t, m, chunks, entry, 1)
	}
}

// A chunk is the feature map before and after one, each entry's bytes.
type chunk struct{ before, after [][]byte }

var small = rollout.Profile{Name: "kernels", CameraHeight: 12, CameraWidth: 12, Base: 2}

// encode runs a seed and three chunks through the rollout's encoder.
func encode(t testing.TB) (chunks []chunk) {
	t.Helper()
	e := must[*rollout.Encoder](t)(rollout.NewEncoder(small, 1, 2))
	var in rollout.FeatureMap
	for n := range 4 {
		var frames []*tensor.Tensor
		for f := range 1 + 3*min(n, 1) {
			shape := small.FrameShape()
			frames = append(frames, must[*tensor.Tensor](t)(tensor.FromBytes(dtype.UInt8, blocks(uint64(10*n+f), shape), shape...)))
		}
		var out rollout.FeatureMap
		for _, place := range small.Layout() {
			out = append(out, must[*tensor.Tensor](t)(tensor.New(dtype.BFloat16, place.Shape(place.FramesAfter(n+1))...)))
		}
		must[*tensor.Tensor](t)(e.Encode(frames, in, out))
		chunks = append(chunks, chunk{entries(in), entries(out)})
		in = out
	}
	return chunks[1:] // the seed has other numbers of frames
}

// blocks returns a picture of squares of one colour each, half as wide as a position
// of the last level. Of noise little would be left there.
func blocks(seed uint64, shape []int) []byte {
	const side = rollout.LatentScale / 2
	b, colours := make([]byte, shape[0]*shape[1]*shape[2]), noise(seed, shape[0]*shape[1]*shape[2])
	for i := range b {
		row, column, colour := i/(shape[1]*shape[2]), i/shape[2]%shape[1], i%shape[2]
		b[i] = colours[(row/side*shape[1]+column/side)*shape[2]+colour]
	}
	return b
}

func entries(m rollout.FeatureMap) (list [][]byte) {
	for _, t := range m {
		list = append(list, t.AppendBytes(nil))
	}
	return list
}

// framesAt is how many frames of a chunk of four reach an entry.
func framesAt(entry int) int {
	switch {
	case entry <= 9:
		return 4
	case entry <= 14:
		return 2
	}
	return 1
}

// step is the shape of an entry's convolution in a chunk.
func step(entry, n, fan, stride int) kernels.Causal {
	place := small.Layout()[entry]
	return kernels.Causal{Channels: place.Channels, Positions: place.Height * place.Width, Frames: framesAt(entry),
		Held: place.FramesAfter(n + 1), Kept: place.FramesAfter(n + 2), Fan: fan, Stride: stride}
}

// newest returns the newest of an entry's frames, channel by channel.
func newest(b []byte, c kernels.Causal, of, n int) (out []byte) {
	plane := 2 * c.Positions
	for channel := range len(b) / (of * plane) {
		out = append(out, b[(channel*of+of-n)*plane:(channel+1)*of*plane]...)
	}
	return out
}

// A passage is what went through a convolution in one chunk; of what came out, the
// newest frames are known.
type passage struct {
	kernels.Causal
	x, before, y []byte
	known        int
}

// same checks a convolution whose next entry has all that comes out.
func same(t *testing.T, m machine, chunks []chunk, entry, fan int) {
	var passages []passage
	for n, chunk := range chunks {
		c, next := step(entry, n, fan, 1), step(entry+1, n, 1, 1)
		passages = append(passages, passage{c, newest(chunk.after[entry], c, c.Kept, c.Frames), chunk.before[entry], newest(chunk.after[entry+1], c, next.Kept, c.Frames), c.Frames})
	}
	taps := search(t, passages)
	for n, p := range passages {
		y, after := convolve(t, m, p.Causal, p.x, p.before, taps)
		wantBytes(t, fmt.Sprintf("what comes out of entry %d in chunk %d", entry, n+1), y, p.y, 2)
		wantBytes(t, fmt.Sprintf("entry %d after chunk %d", entry, n+1), after, chunks[n].after[entry], 2)
	}
	m.clear(t)
}

// halved checks entry 14, which halves two frames to one. It keeps one of the two
// that came in. Both are what came out of entry 13, which is no more seen, four
// positions joined to one.
func halved(t *testing.T, m machine, chunks []chunk) {
	var into, through []passage
	for n, chunk := range chunks {
		c := step(13, n, 1, 1)
		into = append(into, passage{c, newest(chunk.after[13], c, 2, 2), chunk.before[13], chunk.after[14], 1})
		d := step(14, n, 1, 2)
		through = append(through, passage{d, nil, chunk.before[14], newest(chunk.after[15], d, 2, 1), 1})
	}
	taps13, squares, taps14 := searchHalved(t, into, through)
	for n, p := range into {
		y, after := convolve(t, m, p.Causal, p.x, p.before, taps13)
		wantBytes(t, fmt.Sprintf("entry 13 after chunk %d", n+1), after, chunks[n].after[13], 2)
		through[n].x = joined(y, squares)
	}
	for n, p := range through {
		y, after := convolve(t, m, p.Causal, p.x, p.before, taps14)
		wantBytes(t, fmt.Sprintf("what comes out of entry 14 in chunk %d", n+1), y, p.y, 2)
		wantBytes(t, fmt.Sprintf("entry 14 after chunk %d", n+1), after, chunks[n].after[14], 2)
	}
	m.clear(t)
}

// searchHalved is search through two convolutions, between which the four positions
// of a square are joined; it also returns the weights of the squares.
func searchHalved(t testing.TB, into, through []passage) (taps13 []kernels.Taps, squares [][4]float32, taps14 []kernels.Taps) {
	t.Helper()
	for channel := range into[0].Channels {
		found := false
		for first := range candidates {
			var made [][]byte
			for _, p := range into {
				made = append(made, p.channel(t, channel, first))
			}
			for signs := range 16 {
				square := [4]float32{0.5, 0.375, 0.375, 0.25}
				for i := range square {
					square[i] *= float32(1 - signs>>i&1*2)
				}
				if !lastIs(into, made, channel, square) {
					continue
				}
				one := make([]passage, len(through))
				for n, p := range through {
					p.Causal.Channels = 1
					p.x = joined(made[n], [][4]float32{square})
					p.before = p.before[channel*len(p.before)/into[n].Channels:][:len(p.before)/into[n].Channels]
					p.y = p.y[channel*len(p.y)/into[n].Channels:][:len(p.y)/into[n].Channels]
					one[n] = p
				}
				var second kernels.Taps
				if second, found = explanation(t, one, 0); found {
					taps13, squares, taps14 = append(taps13, first), append(squares, square), append(taps14, second)
					break
				}
			}
			if found {
				break
			}
		}
		if !found {
			t.Fatalf("no taps and squares explain channel %d of entries 13 and 14", channel)
		}
	}
	return taps13, squares, taps14
}

// lastIs reports whether the last of the frames made is what entry 14 keeps.
func lastIs(into []passage, made [][]byte, channel int, square [4]float32) bool {
	for n, p := range into {
		last := joined(made[n][len(made[n])/2:], [][4]float32{square})
		if !bytes.Equal(last, p.y[channel*len(last):(channel+1)*len(last)]) {
			return false
		}
	}
	return true
}

// joined halves planes of the size of entry 13, of as many channels as there are
// squares.
func joined(x []byte, squares [][4]float32) (y []byte) {
	place := small.Layout()[13]
	planes := len(x) / (2 * place.Height * place.Width)
	for plane := range planes {
		w := squares[plane*len(squares)/planes]
		value := func(row, column int) float32 {
			return dtype.Float32FromBFloat16(binary.LittleEndian.Uint16(x[2*((plane*place.Height+row)*place.Width+column):]))
		}
		for row := 0; row < place.Height; row += 2 {
			for column := 0; column < place.Width; column += 2 {
				sum := float32(w[0]*value(row, column)) + float32(w[1]*value(row, column+1))
				sum += float32(w[2] * value(row+1, column))
				sum += float32(w[3] * value(row+1, column+1))
				y = binary.LittleEndian.AppendUint16(y, dtype.BFloat16FromFloat32(sum))
			}
		}
	}
	return y
}

// search returns for each output channel the taps with which the Go code gives
// what is known of every passage.
func search(t testing.TB, passages []passage) (taps []kernels.Taps) {
	t.Helper()
	c := passages[0].Causal
	for out := range c.Channels * c.Fan {
		found, ok := explanation(t, passages, out)
		if !ok {
			t.Fatalf("no taps explain output channel %d of %+v", out, c)
		}
		taps = append(taps, found)
	}
	return taps
}

// explanation returns the first taps that explain one output channel.
func explanation(t testing.TB, passages []passage, out int) (kernels.Taps, bool) {
	t.Helper()
candidates:
	for candidate := range candidates {
		for _, p := range passages {
			if !p.explained(t, out, candidate) {
				continue candidates
			}
		}
		return candidate, true
	}
	return kernels.Taps{}, false
}

// explained reports whether taps give what is known of one output channel.
func (p passage) explained(t testing.TB, out int, taps kernels.Taps) bool {
	t.Helper()
	nbytes := 2 * p.known * p.Positions
	y := p.channel(t, out, taps)
	return bytes.Equal(y[len(y)-nbytes:], p.y[out*nbytes:(out+1)*nbytes])
}

// channel is one output channel in Go.
func (p passage) channel(t testing.TB, out int, taps kernels.Taps) []byte {
	t.Helper()
	in, plane, one := out/p.Fan, 2*p.Positions, p.Causal
	one.Channels, one.Fan = 1, 1
	y, _, err := one.Convolve(p.x[in*p.Frames*plane:(in+1)*p.Frames*plane], p.before[in*p.Held*plane:(in+1)*p.Held*plane], []kernels.Taps{taps})
	if err != nil {
		t.Fatal(err)
	}
	return y
}

// candidates yields all that the encoder can draw.
func candidates(yield func(kernels.Taps) bool) {
	for signs := range 16 {
		sign := func(bit int, v float32) float32 {
			if signs>>bit&1 != 0 {
				return -v
			}
			return v
		}
		for now := range 16 {
			for bias := range 8 {
				if !yield(kernels.Taps{Older: sign(0, 0.5), Old: sign(1, 0.625), Now: sign(2, 0.5+float32(now)/32), Bias: sign(3, 0.125+float32(bias)/64)}) {
					return
				}
			}
		}
	}
}
