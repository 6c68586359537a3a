package dreamzero_test

import (
	"encoding/binary"
	"testing"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

// refill overwrites a tensor's storage, as a caller that re-uses its buffer does.
func refill(x *tensor.Tensor) {
	for i := range x.Storage().Bytes() {
		x.Storage().Bytes()[i] ^= 0x5a
	}
}

func TestACallerMayReuseTheBuffersThatItHandedIn(t *testing.T) {
	onBothPaths(t, func(t *testing.T, s dreamzero.State) {
		frame, latents := filled(t, dtype.UInt8, 1, 6, 8, 3), filled(t, dtype.BFloat16, 2, 1, 2, 3, 4, 5)
		seed, chunk := filled(t, dtype.BFloat16, 3, 1, 4, 1, 5, 7), filled(t, dtype.BFloat16, 4, 1, 4, 1, 5, 7)
		first := must[*tensor.Tensor](t)(s.AccumulateFrames(frame))
		do(t, s.AppendVideoLatents(latents))
		do(t, s.SeedEncoder(seed))
		do(t, s.AppendEncoderChunk(chunk))
		video := must[*tensor.Tensor](t)(s.ConcatenatedVideoLatents()).Clone()
		observed := must[*tensor.Tensor](t)(s.ObserveLatents(2))
		for _, x := range []*tensor.Tensor{frame, latents, seed, chunk} {
			refill(x)
		}
		again := must[*tensor.Tensor](t)(s.AccumulateFrames(filled(t, dtype.UInt8, 5, 0, 6, 8, 3)))
		wantSame(t, "AccumulateFrames() of the held frame", must[*tensor.Tensor](t)(again.Narrow(0, 3, 1)), first)
		wantSame(t, "ConcatenatedVideoLatents()", must[*tensor.Tensor](t)(s.ConcatenatedVideoLatents()), video)
		wantSame(t, "ObserveLatents(2)", must[*tensor.Tensor](t)(s.ObserveLatents(2)), observed)
	})
}

func TestACallerMayReuseTheChunkThatItSeededWith(t *testing.T) {
	onBothPaths(t, func(t *testing.T, s dreamzero.State) {
		seed := filled(t, dtype.BFloat16, 1, 1, 4, 1, 5, 7)
		do(t, s.SeedEncoder(seed))
		want := must[*tensor.Tensor](t)(s.ObserveLatents(1))
		refill(seed)
		wantSame(t, "ObserveLatents(1)", must[*tensor.Tensor](t)(s.ObserveLatents(1)), want)
	})
}

func TestWhatACallReturnedKeepsItsBits(t *testing.T) {
	onBothPaths(t, func(t *testing.T, s dreamzero.State) {
		do(t, s.SeedEncoder(filled(t, dtype.Float32, 1, 1, 4, 2, 5, 7)))
		observed := must[*tensor.Tensor](t)(s.ObserveLatents(2))
		frames := must[*tensor.Tensor](t)(s.AccumulateFrames(filled(t, dtype.UInt8, 2, 6, 8, 3)))
		before := [2]string{digest(observed), digest(frames)}
		for seed := range uint64(5) {
			do(t, s.AppendEncoderChunk(filled(t, dtype.Float32, 10+seed, 1, 4, 1, 5, 7)))
			must[*tensor.Tensor](t)(s.AccumulateFrames(filled(t, dtype.UInt8, 20+seed, 6, 8, 3)))
		}
		if got := [2]string{digest(observed), digest(frames)}; got != before {
			t.Errorf("digests after later calls = %.12s, want %.12s", got, before)
		}
	})
}

func TestCarriedBitsKeepNaNPayloadsSignedZerosAndSubnormals(t *testing.T) {
	odd := []uint32{0x7fc12345, 0xff801234, 0x80000000, 0x00000001, 0x80400000, 0x7f800000}
	var b []byte
	for _, bits := range odd {
		b = binary.LittleEndian.AppendUint32(b, bits)
	}
	onBothPaths(t, func(t *testing.T, s dreamzero.State) {
		chunk := must[*tensor.Tensor](t)(tensor.FromBytes(dtype.Float32, b, 1, 1, 1, 2, 3))
		do(t, s.SeedEncoder(chunk))
		do(t, s.AppendEncoderChunk(chunk))
		do(t, s.AppendVideoLatents(chunk))
		do(t, s.AppendVideoLatents(chunk))
		twice := must[*tensor.Tensor](t)(tensor.Cat(2, chunk, chunk))
		wantSame(t, "ObserveLatents(2)", must[*tensor.Tensor](t)(s.ObserveLatents(2)), twice)
		wantSame(t, "ConcatenatedVideoLatents()", must[*tensor.Tensor](t)(s.ConcatenatedVideoLatents()), twice)
	})
}

// Every refusal names its kind and leaves the state as it was, on both paths.
func TestRefusedCallsChangeNothing(t *testing.T) {
	frame := func(t *testing.T, shape ...int) *tensor.Tensor { return filled(t, dtype.UInt8, 9, shape...) }
	latent := func(t *testing.T, shape ...int) *tensor.Tensor { return filled(t, dtype.BFloat16, 9, shape...) }
	refusals := []struct {
		name string
		kind error
		call func(t *testing.T, s dreamzero.State) error
	}{
		{"a frame of two axes", fault.ErrInvalidArgument, func(t *testing.T, s dreamzero.State) error {
			_, err := s.AccumulateFrames(frame(t, 6, 8))
			return err
		}},
		{"a clip of five axes", fault.ErrInvalidArgument, func(t *testing.T, s dreamzero.State) error {
			_, err := s.AccumulateFrames(frame(t, 1, 1, 6, 8, 3))
			return err
		}},
		{"no frame at all", fault.ErrInvalidArgument, func(t *testing.T, s dreamzero.State) error {
			_, err := s.AccumulateFrames(nil)
			return err
		}},
		{"a frame of another shape", fault.ErrShapeMismatch, func(t *testing.T, s dreamzero.State) error {
			_, err := s.AccumulateFrames(frame(t, 8, 6, 3))
			return err
		}},
		{"a frame of another dtype", fault.ErrTypeMismatch, func(t *testing.T, s dreamzero.State) error {
			_, err := s.AccumulateFrames(filled(t, dtype.Int8, 9, 6, 8, 3))
			return err
		}},
		{"latents of four axes", fault.ErrInvalidArgument, func(t *testing.T, s dreamzero.State) error {
			return s.AppendVideoLatents(latent(t, 2, 3, 4, 5))
		}},
		{"latents that cannot be joined", fault.ErrShapeMismatch, func(t *testing.T, s dreamzero.State) error {
			return s.AppendVideoLatents(latent(t, 1, 2, 3, 5, 4))
		}},
		{"latents of another dtype", fault.ErrTypeMismatch, func(t *testing.T, s dreamzero.State) error {
			return s.AppendVideoLatents(filled(t, dtype.Float32, 9, 1, 2, 3, 4, 5))
		}},
		{"a seed of four axes", fault.ErrInvalidArgument, func(t *testing.T, s dreamzero.State) error {
			return s.SeedEncoder(latent(t, 4, 1, 5, 7))
		}},
		{"a seed of no frames", fault.ErrInvalidArgument, func(t *testing.T, s dreamzero.State) error {
			return s.SeedEncoder(latent(t, 1, 4, 0, 5, 7))
		}},
		{"a chunk of another shape", fault.ErrShapeMismatch, func(t *testing.T, s dreamzero.State) error {
			return s.AppendEncoderChunk(latent(t, 1, 4, 1, 7, 5))
		}},
		{"a chunk of another dtype", fault.ErrTypeMismatch, func(t *testing.T, s dreamzero.State) error {
			return s.AppendEncoderChunk(filled(t, dtype.Float32, 9, 1, 4, 1, 5, 7))
		}},
		{"a chunk on a device that the host cannot read", fault.ErrNotAddressable, func(t *testing.T, s dreamzero.State) error {
			st := tensor.NewForeignStorage("cuda:0", 4096, 1<<20)
			return s.AppendEncoderChunk(must[*tensor.Tensor](t)(tensor.Of(st, dtype.BFloat16, []int{1, 4, 1, 5, 7}, []int{140, 35, 35, 7, 1}, 0)))
		}},
		{"observing no frames", fault.ErrInvalidArgument, func(t *testing.T, s dreamzero.State) error {
			_, err := s.ObserveLatents(0)
			return err
		}},
		{"a counter that is a text", fault.ErrTypeMismatch, func(t *testing.T, s dreamzero.State) error { return s.Set(dreamzero.CallCount, "3") }},
		{"a flag that is a number", fault.ErrTypeMismatch, func(t *testing.T, s dreamzero.State) error { return s.Set(dreamzero.StreamInitialized, 1) }},
		{"setting what accumulates", fault.ErrInvalidArgument, func(t *testing.T, s dreamzero.State) error { return s.Set(dreamzero.EncoderOut, 1) }},
		{"setting what nobody knows", fault.ErrNotFound, func(t *testing.T, s dreamzero.State) error { return s.Set("kv_cache", 1) }},
		{"getting what nobody knows", fault.ErrNotFound, func(t *testing.T, s dreamzero.State) error {
			_, err := s.Get("kv_cache")
			return err
		}},
		{"bytes of what nobody knows", fault.ErrNotFound, func(t *testing.T, s dreamzero.State) error {
			_, err := s.Bytes("kv_cache")
			return err
		}},
	}
	onBothPaths(t, func(t *testing.T, s dreamzero.State) {
		must[*tensor.Tensor](t)(s.AccumulateFrames(frame(t, 2, 6, 8, 3)))
		do(t, s.AppendVideoLatents(latent(t, 1, 2, 3, 4, 5)))
		do(t, s.SeedEncoder(latent(t, 1, 4, 2, 5, 7)))
		state := func() (all [4]any) {
			return [4]any{digest(must[*tensor.Tensor](t)(s.ObserveLatents(2))), digest(must[*tensor.Tensor](t)(s.ConcatenatedVideoLatents())),
				must[any](t)(s.Get(dreamzero.CallCount)), must[int64](t)(s.Bytes(dreamzero.StitchedFrames))}
		}
		before := state()
		for _, r := range refusals {
			wantRefusal(t, r.name, r.call(t, s), r.kind)
			if after := state(); after != before {
				t.Errorf("%s: the state is %v after the refusal, want %v", r.name, after, before)
			}
		}
	})
}

func TestAStreamThatHoldsNoFrameIsNeitherReadNorAppendedTo(t *testing.T) {
	onBothPaths(t, func(t *testing.T, s dreamzero.State) {
		chunk := filled(t, dtype.BFloat16, 1, 1, 4, 1, 5, 7)
		refused := func(when string) {
			t.Helper()
			wantRefusal(t, "AppendEncoderChunk() "+when, s.AppendEncoderChunk(chunk), fault.ErrNotReady)
			_, err := s.ObserveLatents(1)
			wantRefusal(t, "ObserveLatents(1) "+when, err, fault.ErrNotReady)
		}
		refused("before a seed")
		do(t, s.SeedEncoder(chunk))
		do(t, s.SessionReset())
		refused("after a session reset")
		do(t, s.SeedEncoder(chunk))
		do(t, s.ResetEncoderStream())
		refused("after a stream reset")
	})
}

func TestAClipOfNoFramesRepeatsHistoryAndCounts(t *testing.T) {
	onBothPaths(t, func(t *testing.T, s dreamzero.State) {
		none := filled(t, dtype.UInt8, 1, 0, 6, 8, 3)
		_, err := s.AccumulateFrames(none)
		wantRefusal(t, "AccumulateFrames(no frames) on the first call", err, fault.ErrNotReady)
		if got := must[any](t)(s.Get(dreamzero.CallCount)); got != 0 {
			t.Errorf("call count after a refusal = %v, want 0", got)
		}
		frame := filled(t, dtype.UInt8, 2, 1, 6, 8, 3)
		must[*tensor.Tensor](t)(s.AccumulateFrames(frame))
		want := must[*tensor.Tensor](t)(tensor.Cat(0, frame, frame, frame, frame))
		wantSame(t, "AccumulateFrames(no frames) later", must[*tensor.Tensor](t)(s.AccumulateFrames(none)), want)
		if got := must[any](t)(s.Get(dreamzero.CallCount)); got != 2 {
			t.Errorf("call count = %v, want 2", got)
		}
	})
}

func TestResetsClearAndKeepTheDocumentedValues(t *testing.T) {
	value := filled(t, dtype.UInt8, 1, 5)
	set := map[string]any{dreamzero.FeatureMap: []any{value, nil}, dreamzero.ClipFeatures: value, dreamzero.ImageCondition: value,
		dreamzero.Language: value, dreamzero.PromptEmbeds: value, dreamzero.PendingFrames: value, dreamzero.CurrentStartFrame: 7}
	survive := map[string]bool{dreamzero.FeatureMap: true, dreamzero.Language: true, dreamzero.PromptEmbeds: true,
		dreamzero.PendingFrames: true, dreamzero.VideoLatents: true, dreamzero.EncoderOut: true}
	onBothPaths(t, func(t *testing.T, s dreamzero.State) {
		fill := func() {
			for name, v := range set {
				do(t, s.Set(name, v))
			}
			must[*tensor.Tensor](t)(s.AccumulateFrames(filled(t, dtype.UInt8, 1, 6, 8, 3)))
			do(t, s.AppendVideoLatents(filled(t, dtype.BFloat16, 2, 1, 2, 3, 4, 5)))
			do(t, s.SeedEncoder(filled(t, dtype.BFloat16, 3, 1, 4, 1, 5, 7)))
		}
		held := func(name string) bool { return must[int64](t)(s.Bytes(name)) > 0 }
		counters := func(want ...any) {
			t.Helper()
			for i, name := range []string{dreamzero.CallCount, dreamzero.CurrentStartFrame, dreamzero.StreamInitialized} {
				if got := must[any](t)(s.Get(name)); got != want[i] {
					t.Errorf("Get(%s) = %v, want %v", name, got, want[i])
				}
			}
		}
		fill()
		counters(1, 7, true)
		do(t, s.WindowReset())
		for _, name := range append(dreamzero.Buffers(), dreamzero.Carried()[:6]...) {
			if got := held(name); got != survive[name] {
				t.Errorf("%s holds bytes after a window reset = %v, want %v", name, got, survive[name])
			}
		}
		counters(0, 0, true)
		fill()
		do(t, s.SessionReset())
		for _, name := range append(dreamzero.Buffers(), dreamzero.Carried()...) {
			if held(name) {
				t.Errorf("%s holds bytes after a session reset, want none", name)
			}
		}
		counters(0, 0, false)
	})
}

func TestNilClearsACarriedValue(t *testing.T) {
	onBothPaths(t, func(t *testing.T, s dreamzero.State) {
		zero := map[string]any{dreamzero.CallCount: 0, dreamzero.CurrentStartFrame: 0, dreamzero.StreamInitialized: false}
		for _, name := range dreamzero.Carried() {
			var value any = int64(3)
			if name == dreamzero.StreamInitialized {
				value = true
			}
			do(t, s.Set(name, value))
			do(t, s.Set(name, nil))
			if got := must[any](t)(s.Get(name)); got != zero[name] {
				t.Errorf("Get(%s) after Set(nil) = %v, want %v", name, got, zero[name])
			}
		}
	})
}
