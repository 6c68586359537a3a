package eviction

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// statsUnderLoad is stats while sessions change under it.
func statsUnderLoad(open Open) {
	It("answers stats while attributes are added, replaced and cleared", Promise("EVI-14"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		attrs := names(24)
		small := []spec.Value{Must(s.Make(spec.Tensor("uint8", 1, 8))), Must(s.Make(spec.Tensor("uint8", 2, 16)))}
		expectStats(s, attrs, func(session spec.Session) (calls []op.Call) {
			for i := range 4 * len(attrs) {
				name := attrs[i*7%len(attrs)]
				calls = append(calls, op.WriteAttr(session, name, small[i%2]))
				if i%3 == 0 {
					calls = append(calls, op.WriteAttr(session, attrs[i%len(attrs)], nil))
				}
			}
			return calls
		})
	})

	It("answers stats while objects are added, replaced and committed to", Promise("EVI-14"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		kind := stateKinds(s)[0]
		payload := Must(s.Make(spec.Tensor("uint8", 1, 1, 16)))
		expectStats(s, nil, func(session spec.Session) (calls []op.Call) {
			objects := make([]spec.Object, 8)
			for i := range objects {
				o := Roomy(kind)
				objects[i] = Must(s.NewObject(o))
				Do(objects[i].Allocate(o.Bound))
			}
			for i := range 96 {
				o := objects[i%len(objects)]
				calls = append(calls, op.PutObject(session, fmt.Sprintf("o%d", i*5%24), o), op.CommitTo(o, payload))
			}
			return calls
		})
	})

	It("answers stats while sessions are reset", Promise("EVI-14"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		attrs := names(8)
		small := Must(s.Make(spec.Tensor("uint8", 1, 8)))
		expectStats(s, attrs, func(session spec.Session) (calls []op.Call) {
			object := Must(s.NewObject(Roomy(stateKinds(s)[0])))
			for i := range 96 {
				calls = append(calls, op.WriteAttr(session, attrs[i%len(attrs)], small), op.PutObject(session, attrs[i%len(attrs)], object))
				if i%6 == 5 {
					calls = append(calls, op.ResetSession(session))
				}
			}
			return calls
		})
	})
}

// expectStats asks for stats while two threads write, one into each of two
// sessions, and a third into the first: what a writer is refused is not asked.
func expectStats(s *op.Client, attrs []string, writes func(spec.Session) []op.Call) {
	GinkgoHelper()
	races(5, func(int) (int, int) {
		m := manager(s, 2, attrs...)
		a, b := Must(m.Session("a")), Must(m.Session("b"))
		race := Must(s.Race(looking(m, 60), writes(a), writes(b), writes(a)))
		for i, e := range race[0] {
			Expect(e.Err).NotTo(HaveOccurred(), "stats, call %d of a thread beside three that write", i)
		}
		return during(race[0], race[1:]...), len(race[0])
	})
}
