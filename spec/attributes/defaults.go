package attributes

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// A defaulted attribute has a default, what that reads as, and another value.
type defaulted struct {
	def   spec.Recipe
	reads spec.Reading
	other spec.Recipe
}

func defaultCases() []TableEntry {
	return []TableEntry{
		Entry("an integer", defaulted{spec.Int(7), spec.Reading{Kind: spec.KindInt, Int: 7}, spec.Int(8)}),
		Entry("zero", defaulted{spec.Int(0), spec.Reading{Kind: spec.KindInt}, spec.Int(8)}),
		Entry("a flag", defaulted{spec.Bool(true), spec.Reading{Kind: spec.KindBool, Int: 1}, spec.Bool(false)}),
		Entry("a text", defaulted{spec.Text("x"), spec.Reading{Kind: spec.KindText, Text: "x"}, spec.Text("y")}),
		Entry("an empty list", defaulted{spec.List(), spec.Reading{Kind: spec.KindList}, spec.Int(8)}),
		Entry("nothing", defaulted{spec.Nothing(), spec.Reading{Kind: spec.KindNone}, spec.Int(8)}),
	}
}

// withDefault is a manager whose sessions have an attribute, value, of a default,
// and another one beside it.
func withDefault(s *op.Client, def spec.Recipe) spec.Manager {
	GinkgoHelper()
	return Must(s.NewManager(spec.ManagerSpec{Cap: new(4), Attrs: append(Attrs("beside"), spec.AttrDecl{Name: "value", Default: def})}))
}

func defaults(open Open) {
	DescribeTable("read as their default before they are written:", Promise("ATT-02"), func(ctx SpecContext, d defaulted) {
		s := open.Subject(ctx)
		m := withDefault(s, d.def)
		Expect(Must(m.Session("a")).Attr("value")).To(HaveBits(d.reads), "an attribute that was never written")

		other, a, b := Must(s.Make(d.other)), Must(m.Session("a")), Must(m.Session("b"))
		Do(a.SetAttr("value", other))
		Do(b.SetAttr("beside", other))
		Expect(b.Attr("value")).To(HaveBits(d.reads), "the attribute of a session that never wrote it, after another one did")
	}, defaultCases())

	DescribeTable("read the same after writing the default as after clearing:", Promise("ATT-02.clear"), func(ctx SpecContext, d defaulted) {
		s := open.Subject(ctx)
		m := withDefault(s, d.def)
		written, cleared := Must(m.Session("a")), Must(m.Session("b"))
		other := Must(s.Make(d.other))
		Do(written.SetAttr("value", other))
		Do(cleared.SetAttr("value", other))

		Do(written.SetAttr("value", Must(s.Make(d.def))))
		Do(cleared.SetAttr("value", nil))
		due := Bits(Must(cleared.Attr("value")))
		Expect(Outline(due)).NotTo(Equal(Outline(Bits(other))), "a cleared attribute does not read as what was cleared")
		Expect(written.Attr("value")).To(HaveBits(due), "an attribute to which its default was written, against a cleared one")
	}, defaultCases())

	It("do not share a default between sessions", Promise("ATT-02.shared"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := withDefault(s, spec.List())
		there, changing := Must(m.Session("there")), Must(m.Session("changing"))
		empty := spec.Reading{Kind: spec.KindList}

		mine := Must(changing.Attr("value"))
		if mine == nil {
			CannotTell("an attribute whose default is an empty list reads as nothing")
		}
		err := mine.Edit(spec.Append(Must(s.Make(spec.Int(1)))))
		if spec.KindOf(err) == spec.Immutable {
			Unclaimed("what an unwritten attribute reads as cannot be changed: %s", err.Error())
		}
		Do(err)
		if n := len(Bits(mine).Items); n != 1 {
			CannotTell("the default that one session read has %d items after one was appended", n)
		}

		Expect(there.Attr("value")).To(HaveBits(empty), "the attribute of a session that was there before")
		Expect(Must(m.Session("later")).Attr("value")).To(HaveBits(empty), "the attribute of a session that came later")
	})
}
