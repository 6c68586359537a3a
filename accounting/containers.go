package accounting

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

func containers(open Open) {
	DescribeTable("counts two tensors in", func(ctx SpecContext, kinds ...spec.ValueKind) {
		s := open.Subject(ctx)
		Holds(s, kinds...)
		m, a := retained(s)
		one, other := storage(s, big), storage(s, medium)
		held := wrap(s, kinds[0], one, other)
		LetGo(one, other)
		for _, k := range kinds[1:] {
			in := held
			held = wrap(s, k, in)
			LetGo(in)
		}
		give(a, "x", held)

		Expect(m.Stats()).To(CountBytes(big+medium), "tensors of %d and %d bytes in containers, from the inside out: %v", big, medium, kinds)
	},
		Entry("a list", Promise("ACC-11"), spec.KindList),
		Entry("a tuple", Promise("ACC-11"), spec.KindTuple),
		Entry("the values of a map", Promise("ACC-11"), spec.KindMap),
		Entry("a list in a map in a tuple", Promise("ACC-11"), spec.KindList, spec.KindMap, spec.KindTuple),
		Entry("a tuple in a list in a map in a list", Promise("ACC-11"), spec.KindTuple, spec.KindList, spec.KindMap, spec.KindList),
		Entry("a set", Promise("ACC-11.set"), spec.KindSet),
		Entry("a set in a list", Promise("ACC-11.set"), spec.KindSet, spec.KindList),
		Entry("the keys of a map", Promise("ACC-11.map-key"), spec.KindMapKey),
		Entry("the fields of a record", Promise("ACC-11.record"), spec.KindRecord),
		Entry("a list in a record", Promise("ACC-11.record"), spec.KindList, spec.KindRecord),
		Entry("the attributes of an object", Promise("ACC-11.instance"), spec.KindInstance),
		Entry("a list in an object in a list", Promise("ACC-11.instance"), spec.KindList, spec.KindInstance, spec.KindList),
	)

	It("counts a tensor that is ten lists deep", Promise("ACC-11"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindList)
		m, a := retained(s)
		t := storage(s, big)
		give(a, "x", Must(s.Make(spec.Nest(10, t))))
		LetGo(t)

		Expect(m.Stats()).To(CountBytes(big), "a tensor of %d bytes in ten nested lists", big)
	})

	It("counts every tensor of a long list", Promise("ACC-11"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindList)
		m, a := retained(s)
		const n = 200
		var vs []spec.Value
		for range n {
			vs = append(vs, storage(s, small))
		}
		give(a, "x", Must(s.Make(spec.List(vs...))))
		LetGo(handles(vs)...)

		Expect(m.Stats()).To(CountBytes(n*small), "a list of %d tensors of %d bytes each", n, small)
	})

	It("counts a state object that is in an attribute", Promise("ACC-11.stored"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindStored)
		for _, k := range kinds(s) {
			m, a := retained(s)
			o := Must(s.NewObject(Roomy(k)))
			Do(o.Allocate(Roomy(k).Bound))
			payload := frame(s, big)
			Do(o.Commit(payload))
			give(a, "x", Must(s.Make(spec.Stored(o))))
			LetGo(payload, o)

			// An object that owns its memory may have room for more.
			Expect(count(m)).To(BeNumerically(">=", big), "stats of an attribute that is a %s that holds %d bytes", k.Kind, big)
		}
	})
}

// wrap is a container of one kind with all the things in it.
func wrap(s *op.Client, kind spec.ValueKind, vs ...spec.Value) spec.Value {
	GinkgoHelper()
	names := []string{"f", "g"}[:len(vs)]
	switch kind {
	case spec.KindTuple:
		return Must(s.Make(spec.Tuple(vs...)))
	case spec.KindSet:
		return Must(s.Make(spec.Set(vs...)))
	case spec.KindRecord:
		return Must(s.Make(spec.Struct(names, vs...)))
	case spec.KindInstance:
		return Must(s.Make(spec.Instance(names, vs...)))
	case spec.KindMap, spec.KindMapKey:
		var pairs []spec.Value
		for i, v := range vs {
			beside := Must(s.Make(spec.Text(names[i])))
			if kind == spec.KindMapKey {
				pairs = append(pairs, v, beside)
			} else {
				pairs = append(pairs, beside, v)
			}
		}
		return Must(s.Make(spec.Map(pairs...)))
	}
	return Must(s.Make(spec.List(vs...)))
}
