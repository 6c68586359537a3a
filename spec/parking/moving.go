package parking

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// held is what can be parked under the name x: how it comes into a session, the
// bytes that move with it, and what it reads as.
type held struct {
	what  string
	bytes int64
	put   func(s *op.Client, a spec.Session, device string)
}

// values are what an attribute may hold: a tensor, one with every bit pattern that
// arithmetic would lose, a list, a view that keeps all of its storage.
var values = []held{
	{"a tensor", big, func(s *op.Client, a spec.Session, d string) { give(a, "x", on(s, d, 1, big)) }},
	{"a tensor of NaNs, zeros of both signs and subnormals", 16, func(s *op.Client, a spec.Session, d string) {
		raw := []byte{1, 0, 0xa0, 0x7f, 0, 0, 0, 0x80, 1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}
		give(a, "x", Must(s.Make(spec.Bits("float32", raw, 4).On(d))))
	}},
	{"a list of tensors", small + big, func(s *op.Client, a spec.Session, d string) {
		first, second := on(s, d, 1, small), on(s, d, 2, big)
		give(a, "x", Must(s.Make(spec.List(first, second))))
		LetGo(first, second)
	}},
	{"a view of part of a tensor", big, func(s *op.Client, a spec.Session, d string) {
		whole := on(s, d, 1, big)
		give(a, "x", Must(s.Make(spec.Narrow(whole, 1, 7, small))))
		LetGo(whole)
	}},
}

func moving(open Open) {
	for _, v := range values {
		It("moves the bytes of an attribute to the host and back: "+v.what, Promise("PRK-01"), func(ctx SpecContext) {
			s := open.Subject(ctx)
			for _, d := range devices(s) {
				m, a := session(s)
				give(a, "y", on(s, d, 3, small)) // stays
				v.put(s, a, d)
				want := attr(a, "x")
				thereAndBack(m, a, d, v.bytes, v.what, want, attr)
			}
		})
	}

	It("moves the bytes of an object to the host and back", Promise("PRK-01"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, d := range devices(s) {
			for _, k := range kinds(s) {
				m, a := session(s)
				give(a, "y", on(s, d, 3, small))
				beside := placesOf(m, d).device
				filled(s, a, "x", k, d, 1, nil)
				want := shown(a, "x")
				// An object that owns its memory may have room for more.
				thereAndBack(m, a, d, placesOf(m, d).device-beside, "a "+string(k.Kind), want, shown)
			}
		}
	})

	It("gives the device's allocator back what is parked", Promise("PRK-01"), func(ctx SpecContext) {
		const large = 6 << 20 // whole pages and whole blocks of every allocator
		s := open.Subject(ctx)
		Needs(s, spec.CanCollect)
		for _, d := range devices(s) {
			if _, counted := Must(s.Memory()).Allocated[d]; !counted {
				Unclaimed("no allocator of %s that counts its live bytes", d)
			}
			_, a := session(s)
			give(a, "x", on(s, d, 1, large))
			before := Must(s.Memory()).Allocated[d]
			Must(a.Park("x"))
			parked := Must(s.Memory()).Allocated[d]
			Must(a.Unpark("x"))
			Expect([]int64{before - parked, Must(s.Memory()).Allocated[d] - parked}).To(Equal([]int64{large, large}),
				"bytes that the allocator of %s got back when %d were parked, and gave out again when they were brought back", d, large)
		}
	})

	It("refuses to park what is not there", Promise("PRK-01"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		devices(s)
		_, a := session(s)
		Expect(Error(a.Park("nothing"))).To(BeRefused(), "park a name that no object or attribute has")
	})
}

// thereAndBack parks and unparks x, n bytes on a device, and asks where they are and
// what it reads as.
func thereAndBack(m spec.Manager, a spec.Session, device string, n int64, what string, want spec.Reading, read func(spec.Session, string) spec.Reading) {
	GinkgoHelper()
	before := placesOf(m, device)
	for range 2 { // what came back can go again
		Expect(Must(a.Park("x"))).To(Equal(n), "bytes that park says it moved, of %s on %s", what, device)
		expectMoved(m, device, before, n, what)
		Expect(Must(a.Park("x"))).To(BeZero(), "bytes that park says it moved, of %s that is parked already", what)
		Expect(Must(a.Unpark("x"))).To(Equal(n), "bytes that unpark says it moved, of %s on %s", what, device)
		Expect(placesOf(m, device)).To(Equal(before), "bytes on %s, on the host and in all, with %s brought back", device, what)
		Expect(Outline(read(a, "x"))).To(Equal(Outline(want)), "%s on %s, parked and brought back", what, device)
	}
}
