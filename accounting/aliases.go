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
				o := Must(a.Ensure("kept", Roomy(k)))
				payload := Must(s.Make(spec.Tensor("uint8", 1, 1, 48, 96)))
				Do(o.Commit(payload))
				LetGo(payload)
				alone := count(m)

				item := look(s, viewed(s, o, k))
				Do(a.SetAttr("x", item))
				is, told := shared(item, a, o)
				LetGo(item)
				// An object that is not counted at all breaks another promise.
				once := CountBytes(max(alone, big))
				// A copy of a part may have the part alone for its storage.
				apart := BeNumerically(">=", alone+weight(attribute(a, "x")))
				twice := WithTransform(bytesOf, And(apart, BeNumerically("<=", alone+big)))
				switch {
				case !told:
					Expect(m.Stats()).To(Or(once, twice),
						"a %s of %d bytes, and an attribute of at most %d that is its storage or a copy", k.Kind, alone, big)
				case is:
					Expect(m.Stats()).To(once, "an attribute that is the storage of a %s of %d bytes", k.Kind, alone)
				default:
					Expect(m.Stats()).To(twice, "an attribute that is a copy of what a %s of %d bytes holds", k.Kind, alone)
				}
			}
		},
		Entry("the whole payload", func(_ *op.Client, item spec.Value) spec.Value { return item }),
		Entry("a slice of it", func(s *op.Client, item spec.Value) spec.Value {
			defer LetGo(item)
			return Must(s.Make(spec.Narrow(item, 1, 30, 2)))
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

// shared says whether attribute x and what the object shows are both the item
// that was assigned: what is written through it shows in them. Where the language
// has no way to write, it cannot be told.
func shared(item spec.Value, a spec.Session, o spec.Object) (is, told bool) {
	GinkgoHelper()
	x, shown := Outline(attribute(a, "x")), Outline(look(o))
	if !overwritten(item) {
		return false, false
	}
	return Outline(attribute(a, "x")) != x && Outline(look(o)) != shown, true
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
		Do(a.SetAttr("y", base))
		give(a, "z", storage(s, medium))
		told := kept(base, place{a, "x"}, place{a, "y"})
		LetGo(base)

		expectBytes(m, big+medium, told, "x and y are one storage of %d bytes, z is another of %d", big, medium)
	})

	It("counts storages once that are met again after many others", Promise("ACC-05"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindList)
		m, a := retained(s)
		const n = 80
		var bases []spec.Value
		for range n {
			bases = append(bases, storage(s, small))
		}
		give(a, "x", Must(s.Make(spec.List(bases...))))
		give(a, "y", Must(s.Make(spec.List(bases...))))
		told := keptAll(bases, place{a, "x"}, place{a, "y"})
		LetGo(handles(bases)...)

		expectBytes(m, n*small, told, "two lists of the same %d tensors of %d bytes each", n, small)
	})

	It("counts a state object once that is under two names", Promise("ACC-05"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, k := range kinds(s) {
			var counts []int64
			for _, twice := range []bool{false, true} {
				m, a := empty(s)
				o := Must(a.Ensure("kept", Roomy(k)))
				if twice && Refused(a.Put("again", o)) {
					CannotTell("a %s that has a name is given no second one", k.Kind)
				}
				payload := frame(s, big)
				Do(o.Commit(payload))
				LetGo(payload)
				if twice && Outline(look(Must(a.Object("again")))) != Outline(look(o)) {
					CannotTell("a %s that was put under a second name is another one", k.Kind)
				}
				counts = append(counts, count(m))
			}

			Expect(counts[1]).To(Equal(counts[0]), "stats of a %s of %d bytes under two names, against one under one", k.Kind, big)
		}
	})

	It("counts a storage once that is in nested containers of one attribute", Promise("ACC-05"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindList, spec.KindTuple, spec.KindMap)
		m, a := retained(s)
		base := sheet(s)
		one, other := Must(s.Make(spec.Alias(base))), Must(s.Make(spec.Reshape(base, big)))
		in := Must(s.Make(spec.Tuple(other, Must(s.Make(spec.Int(3))))))
		table := Must(s.Make(spec.Map(Must(s.Make(spec.Text("k"))), in)))
		give(a, "x", Must(s.Make(spec.List(one, table, base))))
		told := kept(base, place{a, "x"})
		LetGo(base, one, other, in, table)

		expectBytes(m, big, told, "a tensor, the same in another shape in a tuple in a map, and the same again")
	})
}
