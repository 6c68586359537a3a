package accounting

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

func aliases(open Open) {
	// What a view gives is put in an attribute. Whether that is the object's own
	// storage is the subject's choice, and found out by writing through the one
	// and looking at the other.
	DescribeTable("counts a storage once that is in a state object and in an attribute:", Promise("ACC-04"),
		func(ctx SpecContext, look func(s *op.Client, item spec.Value) spec.Value) {
			s := open.Subject(ctx)
			for _, k := range kinds(s) {
				By("a " + string(k.Kind))
				m, a := retained(s)
				o := Must(a.Ensure("kept", spec.ObjectSpec{Kind: k.Kind}))
				payload := sheet(s)
				Do(o.Commit(payload))
				LetGo(payload)
				alone := count(m)

				give(a, "x", look(s, viewed(s, o, k)))
				// An object that is not counted at all breaks another promise.
				once, twice := max(alone, 1000), alone+1000
				is, told := shared(a, o)
				switch {
				case !told:
					Expect(m.Stats()).To(Or(CountBytes(once), CountBytes(twice)),
						"a %s of %d bytes, and an attribute of 1000 that is its storage or a copy", k.Kind, alone)
				case is:
					Expect(m.Stats()).To(CountBytes(once), "an attribute that is the storage of a %s of %d bytes", k.Kind, alone)
				default:
					Expect(m.Stats()).To(CountBytes(twice), "an attribute that is a copy of what a %s of %d bytes holds", k.Kind, alone)
				}
			}
		},
		Entry("the whole payload", func(_ *op.Client, item spec.Value) spec.Value { return item }),
		Entry("a slice of it", func(s *op.Client, item spec.Value) spec.Value {
			defer LetGo(item)
			return Must(s.Make(spec.Narrow(item, 0, 30, 2)))
		}),
	)

	names(open)
}

// viewed is the one payload of an object, as a view gives it.
func viewed(s *op.Client, o spec.Object, k spec.KindInfo) spec.Value {
	GinkgoHelper()
	v := Must(o.View(spec.View{}))
	if !k.Appends {
		return v
	}
	defer LetGo(v)
	return Must(s.Make(spec.Item(v, 0)))
}

// shared says whether writing through attribute x changes what the object shows.
// Where the language has no way to write, it cannot be told.
func shared(a spec.Session, o spec.Object) (is, told bool) {
	GinkgoHelper()
	before := Outline(look(o))
	v := Must(a.Attr("x"))
	defer LetGo(v)
	switch err := v.Edit(spec.Refill(99)); spec.KindOf(err) {
	case spec.Immutable:
		return false, false
	default:
		Do(err)
	}
	return Outline(look(o)) != before, true
}

// look is what an object shows.
func look(o spec.Object) spec.Reading {
	GinkgoHelper()
	v := Must(o.View(spec.View{}))
	defer LetGo(v)
	return Bits(v)
}

func names(open Open) {
	It("counts a storage once that is under two names of a session", Promise("ACC-05"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m, a := retained(s)
		base := sheet(s)
		give(a, "x", Must(s.Make(spec.Alias(base))))
		give(a, "y", base)
		give(a, "z", storage(s, 52))

		Expect(m.Stats()).To(CountBytes(1052), "x and y are one storage of 1000 bytes, z is another of 52")
	})

	It("counts a storage once that is in nested containers of one attribute", Promise("ACC-05"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindList, spec.KindTuple, spec.KindMap)
		m, a := retained(s)
		base := sheet(s)
		one, other := Must(s.Make(spec.Alias(base))), Must(s.Make(spec.Reshape(base, 1000)))
		in := Must(s.Make(spec.Tuple(other, Must(s.Make(spec.Int(3))))))
		table := Must(s.Make(spec.Map(Must(s.Make(spec.Text("k"))), in)))
		give(a, "x", Must(s.Make(spec.List(one, table, base))))
		LetGo(base, one, other, in, table)

		Expect(m.Stats()).To(CountBytes(1000), "a tensor, the same in another shape in a tuple in a map, and the same again")
	})
}
