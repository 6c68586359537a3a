package dreamzero_test

import (
	"testing"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/fixtures/upstream"
	"github.com/statespec/statespec/reference/tensor"
)

// A stream is what the recorded encoder streams of one session have come to:
// the bespoke one is there once it was seeded; the managed one keeps the last
// chunks it was handed, seeded or not, as many as its window has frames.
type stream struct {
	seeded bool
	chunks []*tensor.Tensor // since the stream last began
}

// after takes note of a recorded call.
func (s *stream) after(t *testing.T, c *upstream.StateCall) {
	t.Helper()
	switch c.Do {
	case "seed_encoder":
		s.seeded, s.chunks = true, []*tensor.Tensor{input(t, c)}
	case "append_encoder_chunk":
		s.chunks = append(s.chunks, input(t, c))
	case "reset_encoder_stream", "session_reset":
		*s = stream{}
	}
}

// ring is what the recorded managed path holds.
func (s *stream) ring(window int) []*tensor.Tensor {
	return s.chunks[max(0, len(s.chunks)-window):]
}

// ringFrames counts the frames in the ring.
func (s *stream) ringFrames(window int) (n int) {
	for _, chunk := range s.ring(window) {
		n += chunk.Dim(2)
	}
	return n
}

// read is what the recorded managed path reads, nil where it fails.
func (s *stream) read(t *testing.T, window, n int) *tensor.Tensor {
	t.Helper()
	if n > window || s.ringFrames(window) == 0 {
		return nil
	}
	history := dreamzero.NewBespoke(nil)
	do(t, history.SeedEncoder(must[*tensor.Tensor](t)(tensor.Cat(2, s.ring(window)...))))
	return must[*tensor.Tensor](t)(history.ObserveLatents(n))
}
