package objects

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// recomputation is whether an object says that it can be made again.
func recomputation(open Open) {
	It("is recomputable exactly while its source is resident", Promise("OBJ-17"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		each(s, func(k kind) {
			source := k.object()
			o, err := s.NewObject(spec.ObjectSpec{Kind: k.Kind, Bound: k.widest(), Source: source})
			if !k.has(err) {
				return // it takes no source
			}
			says := func(when string) {
				GinkgoHelper()
				Expect(Must(o.State()).Recomputable).To(Equal(Must(source.State()).Resident), "%s: recomputable, %s", k, when)
			}

			says("its source is not allocated")
			k.fill(source)
			says("its source is resident")
			k.fill(o)
			says("it and its source are resident")
			Must(o.Evict())
			says("it is evicted and its source is resident")
			Must(source.Evict())
			says("its source is evicted")
			k.fill(source)
			says("its source is resident again")
		})
	})

	It("is not recomputable when it names no source", Promise("OBJ-17"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			o := k.object()
			Expect(Must(o.State()).Recomputable).To(BeFalse(), "%s: recomputable, new and without a source", k)
			k.fill(o)
			Expect(Must(o.State()).Recomputable).To(BeFalse(), "%s: recomputable, resident and without a source", k)
		})
	})
}

// fill makes an object resident.
func (k kind) fill(o spec.Object) {
	GinkgoHelper()
	Do(o.Allocate(k.widest()))
	Do(o.Commit(payload(k.s, 1)))
	if !Must(o.State()).Resident {
		CannotTell("%s: not resident after allocate and a commit", k)
	}
}
