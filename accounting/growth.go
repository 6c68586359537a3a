package accounting

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

func growth(open Open) {
	// Whether a change through a handle reaches what the session holds is the
	// subject's affair, which may copy values: what is due is what is read back.
	DescribeTable("counts a container as it is when stats is asked:", Promise("ACC-20"),
		func(ctx SpecContext, kind spec.ValueKind, bySession bool) {
			s := open.Subject(ctx)
			Holds(s, kind)
			m, a := retained(s)
			c := containing(s, kind, storage(s, medium))
			Do(a.SetAttr("x", c))
			if bySession {
				LetGo(c)
				c = Must(a.Attr("x"))
			}
			seen(m, kind) // and counted, so that a count that is kept is a wrong one

			edit(c, spec.Append(storage(s, big)))
			Expect(m.Stats()).To(CountBytes(weight(attribute(a, "x"))), "%d bytes were appended to a %s of %d", big, kind, medium)
			edit(c, spec.Clear())
			Expect(m.Stats()).To(CountBytes(weight(attribute(a, "x"))), "the %s was emptied", kind)
		},
		Entry("a list, changed by who made it", spec.KindList, false),
		Entry("a list, changed by who read it", spec.KindList, true),
		Entry("a map, changed by who made it", spec.KindMap, false),
		Entry("a map, changed by who read it", spec.KindMap, true),
	)

	It("counts a list as it is that grows inside another", Promise("ACC-20"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindList)
		m, a := retained(s)
		inner := containing(s, spec.KindList, storage(s, medium))
		give(a, "x", Must(s.Make(spec.List(inner))))
		seen(m, spec.KindList)

		edit(inner, spec.Append(storage(s, big)))
		Expect(m.Stats()).To(CountBytes(weight(attribute(a, "x"))), "%d bytes were appended to the inner list of %d", big, medium)
	})
}

// seen ends the spec unless the medium tensor that a container begins with is
// counted: whether a container is looked into at all is asked by ACC-11.
func seen(m spec.Manager, kind spec.ValueKind) {
	GinkgoHelper()
	if got := count(m); got != medium {
		CannotTell("stats = %d bytes for a %s of %d bytes, before it grows", got, kind, medium)
	}
}

// containing is a container of one thing.
func containing(s *op.Client, kind spec.ValueKind, v spec.Value) spec.Value {
	GinkgoHelper()
	defer LetGo(v)
	if kind == spec.KindMap {
		return Must(s.Make(spec.Map(Must(s.Make(spec.Text("k"))), v)))
	}
	return Must(s.Make(spec.List(v)))
}

// edit changes a container. A language that has no way to make the change has
// none to get the count wrong.
func edit(c spec.Value, e spec.Edit) {
	GinkgoHelper()
	err := c.Edit(e)
	if spec.KindOf(err) == spec.Immutable {
		Unclaimed("a container that cannot be changed: %v", err)
	}
	Do(err)
	LetGo(handles(e.With)...)
}

func handles(vs []spec.Value) []spec.Handle {
	hs := make([]spec.Handle, len(vs))
	for i, v := range vs {
		hs[i] = v
	}
	return hs
}

// weight is the bytes of all tensors in a reading. They are small enough for a
// reading to carry them, and each has a storage of its own.
func weight(r spec.Reading) int64 {
	n := int64(len(r.Bytes))
	for _, item := range r.Items {
		n += weight(item)
	}
	return n
}
