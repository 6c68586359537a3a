package subject

import (
	"fmt"

	"github.com/statespec/statespec/fixtures/fill"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// Edit changes the thing itself.
func (h *valueHandle) Edit(e spec.Edit) error {
	h.sub.contents.Lock()
	defer h.sub.contents.Unlock()
	switch v := h.v.(type) {
	case *tensor.Tensor:
		return refill(v, e)
	case *HostArray:
		if v.immutable {
			return spec.Refuse(spec.Immutable, "an array over a text")
		}
		return refill(v.Tensor, e)
	case *[]any:
		return editList(v, e)
	case map[any]any:
		return editMap(v, e)
	case map[any]struct{}:
		return editSet(v, e)
	}
	return spec.Refuse(spec.Immutable, "%s of a %T", e.Do, h.v)
}

func refill(t *tensor.Tensor, e spec.Edit) error {
	if e.Do != "refill" {
		return spec.Refuse(spec.InvalidArgument, "%s of a tensor", e.Do)
	}
	src, err := tensor.FromBytes(t.DType(), fill.Bytes(t.DType().String(), e.Seed, t.NumElements()), t.Shape()...)
	if err != nil {
		return told(err)
	}
	return told(t.CopyFrom(src))
}

func editList(l *[]any, e spec.Edit) error {
	switch e.Do {
	case "clear":
		clear(*l) // or the storages would stay
		*l = (*l)[:0]
	case "append":
		*l = append(*l, Content(e.With[0]))
	case "replace":
		if e.At < 0 || e.At >= len(*l) {
			return spec.Refuse(spec.InvalidArgument, "item %d of %d", e.At, len(*l))
		}
		(*l)[e.At] = Content(e.With[0])
	default:
		return spec.Refuse(spec.InvalidArgument, "%s of a list", e.Do)
	}
	return nil
}

func editMap(m map[any]any, e spec.Edit) error {
	switch e.Do {
	case "clear":
		clear(m)
	case "append":
		m[fmt.Sprintf("added %d", len(m))] = Content(e.With[0])
	default:
		return spec.Refuse(spec.InvalidArgument, "%s of a map", e.Do)
	}
	return nil
}

func editSet(m map[any]struct{}, e spec.Edit) error {
	switch e.Do {
	case "clear":
		clear(m)
	case "append":
		v := Content(e.With[0])
		if err := hashable(v); err != nil {
			return err
		}
		m[v] = struct{}{}
	default:
		return spec.Refuse(spec.InvalidArgument, "%s of a set", e.Do)
	}
	return nil
}
