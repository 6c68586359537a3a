package objects

import (
	"fmt"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// room is a manager with place for two sessions.
func room(s *op.Client) spec.Manager {
	GinkgoHelper()
	return Must(s.NewManager(spec.ManagerSpec{Cap: new(2), Attrs: Attrs("mark", "notes")}))
}

// names is that an object is found by its name.
func names(open Open) {
	DescribeTable("are found by name, by every holder", Promise("OBJ-18"),
		func(ctx SpecContext, hold func(k kind, s spec.Session, name string) spec.Object) {
			s := open.Subject(ctx)
			each(s, func(k kind) {
				m := room(s)
				one, other := Must(m.Session("a")), Must(m.Session("a"))
				p, q := payload(s, 1), payload(s, 2)
				mine, bystander := hold(k, one, "frames"), hold(k, one, "latents")
				found, err := other.Object("frames")
				Expect(err).NotTo(HaveOccurred(), "%s: object(frames) of another holder", k)

				Do(mine.Commit(p))
				Expect(k.remains(found)).To(Equal(lines(p)), "%s: what is found under its name, after a commit", k)
				Do(found.Commit(q))
				k.holds(mine, "the object, after a commit to what was found", p, q)
				Expect(k.remains(bystander)).To(BeEmpty(), "%s: the object of another name", k)
			})
		},
		Entry("when made by the session", func(k kind, s spec.Session, name string) spec.Object {
			GinkgoHelper()
			return Must(s.Ensure(name, k.spec()))
		}),
		Entry("when put there", func(k kind, s spec.Session, name string) spec.Object {
			GinkgoHelper()
			o := k.allocated(k.widest())
			Do(s.Put(name, o))
			return o
		}),
	)

	It("are the session's own", Promise("OBJ-18"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		each(s, func(k kind) {
			m := room(s)
			a, b := Must(m.Session("a")), Must(m.Session("b"))
			p, q := payload(s, 1), payload(s, 2)
			Do(Must(a.Ensure("frames", k.spec())).Commit(p))
			Do(Must(b.Ensure("frames", k.spec())).Commit(q))
			Expect(k.remains(Must(a.Object("frames")))).To(Equal(lines(p)), "%s: one session's object, after a commit to each", k)
			Expect(k.remains(Must(b.Object("frames")))).To(Equal(lines(q)), "%s: the other session's object of that name", k)
		})
	})

	It("are replaced by what is put under their name", Promise("OBJ-18.replace"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		each(s, func(k kind) {
			session := Must(room(s).Session("a"))
			old, p, q := k.holding(payload(s, 1)), payload(s, 2), payload(s, 3)
			Do(session.Put("frames", old))
			replacement := k.holding(p)
			works(session.Put("frames", replacement), "%s: put under a name that is taken", k)

			found := Must(session.Object("frames"))
			Expect(k.remains(found)).To(Equal(lines(p)), "%s: what is found under the name", k)
			Do(replacement.Commit(q))
			k.holds(found, "what was found, after a commit to what was put", p, q)
		})
	})
}

// holds asks that an object to which payloads came through several handles shows
// what one does to which they came through one. What that is, is OBJ-02's to ask.
func (k kind) holds(o spec.Object, what string, ps ...spec.Value) {
	GinkgoHelper()
	Expect(k.remains(o)).To(ConsistOf(k.remains(k.holding(ps...))), "%s: %s, against an object that one holder wrote to", k, what)
}

// getOrCreate is what a forward begins with.
func getOrCreate(open Open) {
	It("are built by get-or-create when absent", Promise("OBJ-18.ensure"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		each(s, func(k kind) {
			o, err := Must(room(s).Session("a")).Ensure("frames", k.spec())
			Expect(err).NotTo(HaveOccurred(), "%s: get-or-create of an absent name", k)
			works(o.Commit(payload(s, 1)), "%s: commit to what was built", k)
		})
	})

	It("are returned by get-or-create when resident", Promise("OBJ-18.ensure"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		each(s, func(k kind) {
			session := Must(room(s).Session("a"))
			p, q := payload(s, 1), payload(s, 2)
			o := Must(session.Ensure("frames", k.spec()))
			Do(o.Commit(p))
			again := Must(session.Ensure("frames", k.spec()))
			Expect(k.remains(again)).To(Equal(lines(p)), "%s: what get-or-create returned", k)
			Do(again.Commit(q))
			k.holds(o, "the object, after a commit to what get-or-create returned", p, q)
		})
	})

	It("are built anew by get-or-create when not resident", Promise("OBJ-18.ensure"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		each(s, func(k kind) {
			session := Must(room(s).Session("a"))
			o := Must(session.Ensure("frames", k.spec()))
			Do(o.Commit(payload(s, 1)))
			Must(o.Evict())
			again, err := session.Ensure("frames", k.spec())
			Expect(err).NotTo(HaveOccurred(), "%s: get-or-create of an evicted object", k)
			p := payload(s, 2)
			works(again.Commit(p), "%s: commit to what was built", k)
			Expect(k.remains(again)).To(Equal(lines(p)), "%s: what was built, after its first commit", k)
		})
	})

	It("are built anew by get-or-create when of another kind", Promise("OBJ-18.ensure"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		each(s, func(k kind) {
			others := slices.DeleteFunc(slices.Clone(s.Hello().Kinds), func(i spec.KindInfo) bool { return i.Kind == k.Kind || i.Kind == spec.Spy })
			if len(others) == 0 {
				k.lacks("there is no other kind of object")
			}
			for _, other := range others {
				session := Must(room(s).Session("a"))
				Do(Must(session.Ensure("frames", Roomy(other))).Commit(payload(s, 1)))
				o := Must(session.Ensure("frames", k.spec()))
				ps := payloads(s, 3)[1:]
				Do(o.Commit(ps[0]))
				Do(o.Commit(ps[1]))
				k.holds(o, fmt.Sprintf("what was built over a %s, after two commits", other.Kind), ps...)
			}
		})
	})
}

// sessionReset is what resetting the session does to both of its buckets.
func sessionReset(open Open) {
	It("are no longer resident after a reset of the session", Promise("OBJ-19"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		session := Must(room(s).Session("a"))
		var held []spec.Object
		each(s, func(k kind) {
			for i := range 2 {
				o := Must(session.Ensure(fmt.Sprint(k, " ", i), k.spec()))
				Do(o.Commit(payload(s, 1)))
				if !Must(o.State()).Resident {
					CannotTell("%s: not resident after a commit, before the reset", k)
				}
				held = append(held, o)
			}
		})
		works(session.Reset(), "reset of the session")
		for i, o := range held {
			Expect(Must(o.State()).Resident).To(BeFalse(), "object %d of %d: resident after a reset of its session", i+1, len(held))
		}
	})

	It("go with the attributes at a reset of the session", Promise("OBJ-19"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		session := Must(room(s).Session("a"))
		Do(session.SetAttr("mark", Must(s.Make(spec.Int(7)))))
		Do(session.SetAttr("notes", payload(s, 1)))
		works(session.Reset(), "reset of the session")
		for _, name := range []string{"mark", "notes"} {
			Expect(session.Attr(name)).To(HaveBits(Bits(nil)), "%s, after a reset of the session", name)
		}
	})
}
