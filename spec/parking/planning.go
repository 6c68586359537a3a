package parking

import (
	"fmt"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// everything is more bytes than any session here holds.
const everything = 1 << 40

func planning(open Open) {
	It("frees what can be rebuilt or is parked, says so, and leaves attributes", Promise("PRK-03"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, d := range s.Hello().Devices {
			for _, k := range kinds(s) {
				m, a := session(s)
				give(a, "x", on(s, d, 9, big))
				furnish(s, a, k, d)
				x, alone := attr(a, "x"), shown(a, "alone")
				before := Must(m.Stats())

				freed := Must(m.Free(d, everything))
				expectToldOf(m, freed, d, before)
				Expect(Outline(attr(a, "x"))).To(Equal(Outline(x)), "an attribute on %s, after a planner was asked to free all there is", d)
				Expect(Outline(bits(shown(a, "alone")))).To(Equal(Outline(bits(alone))), "a %s that nothing can rebuild, after a planner was asked to free all there is", k.Kind)
				if slices.Contains(s.Hello().Can, spec.CanRecompute) && len(freed) == 0 {
					CannotTell("the planner frees nothing, with an object on %s that can be rebuilt", d)
				}
			}
		}
	})

	It("leaves an object whose source is gone", Promise("PRK-03"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Needs(s, spec.CanRecompute)
		for _, d := range s.Hello().Devices {
			for _, k := range kinds(s) {
				m, a := session(s)
				furnish(s, a, k, d)
				want := shown(a, "derived")
				source := Must(a.Object("source"))
				Must(source.Evict())
				LetGo(source)
				Must(m.Free(d, everything))
				Expect(Outline(bits(shown(a, "derived")))).To(Equal(Outline(bits(want))), "a %s whose source was evicted, after a planner was asked to free all there is", k.Kind)
			}
		}
	})

	It("frees nothing where nothing is wanted", Promise("PRK-03"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, d := range s.Hello().Devices {
			for _, k := range kinds(s) {
				m, a := session(s)
				furnish(s, a, k, d)
				before := Must(m.Stats())
				Expect(Must(m.Free(d, 0))).To(BeEmpty(), "what a planner says that it freed, asked for 0 bytes of %s", d)
				Expect(Must(m.Stats()).Counts).To(Equal(before.Counts), "the figures after a planner was asked for 0 bytes of %s", d)
			}
		}
	})

	It("says of each session what it freed", Promise("PRK-03"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, d := range s.Hello().Devices {
			for _, k := range kinds(s) {
				m := Must(s.NewManager(spec.ManagerSpec{Cap: new(8), Attrs: Attrs("x")}))
				for _, id := range []string{"a", "b", "c"} {
					each := Must(m.Session(id))
					furnish(s, each, k, d)
					LetGo(each)
				}
				before := Must(m.Stats())
				expectToldOf(m, Must(m.Free(d, everything)), d, before)
				for _, id := range []string{"a", "b", "c"} {
					Expect(m.Contains(id)).To(BeTrue(), "session %s is retained, after a planner was asked to free all there is", id)
				}
			}
		}
	})
}

// furnish puts objects into a session: a source, one that can be rebuilt from it
// where the subject knows of such, and one that nothing can rebuild.
func furnish(s *op.Client, a spec.Session, k spec.KindInfo, device string) {
	GinkgoHelper()
	filled(s, a, "alone", k, device, 1, nil)
	filled(s, a, "source", k, device, 2, nil)
	var source spec.Object
	if slices.Contains(s.Hello().Can, spec.CanRecompute) {
		source = Must(a.Object("source"))
		defer LetGo(source)
	}
	filled(s, a, "derived", k, device, 3, source)
}

// expectToldOf asks that what a planner says it freed is what the device has back,
// and that each object is as it says.
func expectToldOf(m spec.Manager, freed []spec.Freed, device string, before spec.Stats) {
	GinkgoHelper()
	said := int64(0)
	for _, f := range freed {
		said += f.Bytes
		s := Must(m.Session(f.Session))
		o := Must(s.Object(f.Object))
		st := Must(o.State())
		Expect([]any{st.Resident, st.Bytes[device]}).To(Equal([]any{f.Parked, int64(0)}),
			"whether %s of session %s is resident, and its bytes on %s, of which the planner says: %s", f.Object, f.Session, device, told(f))
		LetGo(o, s)
	}
	Expect(said).To(Equal(before.Bytes(device)-Must(m.Stats()).Bytes(device)),
		"bytes that a planner says it freed on %s, and those that stats has less there", device)
}

func told(f spec.Freed) string {
	if f.Parked {
		return fmt.Sprintf("parked, %d bytes", f.Bytes)
	}
	return fmt.Sprintf("evicted, %d bytes", f.Bytes)
}
