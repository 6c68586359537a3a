package objects

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// uniformity is that whoever finds an object can ask everything of it. Staging is
// not asked: the document's lifecycle does not list it.
func uniformity(open Open) {
	DescribeTable("answers", Promise("OBJ-21"), func(ctx SpecContext, ask func(kind, spec.Object) error) {
		each(open.Subject(ctx), func(k kind) {
			allocated := k.object()
			_ = allocated.Allocate(k.widest()) // one entry's to ask, not a premise of the others
			Expect(answer(ask(k, k.object()))).To(Equal("an answer"), "%s, not allocated", k)
			Expect(answer(ask(k, allocated))).To(Equal("an answer"), "%s, allocated", k)
		})
	},
		Entry("allocate", func(k kind, o spec.Object) error { return o.Allocate(k.widest()) }),
		Entry("commit", func(k kind, o spec.Object) error { return o.Commit(payload(k.s, 1)) }),
		Entry("view", func(_ kind, o spec.Object) error { return Error(o.View(spec.View{})) }),
		Entry("evict", func(_ kind, o spec.Object) error { return Error(o.Evict()) }),
		Entry("reset", func(_ kind, o spec.Object) error { return o.Reset() }),
		Entry("byte figures", func(_ kind, o spec.Object) error { return Error(o.State()) }),
	)
}

// answer tells an answer, be it a refusal, from none.
func answer(err error) string {
	if err == nil || spec.IsRefusal(err) {
		return "an answer"
	}
	return err.Error()
}
