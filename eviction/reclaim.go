package eviction

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// reclaim is what becomes of the storages of an evicted session.
func reclaim(open Open) {
	It("gives back what nobody held when the session was evicted", Promise("EVI-15"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := manager(s, 2, "list")
		// What is dead already must not pass for all that comes behind it.
		LetGo(Must(s.Make(spec.Tensor("uint8", 1, 64).Tracked("let go before"))))
		session := Must(m.Session("session"))
		tags := furnish(s, session)
		LetGo(session)
		visit(m, "session") // a hit leaves no holder behind
		expectAlive(s, tags, "of a session that is retained")

		visit(m, "other", "another")
		gone(m, "session")
		expectReclaimed(s, tags, "of an evicted session that nobody holds")
	})

	It("gives back what a holder let go after the session was evicted", Promise("EVI-15"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := manager(s, 1, "list")
		held := Must(m.Session("held"))
		tags := furnish(s, held)

		visit(m, "other")
		gone(m, "held")
		expectAlive(s, tags, "of an evicted session that is held")
		LetGo(held)
		expectReclaimed(s, tags, "of an evicted session whose holder let go")
	})

	It("gives back what all of many sessions held, one after the other", Promise("EVI-15"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := manager(s, 1)
		var tags []string
		for _, id := range names(8) {
			session := Must(m.Session(id))
			tags = append(tags, id)
			setTracked(s, session, "mark", id)
			LetGo(session)
		}
		visit(m, "last")
		gone(m, names(8)...)
		expectReclaimed(s, tags, "of evicted sessions that nobody holds")
	})

	It("gives an evicted session's bytes back to the allocator of their device", Promise("EVI-15"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		told := false
		for _, device := range s.Hello().Devices {
			By(device)
			told = expectFreed(s, device) || told
		}
		if !told {
			Unclaimed("no device's allocator tells its live bytes")
		}
	})
}

// furnish puts tracked storages into a session in every way that it keeps
// something, and lets go of them. It returns their tags.
func furnish(s *op.Client, session spec.Session) (tags []string) {
	GinkgoHelper()
	setTracked(s, session, "mark", "attribute")
	tags = append(tags, "attribute")

	base := Must(s.Make(spec.Tensor("uint8", 1, 4, 64).Tracked("view's base")))
	view := Must(s.Make(spec.Narrow(base, 0, 1, 1)))
	list := Must(s.Make(spec.List(view)))
	Do(session.SetAttr("list", list))
	LetGo(list, view, base)
	tags = append(tags, "view's base")

	// A kind that copies lets the payload die at once, and the copy has no tag.
	for _, k := range stateKinds(s) {
		if k.Keeps != "reference" {
			continue
		}
		tag := "payload of " + string(k.Kind)
		v := Must(s.Make(spec.Tensor("uint8", 1, 1, 64).Tracked(tag)))
		o := Must(session.Ensure(string(k.Kind), Roomy(k)))
		Do(o.Commit(v))
		LetGo(o, v)
		tags = append(tags, tag)
	}
	return tags
}

func setTracked(s *op.Client, session spec.Session, name, tag string) {
	GinkgoHelper()
	v := Must(s.Make(spec.Tensor("uint8", 1, 64).Tracked(tag)))
	Do(session.SetAttr(name, v))
	LetGo(v)
}

// alive lists those of some tags whose storages live.
func alive(s *op.Client, tags []string) []string {
	GinkgoHelper()
	live := Must(s.Memory()).Alive
	return slices.DeleteFunc(slices.Clone(tags), func(tag string) bool { return !slices.Contains(live, tag) })
}

// expectAlive ends the spec unless what is held is alive: a storage that dies
// while it is held proves nothing when it is dead later.
func expectAlive(s *op.Client, tags []string, what string) {
	GinkgoHelper()
	if live := alive(s, tags); !slices.Equal(live, tags) {
		CannotTell("tracked storages %s: %q are alive, want %q", what, live, tags)
	}
}

func expectReclaimed(s *op.Client, tags []string, what string) {
	GinkgoHelper()
	Expect(alive(s, tags)).To(BeEmpty(), "tracked storages %s, alive after a collection", what)
}

// expectFreed evicts a session of two mebibytes on a device, and says whether
// the allocator of the device could be asked. Half of one of its two values is
// left for what an allocator keeps of its own.
func expectFreed(s *op.Client, device string) (told bool) {
	GinkgoHelper()
	const mebibyte = 1 << 20
	m := manager(s, 1)
	live := func() int64 { GinkgoHelper(); return Must(s.Memory()).Allocated[device] }
	visit(m, "first")
	before := live()
	big := func() spec.Value { return Must(s.Make(spec.Tensor("uint8", 1, 1, mebibyte).On(device))) }
	session, kind := Must(m.Session("session")), stateKinds(s)[0]
	attr, payload := big(), big()
	Do(session.SetAttr("mark", attr))
	o := Must(session.Ensure("state", Roomy(kind)))
	Do(o.Commit(payload))
	LetGo(attr, payload, o, session)
	if held := live() - before; held < mebibyte/2 {
		return false // this allocator does not count what sessions hold
	}

	visit(m, "last")
	gone(m, "session")
	Expect(live()).To(BeNumerically("<", before+mebibyte/2),
		"live bytes on %s after a session of 2 MiB was evicted that nobody held; %d before it was made", device, before)
	return true
}
