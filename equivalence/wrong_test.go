package equivalence_test

import (
	"context"
	"os"
	"slices"
	"testing"

	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/run"
	"github.com/statespec/statespec/spec/verdict"
)

// subjectVar names what the workers of these tests are to ask.
const subjectVar = "STATESPEC_PATHS"

// A step is what a path does of a step of the model's: own is the reference's.
type step func(path string, own func(spec.Step) (spec.Value, error), s spec.Step) (spec.Value, error)

// subjects are the reference with one of its paths doing steps in another way.
var subjects = map[string]spec.Factory{
	"does not clear video latents on the managed path": stepping(func(path string, own func(spec.Step) (spec.Value, error), s spec.Step) (spec.Value, error) {
		if path == spec.Managed && s.Do == "clear_video_latents" {
			return nil, nil
		}
		return own(s)
	}),
	"resets a session as far as a window on the bespoke path": stepping(func(path string, own func(spec.Step) (spec.Value, error), s spec.Step) (spec.Value, error) {
		if path == spec.Bespoke && s.Do == "session_reset" {
			s.Do = "window_reset"
		}
		return own(s)
	}),
	"takes every negative attention window for none on the managed path": stepping(func(path string, own func(spec.Step) (spec.Value, error), s spec.Step) (spec.Value, error) {
		if n, is := s.Args["local_attn_size"].(int); path == spec.Managed && is && n < 0 {
			s.Args = map[string]any{"num_video_frames": s.Args["num_video_frames"], "local_attn_size": -1}
		}
		return own(s)
	}),
	"passes over what it cannot append on the managed path": stepping(func(path string, own func(spec.Step) (spec.Value, error), s spec.Step) (spec.Value, error) {
		out, err := own(s)
		if path == spec.Managed && s.Do == "append_encoder_chunk" && spec.IsRefusal(err) {
			return nil, nil
		}
		return out, err
	}),

	// What the paths may do in ways of their own.
	"refuses for other reasons on the managed path": stepping(func(path string, own func(spec.Step) (spec.Value, error), s spec.Step) (spec.Value, error) {
		out, err := own(s)
		if path == spec.Managed && spec.IsRefusal(err) {
			return nil, spec.Refuse(spec.Raised, "as it happens: %v", err)
		}
		return out, err
	}),
	"pads an over-read on the managed path": stepping(func(path string, own func(spec.Step) (spec.Value, error), s spec.Step) (spec.Value, error) {
		out, err := own(s)
		if spec.KindOf(err) == spec.OverRead {
			return own(spec.Step{Do: s.Do, Args: map[string]any{"frames": 1}})
		}
		return out, err
	}),
	"has Cosmos3 on the managed path alone": func(ctx context.Context, p spec.Process) (spec.Subject, error) {
		s, err := subject.New(ctx, p)
		return cosmos3Managed{s}, err
	},
}

// stepping is the reference with another way to do steps of DreamZero.
func stepping(do step) spec.Factory {
	return func(ctx context.Context, p spec.Process) (spec.Subject, error) {
		s, err := subject.New(ctx, p)
		return stepped{s, do}, err
	}
}

type (
	stepped struct {
		spec.Subject
		do step
	}
	steppedModel struct {
		spec.Model
		do   step
		path string
	}
	steppedState struct {
		spec.State
		do   step
		path string
	}
	cosmos3Managed struct{ spec.Subject }
)

func (s stepped) NewModel(m spec.ModelSpec) (spec.Model, error) {
	model, err := s.Subject.NewModel(m)
	if err != nil || m.Model != "dreamzero" {
		return model, err
	}
	path, err := model.Path()
	return steppedModel{model, s.do, path}, err
}

func (m steppedModel) Open(ids ...string) (spec.State, error) {
	state, err := m.Model.Open(ids...)
	return steppedState{state, m.do, m.path}, err
}

func (s steppedState) Do(st spec.Step) (spec.Value, error) { return s.do(s.path, s.State.Do, st) }

func (c cosmos3Managed) NewModel(m spec.ModelSpec) (spec.Model, error) {
	if m.Model == "cosmos3" && m.Path == spec.Bespoke {
		return nil, spec.Refuse(spec.Unsupported, "Cosmos3 has no bespoke path here")
	}
	return c.Subject.NewModel(m)
}

// broken are the rows of EQV that come out broken of a subject, which has to be
// asked all that the reference is.
func broken(t *testing.T, name string) (ids []string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	rows := slices.DeleteFunc(catalogue.All(), func(r catalogue.Row) bool { return r.Family() != "EQV" })
	results := verdict.Fold(run.Run(t.Context(), run.Options{Command: []string{self}, Env: []string{subjectVar + "=" + name}, Rows: rows, Seed: 1}))
	for _, v := range results.Rows() {
		switch {
		case v.Own == verdict.Broken:
			ids = append(ids, v.ID)
		case v.Own == verdict.Deselected: // of another family
		case v.Own == verdict.Held, v.Own == verdict.CannotTell, v.ID == "EQV-09" && v.Own == verdict.Unclaimed:
		default:
			t.Errorf("%s of a subject that %s is %s, want a verdict: %s", v.ID, name, v.Own, v.Reason)
		}
	}
	return ids
}

func TestAPathThatDiffersIsFoundByTheRowsThatSaySo(t *testing.T) {
	for name, want := range map[string][]string{
		"does not clear video latents on the managed path":                   {"EQV-02", "EQV-06"},
		"resets a session as far as a window on the bespoke path":            {"EQV-03", "EQV-04", "EQV-06", "EQV-11", "EQV-11.unseeded"},
		"takes every negative attention window for none on the managed path": {"EQV-05"},
		"passes over what it cannot append on the managed path":              {"EQV-11", "EQV-11.unseeded"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := broken(t, name); !slices.Equal(got, want) {
				t.Errorf("broken = %v, want %v", got, want)
			}
		})
	}
}

func TestWhatThePathsMayDoInTheirOwnWaysBreaksNothing(t *testing.T) {
	for _, name := range []string{"refuses for other reasons on the managed path", "pads an over-read on the managed path", "has Cosmos3 on the managed path alone"} {
		t.Run(name, func(t *testing.T) {
			if got := broken(t, name); len(got) > 0 {
				t.Errorf("broken = %v, want none", got)
			}
		})
	}
}
