package subject

import (
	"math"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

type stateHandle struct {
	sub *Subject
	st  dreamzero.State
}

func (h *stateHandle) Release() error { h.st = nil; return nil }

// Do carries out one step, by the name that the recordings give it.
func (h *stateHandle) Do(step spec.Step) (spec.Value, error) {
	if step.Do == "encode_newest" && h.sub.parts.Encode != nil {
		return nil, told(taken(arguments{step}, "clip", func(clip *tensor.Tensor) error { return h.sub.parts.Encode(h.st, clip) }))
	}
	return perform(h.sub, steps, h.st, step)
}

// perform carries out a step of a model's vocabulary on a state. What comes of it
// is content, nil for nothing.
func perform[S any](s *Subject, steps map[string]func(S, arguments) (any, error), st S, step spec.Step) (spec.Value, error) {
	do, ok := steps[step.Do]
	if !ok {
		return nil, spec.Refuse(spec.Unsupported, "no step %q", step.Do)
	}
	s.contents.RLock()
	defer s.contents.RUnlock()
	out, err := do(st, arguments{step})
	if err != nil {
		return nil, told(err)
	}
	if out == nil {
		return nil, nil
	}
	return s.Wrap(out), nil
}

// steps take a state's step and return its output as content, nil for none.
var steps = map[string]func(dreamzero.State, arguments) (any, error){
	"accumulate_frames": func(st dreamzero.State, a arguments) (any, error) {
		return given(a, "frames", st.AccumulateFrames)
	},
	"append_video_latents": func(st dreamzero.State, a arguments) (any, error) {
		return nil, taken(a, "latents", st.AppendVideoLatents)
	},
	"concatenated_video_latents": func(st dreamzero.State, _ arguments) (any, error) {
		return orNone(st.ConcatenatedVideoLatents())
	},
	"clear_video_latents": func(st dreamzero.State, _ arguments) (any, error) { return nil, st.ClearVideoLatents() },
	"seed_encoder":        func(st dreamzero.State, a arguments) (any, error) { return nil, taken(a, "chunk", st.SeedEncoder) },
	"append_encoder_chunk": func(st dreamzero.State, a arguments) (any, error) {
		return nil, taken(a, "chunk", st.AppendEncoderChunk)
	},
	"observe_latents": func(st dreamzero.State, a arguments) (any, error) {
		n, err := a.int("frames")
		if err != nil {
			return nil, err
		}
		return orNone(st.ObserveLatents(n))
	},
	"encoder_frames": func(st dreamzero.State, _ arguments) (any, error) { return int64(st.EncoderFrames()), nil },
	"set":            set,
	"get":            get,
	"reset_reason":   resetReason,
	"window_reset":   func(st dreamzero.State, _ arguments) (any, error) { return nil, st.WindowReset() },
	"session_reset":  func(st dreamzero.State, _ arguments) (any, error) { return nil, st.SessionReset() },
	"bytes": func(st dreamzero.State, a arguments) (any, error) {
		name, err := a.text("name")
		if err != nil {
			return nil, err
		}
		return st.Bytes(name)
	},
}

func set(st dreamzero.State, a arguments) (any, error) {
	name, err := a.text("name")
	if err != nil {
		return nil, err
	}
	v := a.value("value")
	if n, ok := v.(int64); ok { // the library's counters are ints
		v = int(n)
	}
	return nil, st.Set(name, v)
}

func get(st dreamzero.State, a arguments) (any, error) {
	name, err := a.text("name")
	if err != nil {
		return nil, err
	}
	v, err := st.Get(name)
	if n, ok := v.(int); ok {
		v = int64(n)
	}
	if t, ok := v.(*tensor.Tensor); ok && t == nil {
		return nil, err
	}
	return v, err
}

func resetReason(st dreamzero.State, a arguments) (any, error) {
	frames, err := a.int("num_video_frames")
	if err != nil {
		return nil, err
	}
	window, err := a.int("local_attn_size")
	if err != nil {
		return nil, err
	}
	tokens, err := a.tensor("text_tokens", false)
	if err != nil {
		return nil, err
	}
	reason, err := st.ResetReason(tokens, frames, window)
	if err != nil || reason == dreamzero.NoReset {
		return nil, err
	}
	return string(reason), nil
}

// arguments read a step's.
type arguments struct{ step spec.Step }

func (a arguments) value(name string) any {
	if v := a.step.With[name]; v != nil {
		return Content(v)
	}
	return nil
}

func (a arguments) tensor(name string, required bool) (*tensor.Tensor, error) {
	v := a.value(name)
	if v == nil && !required {
		return nil, nil
	}
	t, err := asTensor(v)
	if err != nil {
		return nil, spec.Refuse(spec.InvalidArgument, "%s: %s is no tensor", a.step.Do, name)
	}
	return t, nil
}

func (a arguments) text(name string) (string, error) {
	s, ok := a.step.Args[name].(string)
	if !ok {
		return "", spec.Refuse(spec.InvalidArgument, "%s: %s is no text", a.step.Do, name)
	}
	return s, nil
}

// int reads a whole number: an int in process, a float64 out of JSON.
func (a arguments) int(name string) (int, error) {
	switch n := a.step.Args[name].(type) {
	case int:
		return n, nil
	case float64:
		if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
			return int(n), nil
		}
	}
	return 0, spec.Refuse(spec.InvalidArgument, "%s: %s is no whole number", a.step.Do, name)
}

func given(a arguments, name string, f func(*tensor.Tensor) (*tensor.Tensor, error)) (any, error) {
	t, err := a.tensor(name, true)
	if err != nil {
		return nil, err
	}
	return orNone(f(t))
}

func taken(a arguments, name string, f func(*tensor.Tensor) error) error {
	t, err := a.tensor(name, true)
	if err != nil {
		return err
	}
	return f(t)
}

// orNone keeps a tensor that is nil from becoming a value that is not.
func orNone(t *tensor.Tensor, err error) (any, error) {
	if t == nil || err != nil {
		return nil, err
	}
	return t, nil
}
