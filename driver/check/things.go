package check

import (
	"fmt"
	"slices"

	"github.com/statespec/statespec/fixtures/fill"
	"github.com/statespec/statespec/spec"
)

func containers(v *visit) error {
	if !slices.Contains(v.hello.Holds, spec.KindList) || !slices.Contains(v.hello.Holds, spec.KindTensor) {
		return errNotClaimed
	}
	t, err := v.raw(counted(3), 3)
	if err != nil {
		return err
	}
	list, err := v.value(map[string]any{"step": "list"}, t, t)
	if err != nil {
		return err
	}
	if _, err := v.must("edit", map[string]any{"on": t, "edit": map[string]any{"do": "refill", "seed": 4}}); err != nil {
		return err
	}
	if err := v.mustOn("release", t); err != nil {
		return err
	}
	item := readingOf("uint8", fill.Bytes("uint8", 4, 3), 3)
	want := spec.Reading{Kind: spec.KindList, Items: []spec.Reading{item, item}}
	if err := v.reads(list, want); err != nil {
		return fmt.Errorf("a list of one tensor twice, after the tensor was refilled and released: %w", err)
	}
	return nil
}

// mustOn is must of an operation on a handle that takes nothing else.
func (v *visit) mustOn(method, on string) error {
	_, err := v.must(method, map[string]any{"on": on})
	return err
}

func attributes(v *visit) error {
	_, session, err := v.manager()
	if err != nil {
		return err
	}
	n, err := v.value(map[string]any{"step": "int", "int": 5})
	if err != nil {
		return err
	}
	if _, err := v.must("set_attr", map[string]any{"on": session, "name": "x", "values": []string{n}}); err != nil {
		return err
	}
	if err := v.attribute(session, spec.Reading{Kind: spec.KindInt, Int: 5}); err != nil {
		return err
	}
	r, err := v.must("contents", map[string]any{"on": session})
	if err != nil {
		return err
	}
	if r.Contents == nil || !slices.Contains(r.Contents.Attrs, "x") {
		return fmt.Errorf(`contents does not list the attribute "x" that was written`)
	}
	if _, err := v.must("set_attr", map[string]any{"on": session, "name": "x"}); err != nil {
		return err
	}
	if err := v.attribute(session, spec.Reading{Kind: spec.KindNone}); err != nil {
		return fmt.Errorf("after set_attr without a value: %w", err)
	}
	return v.mustOn("reset", session)
}

// attribute asks what "x" reads as.
func (v *visit) attribute(session string, want spec.Reading) error {
	h := v.name()
	r, err := v.must("attr", map[string]any{"on": session, "as": h, "name": "x"})
	switch {
	case err != nil:
		return err
	case r.None && want.Kind == spec.KindNone:
		return nil
	case r.None:
		return fmt.Errorf("the attribute that was written is nothing")
	}
	return v.reads(h, want)
}

func objects(v *visit) error {
	if len(v.hello.Kinds) == 0 {
		return errNotClaimed
	}
	_, session, err := v.manager()
	if err != nil {
		return err
	}
	if err := v.tensors(); err != nil {
		return err
	}
	for _, k := range v.hello.Kinds {
		if k.Kind == spec.EncodeOnceKV && !slices.Contains(v.hello.Can, spec.CanEncodeOnce) {
			continue
		}
		if err := v.object(session, k); err != nil {
			return fmt.Errorf("%s: %w", k.Kind, err)
		}
	}
	return nil
}

// object asks the operations of an object of one kind.
func (v *visit) object(session string, k spec.KindInfo) error {
	name := "of kind " + string(k.Kind)
	o, err := v.make("ensure", map[string]any{"on": session, "name": name, "object_spec": map[string]any{"kind": k.Kind}})
	if err != nil {
		return err
	}
	payload, err := v.raw(counted(4), 1, 4)
	if err != nil {
		return err
	}
	if _, err := v.must("commit", map[string]any{"on": o, "values": []string{payload}}); err != nil {
		return err
	}
	h := v.name()
	r, err := v.must("view", map[string]any{"on": o, "as": h, "view": map[string]any{}})
	if err != nil {
		return err
	}
	if r.None {
		return fmt.Errorf("view is nothing, after a commit")
	}
	want := readingOf("uint8", counted(4), 1, 4)
	if k.Appends {
		want = spec.Reading{Kind: spec.KindList, Items: []spec.Reading{want}}
	}
	if err := v.reads(h, want); err != nil {
		return fmt.Errorf("view, after one commit: %w", err)
	}
	if r, err = v.must("state", map[string]any{"on": o}); err != nil {
		return err
	}
	if r.State == nil || !r.State.Resident {
		return fmt.Errorf("state says that it is not resident, after a commit")
	}
	if _, err := v.make("object", map[string]any{"on": session, "name": name}); err != nil {
		return err
	}
	if err := v.mustOn("evict", o); err != nil {
		return err
	}
	return v.mustOn("reset", o)
}

func models(v *visit) error {
	if err := v.layer(spec.LayerAdapter); err != nil {
		return err
	}
	asked := false
	for _, m := range []struct {
		name string
		can  spec.Capability
	}{{"dreamzero", spec.CanDreamZero}, {"cosmos3", spec.CanCosmos3}} {
		if v.capability(m.can) != nil {
			continue
		}
		asked = true
		if err := v.model(m.name); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	if !asked {
		return fmt.Errorf("it claims the layer adapter, and neither dreamzero nor cosmos3")
	}
	return nil
}

func (v *visit) model(name string) error {
	manager, _, err := v.manager()
	if err != nil {
		return err
	}
	model, err := v.make("new_model", map[string]any{"model_spec": map[string]any{"model": name, "path": spec.Managed}, "manager": manager})
	if err != nil {
		return err
	}
	r, err := v.must("path", map[string]any{"on": model})
	if err != nil {
		return err
	}
	if r.Text != spec.Managed {
		return fmt.Errorf(`path answers "text": %q, want %q`, r.Text, spec.Managed)
	}
	state, err := v.make("open", map[string]any{"on": model, "session": "m"})
	if err != nil {
		return err
	}
	step := map[string]any{"do": "bytes", "args": map[string]any{"name": "ys"}}
	if name == "cosmos3" {
		step["args"] = map[string]any{"branch": "positive"}
	}
	bytes, err := v.make("do", map[string]any{"on": state, "step": step})
	if err != nil {
		return err
	}
	return v.reads(bytes, spec.Reading{Kind: spec.KindInt})
}

// borrow asks for some way to borrow memory: a language may not have them all.
func (v *visit) borrow() (err error) {
	t, err := v.raw(counted(8), 8)
	if err != nil {
		return err
	}
	for _, how := range []string{"export", "buffer", "mapped-file"} {
		recipe := map[string]any{"step": "borrow", "text": how, "axes": []int{0, 8}}
		if how == "export" {
			_, err = v.value(recipe, t)
		} else {
			_, err = v.value(recipe)
		}
		if err == nil {
			return nil
		}
	}
	return err
}

func claims(v *visit) error {
	manager, session, err := v.manager()
	if err != nil {
		return err
	}
	buffer := func() (string, error) {
		return v.make("ensure", map[string]any{"on": session, "name": "claims", "object_spec": map[string]any{"kind": spec.LatentBuffer}})
	}
	for _, c := range []struct {
		can spec.Capability
		ask func() error
	}{
		{spec.CanDrop, func() error { _, err := v.must("drop", map[string]any{"on": manager, "session": "nobody"}); return err }},
		{spec.CanRaiseCap, func() error { _, err := v.must("raise_cap", map[string]any{"on": manager, "cap": 5}); return err }},
		{spec.CanContinue, func() error { _, err := v.make("continue", map[string]any{"on": manager, "session": "a"}); return err }},
		{spec.CanRefuse, func() error {
			_, err := v.make("new_manager", map[string]any{"manager_spec": map[string]any{"cap": 1, "refuse": true}})
			return err
		}},
		{spec.CanStage, func() error {
			o, err := buffer()
			if err != nil {
				return err
			}
			return v.mustOn("discard", o)
		}},
		{spec.CanSpy, func() error {
			_, err := v.make("new_object", map[string]any{"object_spec": map[string]any{"kind": spec.Spy}})
			return err
		}},
		{spec.CanBorrow, v.borrow},
		{spec.CanSessionBytes, func() error {
			r, err := v.must("contents", map[string]any{"on": session})
			if err == nil && r.Contents != nil && r.Contents.Bytes == nil {
				n, made := v.raw(counted(4), 4)
				if made != nil {
					return made
				}
				if _, err := v.must("set_attr", map[string]any{"on": session, "name": "x", "values": []string{n}}); err != nil {
					return err
				}
				if r, err = v.must("contents", map[string]any{"on": session}); err == nil && r.Contents.Bytes == nil {
					return fmt.Errorf(`contents has no "bytes" of a session that holds a tensor`)
				}
			}
			return err
		}},
	} {
		if v.capability(c.can) != nil {
			continue
		}
		if err := c.ask(); err != nil {
			return fmt.Errorf("it claims %s: %w", c.can, err)
		}
	}
	return nil
}
