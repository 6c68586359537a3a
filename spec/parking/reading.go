package parking

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

func reading(open Open) {
	It("brings a parked attribute back when it is read, or refuses, as declared", Promise("PRK-02"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, d := range devices(s) {
			m, a := session(s)
			give(a, "x", on(s, d, 1, big))
			want := attr(a, "x")
			asDeclared(s, m, a, d, want, func() error { return let(a.Attr("x")) }, func() spec.Reading { return attr(a, "x") })
		}
	})

	It("brings a parked object back when it is viewed, or refuses, as declared", Promise("PRK-02"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, d := range devices(s) {
			for _, k := range kinds(s) {
				m, a := session(s)
				filled(s, a, "x", k, d, 1, nil)
				want := shown(a, "x")
				o := Must(a.Object("x"))
				asDeclared(s, m, a, d, want, func() error { return let(o.View(spec.View{})) }, func() spec.Reading { return shown(a, "x") })
			}
		}
	})

	It("reads what was written since an attribute was parked", Promise("PRK-02"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, d := range devices(s) {
			_, a := session(s)
			give(a, "x", on(s, d, 1, big))
			Must(a.Park("x"))
			later := on(s, d, 2, small)
			want := Bits(later)
			give(a, "x", later)
			Expect(Outline(attr(a, "x"))).To(Equal(Outline(want)), "an attribute that was written again while it was parked")

			Must(a.Park("x"))
			Do(a.SetAttr("x", nil))
			Expect(attr(a, "x").Kind).To(Equal(spec.KindNone), "an attribute that was cleared while it was parked")
		}
	})

	It("reads what was changed in place between two times that a value was parked", Promise("PRK-02"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, d := range devices(s) {
			_, a := session(s)
			give(a, "x", on(s, d, 1, big))
			Must(a.Park("x"))
			Must(a.Unpark("x"))
			v := Must(a.Attr("x"))
			Do(v.Edit(spec.Edit{Do: "refill", Seed: 7}))
			want := Bits(v)
			LetGo(v)
			Must(a.Park("x"))
			Must(a.Unpark("x"))
			Expect(Outline(attr(a, "x"))).To(Equal(Outline(want)), "an attribute that was changed in place after it had been parked once, and parked again")
		}
	})

	It("shows what was committed since an object was parked", Promise("PRK-02"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, d := range devices(s) {
			for _, k := range kinds(s) {
				_, a := session(s)
				for _, seed := range []uint64{1, 2} {
					filled(s, a, "x", k, d, seed, nil)
				}
				want := shown(a, "x")

				_, b := session(s)
				filled(s, b, "x", k, d, 1, nil)
				Must(b.Park("x"))
				o, payload := Must(b.Object("x")), on(s, d, 2, small)
				if Refused(o.Commit(payload)) && s.Hello().Parked == "refused" {
					Must(b.Unpark("x"))
					Do(o.Commit(payload))
				}
				LetGo(o, payload)
				Expect(Outline(bits(shown(b, "x")))).To(Equal(Outline(bits(want))), "a %s to which a payload was committed while it was parked", k.Kind)
			}
		}
	})
}

// let lets go of a value, and hands on the error.
func let(v spec.Value, err error) error {
	if err == nil && v != nil {
		LetGo(v)
	}
	return err
}

// asDeclared parks x and reads it: with it back on the device, or refused.
func asDeclared(s *op.Client, m spec.Manager, a spec.Session, device string, want spec.Reading, read func() error, reads func() spec.Reading) {
	GinkgoHelper()
	before := placesOf(m, device)
	Must(a.Park("x"))
	if placesOf(m, device).device >= before.device {
		CannotTell("parking leaves %d bytes on %s of %d: nothing is parked", placesOf(m, device).device, device, before.device) // PRK-01 asks that
	}
	switch s.Hello().Parked {
	case "refused":
		Expect(read()).To(BeRefused(), "a read of what is parked, which the subject declares that it refuses")
		Must(a.Unpark("x"))
	case "unparks":
		Expect(Outline(reads())).To(Equal(Outline(want)), "what was parked on the host, from %s, and is read", device)
		Expect(placesOf(m, device)).To(Equal(before), "bytes on %s, on the host and in all, once a read has brought them back", device)
	default:
		CannotTell("hello.parked says neither that a read unparks nor that it is refused")
	}
	Expect(Outline(reads())).To(Equal(Outline(want)), "what was parked, from %s, and brought back", device)
}
