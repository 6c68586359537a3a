package attributes

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// ends are the three ways in which a session lets go of its attributes. A drop and
// a reset can be seen without a collection too, by what a holder reads afterwards.
func ends(open Open) {
	It("are reclaimed when the session is evicted and held by nobody", Promise("ATT-05"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Needs(s, spec.CanCollect)
		m := declared(s, "features", "cache", "part")
		session := Must(m.Session("a"))
		tags := fill(s, session)
		LetGo(session)
		kept := alive(s, tags)
		if len(kept) == 0 {
			CannotTell("none of %q is alive while the session holds what was assigned: it keeps copies, which cannot be tracked", tags)
		}

		for _, other := range []string{"b", "c", "d"} {
			LetGo(Must(m.Session(other)))
		}
		if Must(m.Contains("a")) {
			CannotTell("a should have been evicted by now and is retained")
		}
		Expect(alive(s, kept)).To(BeEmpty(), "storages of its attributes alive after the session was evicted")
	})

	It("are reclaimed when the session is dropped", Promise("ATT-05"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Needs(s, spec.CanDrop)
		m := declared(s, "features", "cache", "part")
		session := Must(m.Session("a"))
		tags := fill(s, session)
		kept := alive(s, tags)
		if len(kept) > 0 {
			LetGo(session)
			dropped(m, "a")
			Expect(alive(s, kept)).To(BeEmpty(), "storages of its attributes alive after the session was dropped")
			return
		}
		if s.Hello().Drop != "nothing" {
			Needs(s, spec.CanCollect)
			CannotTell("none of %q is alive while the session holds what was assigned, and a drop leaves a holder with %s", tags, s.Hello().Drop)
		}
		dropped(m, "a")
		readAsNothing(session, "after a drop, declared to leave a holder with nothing")
	})

	It("are reclaimed when the session is reset", Promise("ATT-05"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := declared(s, "features", "cache", "part")
		session := Must(m.Session("a"))
		tags := fill(s, session)
		if kept := alive(s, tags); len(kept) > 0 {
			Do(session.Reset())
			Expect(alive(s, kept)).To(BeEmpty(), "storages of its attributes alive after the session was reset")
			return
		}
		Do(session.Reset())
		readAsNothing(session, "after a reset")
		Expect(Must(m.Stats()).Total()).To(BeZero(), "bytes of a session that had attributes alone, after a reset")
	})
}

// dropped drops a session. Whether a drop drops is another family's to ask.
func dropped(m spec.Manager, id string) {
	GinkgoHelper()
	Must(m.Drop(id))
	if Must(m.Contains(id)) {
		CannotTell("%q was dropped and is retained", id)
	}
}

// fill writes attributes whose storages are tracked, and leaves no other holder
// of them: a tensor, tensors in a container, a view of a larger tensor.
func fill(s *op.Client, session spec.Session) (tags []string) {
	GinkgoHelper()
	tags = []string{"features", "cache 0", "cache 1", "base"}
	features := Must(s.Make(spec.Tensor("float32", 1, 2, 3).Tracked(tags[0])))
	parts := values(s, spec.Tensor("float32", 2, 2, 3).Tracked(tags[1]), spec.Tensor("float32", 3, 2, 3).Tracked(tags[2]))
	base := Must(s.Make(spec.Tensor("float32", 4, 8, 3).Tracked(tags[3])))
	cache, part := Must(s.Make(spec.List(parts...))), Must(s.Make(spec.Narrow(base, 0, 2, 1)))
	Do(session.SetAttr("features", features))
	Do(session.SetAttr("cache", cache))
	Do(session.SetAttr("part", part))
	LetGo(features, parts[0], parts[1], base, cache, part)
	return tags
}

// alive is which of the tags name a storage that lives; none where the subject
// cannot look. A session may also keep copies, which have no tag.
func alive(s *op.Client, tags []string) []string {
	GinkgoHelper()
	if !slices.Contains(s.Hello().Can, spec.CanCollect) {
		return nil
	}
	return slices.DeleteFunc(Must(s.Memory()).Alive, func(tag string) bool { return !slices.Contains(tags, tag) })
}

func readAsNothing(session spec.Session, when string) {
	GinkgoHelper()
	for _, name := range []string{"features", "cache", "part"} {
		Expect(session.Attr(name)).To(HaveBits(Bits(nil)), "%s, %s", name, when)
	}
}
