package accounting

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

const (
	// large is whole pages and whole blocks of every allocator, so that what it
	// rounds up to is the size itself.
	large = 6 << 20

	// litter is what else may come and go between two readings of a counter:
	// less than any storage here.
	litter = 96 << 10
)

func released(open Open) {
	It("says released what the allocator got back", Promise("ACC-18"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, d := range counted(s) {
			for _, k := range kinds(s) {
				_, a := empty(s)
				o := Must(a.Ensure("kept", spec.ObjectSpec{Kind: k.Kind}))
				payload := Must(s.Make(spec.Tensor("uint8", 1, large).On(d)))
				Do(o.Commit(payload))
				LetGo(payload)

				before := Must(s.Memory()).Allocated[d]
				said := Must(o.Evict())
				got := before - Must(s.Memory()).Allocated[d]
				Expect(got).To(BeNumerically("~", said, litter), "bytes that the allocator of %s got back from a %s of %d, evict = %d",
					d, k.Kind, large, said)
			}
		}
	})

	It("says released once what two objects held together", Promise("ACC-18"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		asked := 0
		for _, d := range counted(s) {
			for _, k := range kinds(s) {
				if k.Keeps != "reference" {
					continue // no two of them can hold one storage
				}
				asked++
				_, a := empty(s)
				one := Must(a.Ensure("one", spec.ObjectSpec{Kind: k.Kind}))
				other := Must(a.Ensure("other", spec.ObjectSpec{Kind: k.Kind}))
				payload := Must(s.Make(spec.Tensor("uint8", 1, large).On(d)))
				Do(one.Commit(payload))
				Do(other.Commit(payload))
				LetGo(payload)

				before := Must(s.Memory()).Allocated[d]
				said := Must(one.Evict()) + Must(other.Evict())
				got := before - Must(s.Memory()).Allocated[d]
				Expect(got).To(BeNumerically("~", said, litter), "bytes that the allocator of %s got back from two objects on one storage of %d, evict + evict = %d",
					d, large, said)
			}
		}
		if asked == 0 {
			Unclaimed("no kind of state object that keeps what it is given")
		}
	})
}

// counted are the devices whose allocator has a counter; the spec ends as
// unclaimed when none has.
func counted(s *op.Client) (ds []string) {
	GinkgoHelper()
	allocated := Must(s.Memory()).Allocated
	for _, d := range s.Hello().Devices {
		if _, has := allocated[d]; has {
			ds = append(ds, d)
		}
	}
	if len(ds) == 0 {
		Unclaimed("no allocator that counts its live bytes, on any of %v", s.Hello().Devices)
	}
	return ds
}
