package equivalence

import (
	"fmt"
	"maps"
	"slices"

	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// A move is one step of a model's vocabulary, before its value is made.
type move struct {
	do   string
	args map[string]any
	as   string // the value's name; empty for a step without one
	of   content
}

type args = map[string]any

// The moves, by what the model does.
func accumulate(frames content) move { return move{do: "accumulate_frames", as: "frames", of: frames} }
func appendLatents(c content) move   { return move{do: "append_video_latents", as: "latents", of: c} }
func seed(c content) move            { return move{do: "seed_encoder", as: "chunk", of: c} }
func appendChunk(c content) move     { return move{do: "append_encoder_chunk", as: "chunk", of: c} }
func observe(n int) move             { return move{do: "observe_latents", args: args{"frames": n}} }
func get(name string) move           { return move{do: "get", args: args{"name": name}} }
func unset(name string) move         { return move{do: "set", args: args{"name": name}} }
func set(name string, c content) move {
	return move{do: "set", args: args{"name": name}, as: "value", of: c}
}

var (
	concatenated = move{do: "concatenated_video_latents"}
	clearLatents = move{do: "clear_video_latents"}
	windowReset  = move{do: "window_reset"}
	sessionReset = move{do: "session_reset"}
)

func (m move) String() string {
	text := m.do
	for _, name := range slices.Sorted(maps.Keys(m.args)) {
		text += fmt.Sprintf(" %s=%v", name, m.args[name])
	}
	if m.as != "" {
		text += fmt.Sprintf(" %s=%v", m.as, m.of)
	}
	return text
}

// What a move answers without an output: that there is none, or that it was
// refused, whatever the reason was called.
const (
	none    = "none"
	refused = "refused"
)

// reading has a state make a move, and reads its output. Nobody holds anything of
// it afterwards.
func reading(s *op.Client, state spec.State, m move) spec.Reading {
	GinkgoHelper()
	out, err := attempted(s, state, m)
	if Refused(err) {
		return spec.Reading{Kind: refused}
	}
	if out != nil {
		defer LetGo(out)
	}
	return Bits(out)
}

// answered is reading, in one line.
func answered(s *op.Client, state spec.State, m move) string {
	GinkgoHelper()
	return outline(reading(s, state, m))
}

// attempted has a state make a move with a value of its own.
func attempted(s *op.Client, state spec.State, m move) (spec.Value, error) {
	GinkgoHelper()
	step := spec.Step{Do: m.do, Args: m.args}
	if m.as != "" {
		v := m.of.make(s)
		defer LetGo(v)
		step.With = map[string]spec.Value{m.as: v}
	}
	return state.Do(step)
}
