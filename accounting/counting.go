package accounting

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

func counting(open Open) {
	It("leaves attributes as they are", Promise("ACC-10"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindList, spec.KindMap)
		attrs := append(Attrs("x", "y"), spec.AttrDecl{Name: "unwritten", Default: spec.List()})
		m := Must(s.NewManager(spec.ManagerSpec{Cap: new(1), Attrs: attrs}))
		a := Must(m.Session("a"))
		give(a, "x", nested(s))
		give(a, "y", Must(s.Make(spec.Int(3))))
		read := func(name string) spec.Reading { return Bits(Must(a.Attr(name))) }
		x, y, names := read("x"), read("y"), Must(a.Contents()).Attrs

		Must(m.Stats())
		Must(m.Stats())

		Expect(a.Attr("x")).To(HaveBits(x), "a list of a tensor and a map of a tensor")
		Expect(a.Attr("y")).To(HaveBits(y), "an integer")
		Expect(Must(a.Contents()).Attrs).To(Equal(names), "which attributes hold a value")
	})

	It("leaves state objects as they are", Promise("ACC-10"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, k := range kinds(s) {
			m, a := empty(s)
			o := Must(a.Ensure("kept", Roomy(k)))
			payload := frame(s, big)
			Do(o.Commit(payload))
			if k.Staging {
				staged := frame(s, small)
				Do(o.Stage(staged))
				LetGo(staged)
			}
			before := look(o)

			Must(m.Stats())
			Must(m.Stats())

			Expect(o.View(spec.View{})).To(HaveBits(before), "what a %s shows", k.Kind)
			Expect(Must(a.Contents()).Objects).To(Equal([]string{"kept"}), "which objects there are")
		}
	})

	It("comes to the same when it is done again", Promise("ACC-10"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindList, spec.KindMap)
		m, a := empty(s)
		give(a, "x", nested(s))
		payload := frame(s, small)
		Do(Must(a.Ensure("kept", Roomy(kinds(s)[0]))).Commit(payload))

		first := Must(m.Stats()).Counts
		for range 3 {
			Expect(Must(m.Stats()).Counts).To(Equal(first), "nothing happened since the first count")
		}
	})
}

// nested is a list of a big tensor and of a map of a medium one.
func nested(s *op.Client) spec.Value {
	GinkgoHelper()
	one, in := storage(s, big), containing(s, spec.KindMap, storage(s, medium))
	defer LetGo(one, in)
	return Must(s.Make(spec.List(one, in)))
}
