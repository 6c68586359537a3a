package attributes

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// attentionKV asks for what is not there: a name or a byte that the document's
// table does not explain.
func attentionKV(open Open) {
	It("has no object that the document's table does not name", Promise("ATT-07"), func(ctx SpecContext) {
		d := rollout(open.Subject(ctx))
		objects := Must(d.session.Contents()).Objects
		if len(objects) == 0 {
			CannotTell("the session lists no objects")
		}
		Expect(beyond(objects, inObjects)).To(BeEmpty(), "objects of a DreamZero session that the table does not name")
	})

	It("has no attribute with storage that the document's table does not name", Promise("ATT-07"), func(ctx SpecContext) {
		d := rollout(open.Subject(ctx))
		attrs := Must(d.session.Contents()).Attrs
		if len(attrs) == 0 {
			CannotTell("the session lists no attributes")
		}
		for _, name := range beyond(attrs, inAttrs) {
			// A counter or flag of the adapter's own is no attention KV.
			Expect(isScalar(Bits(Must(d.session.Attr(name))))).To(BeTrue(), "attribute %s, which the table does not name, is a scalar", name)
		}
	})

	It("has no byte that the document's table does not explain", Promise("ATT-07"), func(ctx SpecContext) {
		d := rollout(open.Subject(ctx))
		explained := int64(0)
		for _, name := range append(slices.Clone(inAttrs), inObjects...) {
			if v := Must(d.of("bytes", name)); v != nil {
				explained += Bits(v).Int
			}
		}
		if explained == 0 {
			CannotTell("the values of the table report no bytes")
		}
		Expect(Must(d.manager.Stats()).Total()).To(BeNumerically("<=", explained),
			"total_nbytes of a manager of one DreamZero session, against the sum over the values of the table")
	})
}

// beyond is which names are not among the documented ones.
func beyond(names, documented []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(documented, n) })
}

func isScalar(r spec.Reading) bool {
	switch r.Kind {
	case spec.KindNone, spec.KindBool, spec.KindInt, spec.KindFloat, spec.KindText:
		return true
	}
	return false
}
