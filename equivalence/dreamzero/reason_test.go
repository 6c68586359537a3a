package dreamzero_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

func TestTheResetReasonsComeInTheirOrder(t *testing.T) {
	prompt, other := tokens(t, 1, 2, 3), tokens(t, 1, 2, 4)
	cases := []struct {
		name         string
		language     any
		calls, start int
		asked        *tensor.Tensor
		frames, attn int
		want         dreamzero.Reason
	}{
		{"no prompt yet", nil, 0, 0, prompt, 4, -1, dreamzero.SessionReason},
		{"no prompt yet and none asked", nil, 0, 0, nil, 4, -1, dreamzero.SessionReason},
		{"the same prompt", prompt, 0, 0, tokens(t, 1, 2, 3), 4, -1, dreamzero.NoReset},
		{"another prompt", prompt, 0, 0, other, 4, -1, dreamzero.SessionReason},
		{"another prompt beats the attention window", prompt, 0, 9, other, 4, 8, dreamzero.SessionReason},
		{"a prompt not asked about", prompt, 0, 0, nil, 4, -1, dreamzero.NoReset},
		{"one frame on the second call", prompt, 1, 0, prompt, 1, -1, dreamzero.NoReset},
		{"one frame after more than one call", prompt, 2, 0, prompt, 1, -1, dreamzero.SessionReason},
		{"one frame beats the attention window", prompt, 2, 9, prompt, 1, 8, dreamzero.SessionReason},
		{"one frame short of the window", prompt, 2, 7, prompt, 4, 8, dreamzero.NoReset},
		{"at the window", prompt, 2, 8, prompt, 4, 8, dreamzero.InferenceReason},
		{"past the window", prompt, 2, 9, prompt, 4, 8, dreamzero.InferenceReason},
		{"no window", prompt, 2, 1000, prompt, 4, -1, dreamzero.NoReset},
		{"a window of zero, at once", prompt, 0, 0, prompt, 4, 0, dreamzero.InferenceReason},
		{"a window of -2, at once", prompt, 0, 0, prompt, 4, -2, dreamzero.InferenceReason},
	}
	onBothPaths(t, func(t *testing.T, s dreamzero.State) {
		for _, c := range cases {
			do(t, s.Set(dreamzero.Language, c.language))
			do(t, s.Set(dreamzero.CallCount, c.calls))
			do(t, s.Set(dreamzero.CurrentStartFrame, c.start))
			if got, err := s.ResetReason(c.asked, c.frames, c.attn); got != c.want || err != nil {
				t.Errorf("%s: ResetReason() = %q, %v, want %q", c.name, got, err, c.want)
			}
		}
	})
}

func TestAPromptIsComparedByShapeAndValuesWhateverTheDtype(t *testing.T) {
	numbers := func(dt dtype.DType, b []byte, shape ...int) *tensor.Tensor {
		return must[*tensor.Tensor](t)(tensor.FromBytes(dt, b, shape...))
	}
	float32s := func(vs ...float32) *tensor.Tensor {
		var b []byte
		for _, v := range vs {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
		return numbers(dtype.Float32, b, len(vs))
	}
	cases := []struct {
		name string
		a, b *tensor.Tensor
		want dreamzero.Reason
	}{
		{"int64 and int8", tokens(t, -1, 2, 3), numbers(dtype.Int8, []byte{0xff, 2, 3}, 3), dreamzero.NoReset},
		{"int8 of -1 and uint8 of 255", numbers(dtype.Int8, []byte{0xff}, 1), numbers(dtype.UInt8, []byte{0xff}, 1), dreamzero.SessionReason},
		{"int64 and float32", tokens(t, 1, 2, 3), float32s(1, 2, 3), dreamzero.NoReset},
		{"int64 and float16", tokens(t, 1, -2), numbers(dtype.Float16, []byte{0, 0x3c, 0, 0xc0}, 2), dreamzero.NoReset},
		{"int64 and bfloat16", tokens(t, 1, -2), numbers(dtype.BFloat16, []byte{0x80, 0x3f, 0, 0xc0}, 2), dreamzero.NoReset},
		{"int64 and bool", tokens(t, 1, 0), numbers(dtype.Bool, []byte{1, 0}, 2), dreamzero.NoReset},
		{"numbers that only a float64 cannot tell apart", tokens(t, 1<<53), tokens(t, 1<<53+1), dreamzero.SessionReason},
		{"another shape", tokens(t, 1, 2, 3), int64s(t, []int64{1, 2, 3}, 1, 3), dreamzero.SessionReason},
		{"another length", tokens(t, 1, 2, 3), tokens(t, 1, 2), dreamzero.SessionReason},
		{"nothing and nothing", tokens(t), tokens(t), dreamzero.NoReset},
		{"the two zeros", float32s(0), float32s(float32(math.Copysign(0, -1))), dreamzero.NoReset},
		{"NaN and itself", float32s(float32(math.NaN())), float32s(float32(math.NaN())), dreamzero.SessionReason},
	}
	onBothPaths(t, func(t *testing.T, s dreamzero.State) {
		for _, c := range cases {
			for _, order := range [][2]*tensor.Tensor{{c.a, c.b}, {c.b, c.a}} {
				do(t, s.Set(dreamzero.Language, order[0]))
				if got, err := s.ResetReason(order[1], 4, -1); got != c.want || err != nil {
					t.Errorf("%s: ResetReason(%v) over %v = %q, %v, want %q", c.name, order[1], order[0], got, err, c.want)
				}
			}
		}
		do(t, s.Set(dreamzero.Language, "a text"))
		_, err := s.ResetReason(tokens(t, 1), 4, -1)
		wantRefusal(t, "ResetReason() over a text", err, fault.ErrTypeMismatch)
	})
}
