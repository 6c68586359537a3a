package objects

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// unallocated is what cannot be done with an object that is not allocated.
func unallocated(open Open) {
	It("refuses to be read when it is not allocated", Promise("OBJ-07"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			for _, o := range k.absent() {
				err := Error(o.View(spec.View{}))
				if k.without(err) {
					return
				}
				Expect(err).To(BeRefused(), "%s, %s: view", k, o.how)
			}
		})
	})

	It("refuses to be appended to when it is not allocated", Promise("OBJ-07.write"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			for _, o := range k.absent() {
				err := o.Commit(payload(k.s, 2))
				if k.without(err) {
					return
				}
				Expect(err).To(BeRefused(), "%s, %s: commit", k, o.how)
			}
		}, appends)
	})

	It("says that it is not allocated when it refuses to be read", Promise("OBJ-07.kind"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			for _, o := range k.absent() {
				err := Error(o.View(spec.View{}))
				if !Refused(err) {
					k.cannotTell("%s: a view was not refused", o.how)
					return
				}
				Expect(err).To(BeRefusedAs(spec.NotAllocated), "%s, %s: view", k, o.how)
			}
		})
	})

	It("says that it is not allocated when it refuses to be appended to", Promise("OBJ-07.kind"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			for _, o := range k.absent() {
				err := o.Commit(payload(k.s, 2))
				if !Refused(err) {
					k.cannotTell("%s: a commit was not refused", o.how)
					return
				}
				Expect(err).To(BeRefusedAs(spec.NotAllocated), "%s, %s: commit", k, o.how)
			}
		}, appends)
	})
}
