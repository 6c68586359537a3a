package eviction

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// comeback is an evicted id that is asked for again.
func comeback(open Open) {
	for _, held := range []bool{false, true} {
		text := "makes a fresh, empty session of an evicted id"
		if held {
			text += " that somebody holds"
		}
		It(text, Promise("EVI-07"), func(ctx SpecContext) {
			s := open.Subject(ctx)
			kind := stateKinds(s)[0]
			m := manager(s, 1)
			old := Must(m.Session("a"))
			mark(s, old, 1)
			LetGo(filled(s, old, kind, 1))
			if !held {
				LetGo(old)
			}

			visit(m, "b")
			gone(m, "a")
			expectEmpty(Must(m.Session("a")))
		})
	}

	It("keeps a holder of the old session and the new one apart", Promise("EVI-07"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		kind := stateKinds(s)[0]
		m := manager(s, 1)
		old := Must(m.Session("a"))
		mark(s, old, 1)
		theirs := filled(s, old, kind, 1)
		visit(m, "b")
		gone(m, "a")

		// What eviction did to the holder is not asked here, only whether the
		// new session does anything to it, and the reverse.
		attr, view := markOf(old), glimpse(theirs)
		fresh := Must(m.Session("a"))
		Expect(markOf(old)).To(Equal(attr), "the holder's attribute, after the new session was made")
		Expect(glimpse(theirs)).To(Equal(view), "the holder's %s, after the new session was made", kind.Kind)
		mark(s, fresh, 2)
		ours := filled(s, fresh, kind, 2)
		Expect(markOf(old)).To(Equal(attr), "the holder's attribute, after the new session's was written")
		Expect(glimpse(theirs)).To(Equal(view), "the holder's %s, after a commit to the new session's", kind.Kind)

		view = content(ours)
		Refused(tryMark(s, old, 3))
		Refused(theirs.Commit(Must(s.Make(spec.Tensor("uint8", 3, 1, 16)))))
		Expect(markOf(fresh)).To(Equal(2), "the new session's attribute, after its old holder wrote")
		Expect(content(ours)).To(Equal(view), "the new session's %s, after its old holder committed", kind.Kind)
	})

	It("hands the new session to whoever asks from then on", Promise("EVI-07"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := manager(s, 2)
		old := Must(m.Session("a"))
		mark(s, old, 1)
		visit(m, "b", "c")
		gone(m, "a")

		mark(s, Must(m.Session("a")), 2)
		Expect(markOf(Must(m.Session("a")))).To(Equal(2), "the mark of the session of an id that came back, the old one still held")
	})
}

// expectEmpty finds nothing in a session: none of what [filled] and [mark] left
// in the one before it.
func expectEmpty(fresh spec.Session) {
	GinkgoHelper()
	Expect(fresh.Attr("mark")).To(HaveBits(spec.Reading{Kind: spec.KindNone}), "an attribute of the session before")
	_, err := fresh.Object("state")
	Expect(err).To(BeRefused(), "an object of the session before, by its name")
	in := Must(fresh.Contents())
	Expect(in.Objects).To(BeEmpty(), "objects of a fresh session")
	Expect(in.Attrs).To(BeEmpty(), "attributes that hold a value, of a fresh session")
}

// glimpse is content where it may be refused.
func glimpse(o spec.Object) string {
	GinkgoHelper()
	v, err := o.View(spec.View{})
	if Refused(err) {
		return "refused"
	}
	return Outline(Bits(v))
}
