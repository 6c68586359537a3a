package ring

import (
	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// encoder is the encoder stream of one session of DreamZero.
type encoder struct {
	state  spec.State
	seeded *bool // shared by all copies
}

// encoderOn opens session "a" of a new model on a path, over a new manager.
func encoderOn(s *op.Client, path string, window int, quant string) encoder {
	GinkgoHelper()
	return opened(modelOn(s, path, window, quant, Must(s.NewManager(spec.ManagerSpec{}))), "a")
}

// modelOn makes a DreamZero model. The bespoke path gets no manager.
func modelOn(s *op.Client, path string, window int, quant string, m spec.Manager) spec.Model {
	GinkgoHelper()
	Needs(s, spec.CanDreamZero)
	ms := spec.ModelSpec{Model: "dreamzero", Path: path, Window: &window, Quant: quant}
	if path == spec.Managed {
		ms.Manager = m
	}
	model := Must(s.NewModel(ms))
	if took := Must(model.Path()); took != path {
		CannotTell("a model made for the %s path took the %s path", path, took)
	}
	return model
}

func opened(model spec.Model, id string) encoder {
	GinkgoHelper()
	return encoder{Must(model.Open(id)), new(bool)}
}

// step is the step that appends a chunk: the first one seeds.
func (e encoder) step(chunk spec.Value) spec.Step {
	do := "seed_encoder"
	if *e.seeded {
		do = "append_encoder_chunk"
	}
	return spec.Step{Do: do, With: map[string]spec.Value{"chunk": chunk}}
}

func (e encoder) push(chunk spec.Value) error {
	_, err := e.state.Do(e.step(chunk))
	*e.seeded = *e.seeded || err == nil
	return err
}

// watch is the step that observes a window.
func watch(frames int) spec.Step {
	return spec.Step{Do: "observe_latents", Args: map[string]any{"frames": frames}}
}

func (e encoder) observe(frames int) (spec.Value, error) { return e.state.Do(watch(frames)) }

// plain carries out a step without arguments or values.
func (e encoder) plain(do string) error {
	_, err := e.state.Do(spec.Step{Do: do})
	return err
}

// integer carries out a step whose output is a number.
func (e encoder) integer(do string, args map[string]any) (int, error) {
	v, err := e.state.Do(spec.Step{Do: do, Args: args})
	if err != nil || v == nil {
		return 0, err
	}
	r, err := v.Read()
	return int(r.Int), err
}

// bytesOf is the storage of one documented value.
func (e encoder) bytesOf(name string) (int64, error) {
	n, err := e.integer("bytes", map[string]any{"name": name})
	return int64(n), err
}

// secondAdapter opens session "a", whose encoder stream is already seeded, through
// an adapter of another window; refused says that this was not to be had.
func secondAdapter(s *op.Client, m spec.Manager, window int) (e encoder, refused bool) {
	GinkgoHelper()
	model, err := s.NewModel(spec.ModelSpec{Model: "dreamzero", Path: spec.Managed, Window: &window, Manager: m})
	if Refused(err) {
		return encoder{}, true
	}
	state, err := model.Open("a")
	if Refused(err) {
		return encoder{}, true
	}
	return encoder{state, new(true)}, false
}
