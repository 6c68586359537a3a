package attributes

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// holders are several of one session, as the forwards of a request are.
func holders(open Open) {
	It("are seen by every holder of the session", Promise("ATT-03"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := declared(s, "count", "features")
		first, second := Must(m.Session("a")), Must(m.Session("a"))
		count, features := Must(s.Make(spec.Int(3))), Must(s.Make(spec.Tensor("float32", 1, 2, 3)))

		Do(first.SetAttr("count", count))
		Do(first.SetAttr("features", features))
		Expect(second.Attr("count")).To(HaveBits(Bits(count)), "what the first holder wrote, to the second")
		Expect(second.Attr("features")).To(HaveBits(Bits(features)), "what the first holder wrote, to the second")

		more := Must(s.Make(spec.Int(4)))
		Do(second.SetAttr("count", more))
		Do(second.SetAttr("features", nil))
		Expect(first.Attr("count")).To(HaveBits(Bits(more)), "what the second holder wrote, to the first")
		Expect(first.Attr("features")).To(HaveBits(Bits(nil)), "what the second holder cleared, to the first")
	})

	It("outlive the holder that wrote them", Promise("ATT-03"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := declared(s, "count")
		first := Must(m.Session("a"))
		count := Must(s.Make(spec.Int(3)))
		Do(first.SetAttr("count", count))
		LetGo(first)
		Expect(Must(m.Session("a")).Attr("count")).To(HaveBits(Bits(count)), "what a holder wrote that has let go, to the next one")
	})
}
