package faulty

import (
	"os"

	"github.com/statespec/statespec/reference/tensor"
)

// partedProcesses are faults of a model that a variable or a device parts from
// itself. On the paths that a spec asks for by name, and from the host, it is as
// it should be.
func partedProcesses() []Fault {
	return []Fault{
		{
			Name: "loses the last bits of video latents where it is enabled", Breaks: []string{"EQV-08"},
			Parts: whereChosen(true, func(s *alteredState) { s.add = s.adding(nudged) }),
		}, {
			Name: "loses the last bits of video latents where it is not enabled", Breaks: []string{"EQV-08"},
			Parts: whereChosen(false, func(s *alteredState) { s.add = s.adding(nudged) }),
		}, {
			Name: "quantises in float32 with less precision where it is enabled", Breaks: []string{"EQV-08"},
			Parts: whereChosen(true, func(s *alteredState) {
				s.observe = func(n int) (*tensor.Tensor, error) {
					window, err := s.State.ObserveLatents(n)
					return rounded(window), err
				}
			}),
		}, {
			Name: "makes video latents that depend on the process where it is enabled", Breaks: []string{"EQV-08"},
			Parts: whereChosen(true, func(s *alteredState) {
				s.add = s.adding(func(latents *tensor.Tensor) *tensor.Tensor { return mixed(latents, os.Getpid()) })
			}),
		}, {
			Name: "loses the last bits of video latents that come from a device, where it is enabled", Breaks: []string{"EQV-09"},
			Parts: withDevice(true, func(s *alteredState) { s.add = s.adding(nudgedOnDevice) }),
		}, {
			Name: "loses the last bits of encoder chunks that come from a device, where it is not enabled", Breaks: []string{"EQV-09"},
			Parts: withDevice(false, func(s *alteredState) {
				s.append = func(chunk *tensor.Tensor) error { return s.State.AppendEncoderChunk(nudgedOnDevice(chunk)) }
			}),
		},
	}
}

// whereChosen is a subject whose states are altered where the configuration and
// the environment chose their path: the managed one, or the bespoke one.
func whereChosen(enabled bool, change func(*alteredState)) parts {
	return deciding(func(d *decision, m modelOver) (store, error) {
		st, err := m.choose(d.Resolution)
		if err != nil || d.Enabled != enabled {
			return st, err
		}
		return alteredStates(st, change), nil
	})
}

// withDevice is whereChosen of a subject that has a device beside the host, made
// of the host's memory.
func withDevice(enabled bool, change func(s *alteredState)) parts {
	return beside(whereChosen(enabled, change))
}

// nudgedOnDevice is nudged of a tensor that lies on a device, and any other as it is.
func nudgedOnDevice(t *tensor.Tensor) *tensor.Tensor {
	if t == nil || t.Device() == tensor.CPU {
		return t
	}
	other, err := t.OnHost()
	if err != nil {
		return t
	}
	if other, err = nudged(other).CopyOn(t.Storage().Allocator()); err != nil {
		return t
	}
	return other
}

// adding is a step that takes other video latents than it is given.
func (s *alteredState) adding(as func(*tensor.Tensor) *tensor.Tensor) func(*tensor.Tensor) error {
	return func(latents *tensor.Tensor) error {
		if latents == nil {
			return s.State.AppendVideoLatents(nil)
		}
		return s.State.AppendVideoLatents(as(latents))
	}
}

// mixed is a tensor with the low bytes of a number in its first bits.
func mixed(t *tensor.Tensor, n int) *tensor.Tensor {
	t = t.Clone()
	for i, b := range t.Storage().Bytes() {
		if i == 4 {
			break
		}
		t.Storage().Bytes()[i] = b ^ byte(n>>(8*i))
	}
	return t
}
