package subject_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/statespec/statespec/fixtures/upstream"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// client is the reference as a harness talks to it.
func client(t *testing.T) *op.Client {
	t.Helper()
	log := &op.Log{}
	s := must[spec.Subject](t)(subject.New(t.Context(), spec.Process{Log: log.Add}))
	return must[*op.Client](t)(op.NewClient(op.Local(s, log), time.Minute, nil))
}

// made is a value of a recipe.
func made(t *testing.T, c *op.Client, r spec.Recipe) spec.Value {
	t.Helper()
	return must[spec.Value](t)(c.Make(r))
}

// kv makes layers as the recording does.
func kv(t *testing.T, c *op.Client, n int, seed uint64) spec.Value {
	t.Helper()
	layers := make([]spec.Value, n)
	for i := range layers {
		at := seed + 2*uint64(i)
		pair := []spec.Value{made(t, c, spec.Tensor("float32", at, 1, 3, 4)), made(t, c, spec.Tensor("float32", at+1, 1, 3, 4))}
		layers[i] = made(t, c, spec.List(pair...))
	}
	return made(t, c, spec.List(layers...))
}

// conditioningStep is a recorded call as a step of the port.
func conditioningStep(t *testing.T, c *op.Client, call *upstream.ConditioningCall) spec.Step {
	t.Helper()
	step := spec.Step{Do: call.Do, Args: map[string]any{}, With: map[string]spec.Value{}}
	if call.Negative != nil {
		step.Args["branch"] = map[bool]string{false: "positive", true: "negative"}[*call.Negative]
	}
	if call.Layer != nil {
		step.Args["layer"] = *call.Layer
	}
	if call.Layers > 0 {
		step.With["kv"] = kv(t, c, call.Layers, call.Seed)
	}
	if call.Frequencies != nil && *call.Frequencies {
		step.With["freqs"] = made(t, c, spec.List(made(t, c, spec.Tensor("float32", call.Seed+50, 2)), made(t, c, spec.Tensor("float32", call.Seed+51, 2))))
	}
	return step
}

// output writes what a step returned, as recordedOutput what was recorded.
func output(t *testing.T, v spec.Value) string {
	t.Helper()
	if v == nil {
		return "nothing"
	}
	return written(must[spec.Reading](t)(v.Read()))
}

func written(r spec.Reading) string {
	switch r.Kind {
	case spec.KindList:
		out := ""
		for _, item := range r.Items {
			out += written(item) + ";"
		}
		return "[" + out + "]"
	case spec.KindTensor:
		return fmt.Sprint(r.DType, r.Shape, r.SHA256)
	case spec.KindNone:
		return "nothing"
	}
	return fmt.Sprint(r.Kind, r.Int)
}

func recordedOutput(c upstream.Conditioning) string {
	tensors := func(ds []upstream.Digest) spec.Reading {
		r := spec.Reading{Kind: spec.KindList}
		for _, d := range ds {
			r.Items = append(r.Items, spec.Reading{Kind: spec.KindTensor, DType: d.DType, Shape: d.Shape, SHA256: d.SHA256})
		}
		return r
	}
	none := spec.Reading{Kind: spec.KindNone}
	switch {
	case c.Loaded != nil:
		kv, freqs := none, none
		if c.Loaded.Layers != nil {
			kv = spec.Reading{Kind: spec.KindList}
			for _, layer := range c.Loaded.Layers {
				kv.Items = append(kv.Items, tensors(layer))
			}
		}
		if c.Loaded.Frequencies != nil {
			freqs = tensors(c.Loaded.Frequencies)
		}
		return written(spec.Reading{Kind: spec.KindList, Items: []spec.Reading{kv, freqs}})
	case c.Flag != nil && *c.Flag:
		return written(spec.Reading{Kind: spec.KindBool, Int: 1})
	case c.Flag != nil:
		return written(spec.Reading{Kind: spec.KindBool})
	case c.Freed != nil:
		return written(spec.Reading{Kind: spec.KindInt, Int: *c.Freed})
	}
	return "nothing"
}

func TestCosmos3BehindThePortAnswersAsRecorded(t *testing.T) {
	runs := must[[]upstream.ConditioningRun](t)(upstream.Cosmos3())
	for _, path := range []string{spec.Bespoke, spec.Managed} {
		for i, run := range runs {
			c := client(t)
			m := must[spec.Manager](t)(c.NewManager(spec.ManagerSpec{Cap: &run.MaxSessions}))
			over := spec.ModelSpec{Model: "cosmos3", Path: path, Cap: &run.MaxSessions}
			if path == spec.Managed {
				over.Manager = m
			}
			model := must[spec.Model](t)(c.NewModel(over))
			if got := must[string](t)(model.Path()); got != path {
				t.Fatalf("Path() = %q, want %q", got, path)
			}
			held := map[string]spec.State{}
			for j := range run.Calls {
				call := &run.Calls[j]
				at := fmt.Sprintf("%s, run %d, call %d, %s on %s", path, i, j, call.Do, call.ID)
				if call.Do == "adapter" {
					held[call.ID] = must[spec.State](t)(model.Open(call.ID))
					continue
				}
				out, err := held[call.ID].Do(conditioningStep(t, c, call))
				switch {
				case call.Outcome.Refused() != (err != nil):
					t.Fatalf("%s = error %v, want the recorded %q", at, err, call.Outcome.Error)
				case err != nil:
				case output(t, out) != recordedOutput(call.Outcome.OK):
					t.Fatalf("%s = %s, want %s", at, output(t, out), recordedOutput(call.Outcome.OK))
				}
				st := must[spec.Stats](t)(m.Stats())
				if want := *call.Bytes; path == spec.Managed && st.Counts["total_nbytes"] != want {
					t.Fatalf("%s: total_nbytes = %d, want %d", at, st.Counts["total_nbytes"], want)
				}
				if path == spec.Bespoke && st.Counts["misses"] != 0 {
					t.Fatalf("%s: the bespoke path made %d sessions in the manager, want none", at, st.Counts["misses"])
				}
			}
		}
	}
}

func TestCosmos3StepsThatAreNotWellMadeAreRefusedByKind(t *testing.T) {
	c := client(t)
	st := must[spec.State](t)(must[spec.Model](t)(c.NewModel(spec.ModelSpec{Model: "cosmos3", Path: spec.Bespoke})).Open("a"))
	tensor := made(t, c, spec.Tensor("float32", 1, 2))
	one, three := made(t, c, spec.List(tensor)), made(t, c, spec.List(tensor, tensor, tensor))
	branch := map[string]any{"branch": "positive"}
	for name, step := range map[string]spec.Step{
		"no branch":                  {Do: "load"},
		"a branch that is not there": {Do: "load", Args: map[string]any{"branch": "neutral"}},
		"no layer to evict":          {Do: "evict_layer", Args: branch},
		"a layer and a half":         {Do: "evict_layer", Args: map[string]any{"branch": "positive", "layer": 1.5}},
		"no kv":                      {Do: "set_branch", Args: branch},
		"kv that is a tensor":        {Do: "set_branch", Args: branch, With: map[string]spec.Value{"kv": tensor}},
		"kv of tensors":              {Do: "set_branch", Args: branch, With: map[string]spec.Value{"kv": three}},
		"layers of one tensor":       {Do: "set_branch", Args: branch, With: map[string]spec.Value{"kv": made(t, c, spec.List(one))}},
		"layers of three tensors":    {Do: "set_branch", Args: branch, With: map[string]spec.Value{"kv": made(t, c, spec.List(three))}},
		"no frequencies":             {Do: "capture", Args: branch, With: map[string]spec.Value{"kv": kv(t, c, 2, 1)}},
		"frequencies that are lists": {Do: "capture", Args: branch, With: map[string]spec.Value{"kv": kv(t, c, 2, 1), "freqs": made(t, c, spec.List(one))}},
	} {
		_, err := st.Do(step)
		if refusal, ok := errors.AsType[*spec.Error](err); !ok || refusal.Kind != spec.InvalidArgument {
			t.Errorf("Do(%s) = error %v, want it refused as invalid", name, err)
		}
	}
	_, err := st.Do(spec.Step{Do: "observe_latents"})
	if refusal, ok := errors.AsType[*spec.Error](err); !ok || refusal.Kind != spec.Unsupported {
		t.Errorf("Do(observe_latents) = error %v, want it unsupported", err)
	}
}

func TestCosmos3TakesTuplesForListsAndReadsBackWhatWasSet(t *testing.T) {
	c := client(t)
	st := must[spec.State](t)(must[spec.Model](t)(c.NewModel(spec.ModelSpec{Model: "cosmos3", Path: spec.Bespoke})).Open("a"))
	k, v := made(t, c, spec.Tensor("bfloat16", 1, 2, 3)), made(t, c, spec.Tensor("bfloat16", 2, 2, 3))
	set := made(t, c, spec.Tuple(made(t, c, spec.Tuple(k, v))))
	branch := map[string]any{"branch": "negative"}
	must[spec.Value](t)(st.Do(spec.Step{Do: "set_branch", Args: branch, With: map[string]spec.Value{"kv": set}}))
	got := output(t, must[spec.Value](t)(st.Do(spec.Step{Do: "load", Args: branch})))
	if want := fmt.Sprintf("[[[%s;%s;];];nothing;]", output(t, k), output(t, v)); got != want {
		t.Errorf("load = %s, want %s", got, want)
	}
	if got := output(t, must[spec.Value](t)(st.Do(spec.Step{Do: "bytes", Args: branch}))); got != "int24" {
		t.Errorf("bytes = %s, want int24", got)
	}
}

func TestAModelThatTheReferenceDoesNotKnowOrCannotMakeIsRefused(t *testing.T) {
	c := client(t)
	if claims := c.Hello().Can; !slices.Contains(claims, spec.CanCosmos3) || !slices.Contains(claims, spec.CanEncodeOnce) {
		t.Errorf("the reference claims %q, want cosmos3 and encode-once among it", claims)
	}
	for want, models := range map[spec.Kind][]spec.ModelSpec{
		spec.Unsupported: {{Model: "cosmos2", Path: spec.Bespoke}},
		spec.InvalidArgument: {
			{Model: "cosmos3", Path: "by hand"}, {Model: "cosmos3", Path: spec.Bespoke, Window: new(2)},
			{Model: "cosmos3", Path: spec.Bespoke, Quant: "pointwise"}, {Model: "cosmos3", Path: spec.Bespoke, Cap: new(-1)},
			{Model: "cosmos3", Path: spec.Managed},
		},
	} {
		for _, m := range models {
			_, err := c.NewModel(m)
			if refusal, ok := errors.AsType[*spec.Error](err); !ok || refusal.Kind != want {
				t.Errorf("NewModel(%+v) = error %v, want it refused as %s", m, err, want)
			}
		}
	}
}

func TestTheConfigPicksThePathOfCosmos3(t *testing.T) {
	for enabled, want := range map[bool]string{false: spec.Bespoke, true: spec.Managed} {
		c := client(t)
		m := must[spec.Manager](t)(c.NewManager(spec.ManagerSpec{}))
		cfg := spec.Config{Fields: map[string]any{"enable_session_state_manager": enabled}}
		model := must[spec.Model](t)(c.NewModel(spec.ModelSpec{Model: "cosmos3", Config: cfg, Manager: m}))
		must[spec.State](t)(model.Open("a"))
		if got := must[string](t)(model.Path()); got != want {
			t.Errorf("Path() where the config says %v = %q, want %q", enabled, got, want)
		}
		if got := must[bool](t)(m.Contains("a")); got != enabled {
			t.Errorf("the manager has the session where the config says %v = %v, want %v", enabled, got, enabled)
		}
	}
}
