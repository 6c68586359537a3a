package equivalence

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// A content is a value that is still to be made, once for each path: what one
// path keeps of its own must be nothing that the other can reach.
type content struct {
	recipe spec.Recipe
	list   []content                      // a list of these instead
	view   func(v spec.Value) spec.Recipe // of what the recipe makes, where there is one
	said   string                         // of the view
}

// tensor is a content of a seed, in storage of its own.
func tensor(dtype string, seed uint64, shape ...int) content {
	return content{recipe: spec.Tensor(dtype, seed, shape...)}
}

// int64s is a content of whole numbers, as tokens are: (1, n).
func int64s(ns ...byte) content {
	raw := make([]byte, 8*len(ns))
	for i, n := range ns {
		raw[8*i] = n
	}
	return content{recipe: spec.Bits("int64", raw, 1, len(ns))}
}

func integer(n int) content     { return content{recipe: spec.Int(int64(n))} }
func flag(b bool) content       { return content{recipe: spec.Bool(b)} }
func list(c ...content) content { return content{list: c} }

// cutOut is length indices of an axis from start on, of a larger tensor.
func (c content) cutOut(axis, start, length int) content {
	c.view = func(v spec.Value) spec.Recipe { return spec.Narrow(v, axis, start, length) }
	c.said = fmt.Sprintf(", of axis %d those from %d to %d", axis, start, start+length)
	return c
}

// turned is a tensor with two axes exchanged, not moved.
func (c content) turned(a, b int) content {
	c.view = func(v spec.Value) spec.Recipe { return spec.Transpose(v, a, b) }
	c.said = fmt.Sprintf(", axes %d and %d exchanged", a, b)
	return c
}

// make makes the value, which the caller lets go of.
func (c content) make(s *op.Client) spec.Value {
	GinkgoHelper()
	if c.list != nil {
		items := make([]spec.Value, len(c.list))
		for i, item := range c.list {
			items[i] = item.make(s)
		}
		whole := Must(s.Make(spec.List(items...)))
		for _, item := range items {
			LetGo(item)
		}
		return whole
	}
	v := Must(s.Make(c.recipe))
	if c.view == nil {
		return v
	}
	defer LetGo(v)
	return Must(s.Make(c.view(v)))
}

// on is the content on a device.
func (c content) on(device string) content {
	if c.list != nil {
		items := make([]content, len(c.list))
		for i, item := range c.list {
			items[i] = item.on(device)
		}
		c.list = items
		return c
	}
	if c.recipe.Step == "tensor" {
		c.recipe = c.recipe.On(device)
	}
	return c
}

func (c content) String() string {
	if c.list != nil {
		items := make([]string, len(c.list))
		for i, item := range c.list {
			items[i] = item.String()
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	switch r := c.recipe; {
	case r.Step != "tensor":
		return strings.TrimSpace(fmt.Sprintf("%s %d %s", r.Step, r.Int, r.Text))
	case r.Raw != nil:
		return fmt.Sprintf("%s%v of %x%s", r.DType, r.Shape, r.Raw, c.said)
	default:
		return fmt.Sprintf("%s%v of seed %d%s", r.DType, r.Shape, r.Seed, c.said)
	}
}

// outline is a reading in one line, but for the device that it lies on: where a
// value is kept is not its bits.
func outline(r spec.Reading) string {
	if r.Kind == refused {
		return refused
	}
	return Outline(nowhere(r))
}

func nowhere(r spec.Reading) spec.Reading {
	r.Device = ""
	items := make([]spec.Reading, len(r.Items))
	for i, item := range r.Items {
		items[i] = nowhere(item)
	}
	r.Items = items
	return r
}
