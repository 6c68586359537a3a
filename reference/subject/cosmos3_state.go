package subject

import (
	"reflect"

	"github.com/statespec/statespec/equivalence/cosmos3"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// cosmos3State is a state of Cosmos3 behind the port. Its steps have the names
// of the recording, and a branch is "positive" or "negative":
//
//	capture branch=… {kv, freqs}        kv: a list of lists of keys and values, a layer each;
//	                                    freqs: a list of tensors, absent when the transformer made none
//	set_branch branch=… {kv}
//	load branch=…                       → list of kv and freqs, each none where there is none
//	initialized branch=…                → bool
//	evict_layer branch=… layer=n        → int, bytes freed; nil where there is no such layer
//	reset
//	bytes branch=…                      → int, storage bytes of the branch
type cosmos3State struct {
	sub *Subject
	st  cosmos3.State
}

func (h *cosmos3State) Release() error { h.st = nil; return nil }

// Do carries out one step.
func (h *cosmos3State) Do(step spec.Step) (spec.Value, error) {
	return perform(h.sub, cosmos3Steps, h.st, step)
}

// cosmos3Steps take a state's step and return its output as content, nil
// for none.
var cosmos3Steps = map[string]func(cosmos3.State, arguments) (any, error){
	"capture":    capture,
	"set_branch": setBranch,
	"load":       loadBranch,
	"initialized": func(st cosmos3.State, a arguments) (any, error) {
		return ofBranch(a, st.Captured)
	},
	"evict_layer": evictLayer,
	"reset":       func(st cosmos3.State, _ arguments) (any, error) { return nil, st.Reset() },
	"bytes": func(st cosmos3.State, a arguments) (any, error) {
		return ofBranch(a, st.Bytes)
	},
}

func capture(st cosmos3.State, a arguments) (any, error) {
	b, layers, err := a.branchLayers()
	if err != nil {
		return nil, err
	}
	frequencies, err := a.tensors("freqs", a.value("freqs"))
	if err != nil {
		return nil, err
	}
	return nil, st.Capture(b, cosmos3.Conditioning{Layers: layers, Frequencies: frequencies})
}

func setBranch(st cosmos3.State, a arguments) (any, error) {
	b, layers, err := a.branchLayers()
	if err != nil {
		return nil, err
	}
	return nil, st.SetLayers(b, layers)
}

func loadBranch(st cosmos3.State, a arguments) (any, error) {
	c, err := ofBranch(a, st.Load)
	if err != nil {
		return nil, err
	}
	var kv, freqs any
	if c.Layers != nil {
		all := make([]any, len(c.Layers))
		for i, l := range c.Layers {
			all[i] = &[]any{l.Keys, l.Values}
		}
		kv = &all
	}
	if c.Frequencies != nil {
		all := make([]any, len(c.Frequencies))
		for i, f := range c.Frequencies {
			all[i] = f
		}
		freqs = &all
	}
	return &[]any{kv, freqs}, nil
}

func evictLayer(st cosmos3.State, a arguments) (any, error) {
	b, err := a.text("branch")
	if err != nil {
		return nil, err
	}
	layer, err := a.int("layer")
	if err != nil {
		return nil, err
	}
	freed, found, err := st.EvictLayer(cosmos3.Branch(b), layer)
	if err != nil || !found {
		return nil, err
	}
	return freed, nil
}

// ofBranch asks about the branch that a step names.
func ofBranch[T any](a arguments, ask func(cosmos3.Branch) (T, error)) (T, error) {
	b, err := a.text("branch")
	if err != nil {
		var none T
		return none, err
	}
	return ask(cosmos3.Branch(b))
}

// branchLayers reads the branch that a step names and the layers that it brings.
func (a arguments) branchLayers() (cosmos3.Branch, []cosmos3.Layer, error) {
	b, err := a.text("branch")
	if err != nil {
		return "", nil, err
	}
	layers, err := a.layers("kv")
	return cosmos3.Branch(b), layers, err
}

// layers reads a list of layers, none where there is no such value.
func (a arguments) layers(name string) ([]cosmos3.Layer, error) {
	all, err := a.elements(name, a.value(name))
	if err != nil {
		return nil, err
	}
	var layers []cosmos3.Layer
	for i, pair := range all {
		kv, err := a.tensors(name, pair)
		if err != nil {
			return nil, err
		}
		if len(kv) != 2 {
			return nil, spec.Refuse(spec.InvalidArgument, "%s: layer %d of %s is %d tensors, not keys and values", a.step.Do, i, name, len(kv))
		}
		layers = append(layers, cosmos3.Layer{Keys: kv[0], Values: kv[1]})
	}
	return layers, nil
}

// tensors reads a list of tensors, none of none.
func (a arguments) tensors(name string, list any) ([]*tensor.Tensor, error) {
	all, err := a.elements(name, list)
	if err != nil {
		return nil, err
	}
	var ts []*tensor.Tensor
	for _, v := range all {
		t, err := asTensor(v)
		if err != nil {
			return nil, spec.Refuse(spec.InvalidArgument, "%s: %s has an element that is no tensor", a.step.Do, name)
		}
		ts = append(ts, t)
	}
	return ts, nil
}

// elements are those of a list or a tuple, none of none.
func (a arguments) elements(name string, list any) ([]any, error) {
	switch l := list.(type) {
	case nil:
		return nil, nil
	case *[]any:
		return *l, nil
	}
	v := reflect.ValueOf(list)
	if v.Kind() != reflect.Array {
		return nil, spec.Refuse(spec.InvalidArgument, "%s: %s is no list", a.step.Do, name)
	}
	all := make([]any, v.Len())
	for i := range all {
		all[i] = v.Index(i).Interface()
	}
	return all, nil
}
