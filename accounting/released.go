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
				a, payload := sessionWith(s, d, k, "one")
				LetGo(payload)
				evictsWhatItSays(s, d, a, "one")
			}
		}
	})

	DescribeTable("says released once what is held elsewhere too:", Promise("ACC-18"),
		func(ctx SpecContext, names []string, hold func(a spec.Session, payload spec.Value)) {
			s := open.Subject(ctx)
			asked := 0
			for _, d := range counted(s) {
				for _, k := range kinds(s) {
					if k.Keeps != "reference" {
						continue // what it holds is a copy, which nothing else can hold
					}
					asked++
					a, payload := sessionWith(s, d, k, names...)
					hold(a, payload)
					evictsWhatItSays(s, d, a, names...)
				}
			}
			if asked == 0 {
				Unclaimed("no kind of state object that keeps what it is given")
			}
		},
		Entry("in another object", []string{"one", "other"}, func(_ spec.Session, payload spec.Value) { LetGo(payload) }),
		Entry("in an attribute", []string{"one"}, func(a spec.Session, payload spec.Value) { give(a, "x", payload) }),
		Entry("by who committed it", []string{"one"}, func(spec.Session, spec.Value) {}),
	)
}

// sessionWith is a session whose objects, of one kind, were all given one large
// payload from a device.
func sessionWith(s *op.Client, device string, k spec.KindInfo, names ...string) (spec.Session, spec.Value) {
	GinkgoHelper()
	_, a := empty(s)
	payload := Must(s.Make(spec.Tensor("uint8", 1, 1, large).On(device)))
	for _, name := range names {
		o := Must(a.Ensure(name, Roomy(k)))
		Do(o.Commit(payload))
		LetGo(o)
	}
	return a, payload
}

// evictsWhatItSays asks that the allocator of a device gets back what the evicts
// of a session's objects say together.
func evictsWhatItSays(s *op.Client, device string, a spec.Session, names ...string) {
	GinkgoHelper()
	before := Must(s.Memory()).Allocated[device]
	said := int64(0)
	for _, name := range names {
		o := Must(a.Object(name))
		said += Must(o.Evict())
		LetGo(o)
	}
	got := before - Must(s.Memory()).Allocated[device]
	Expect(got).To(BeNumerically("~", said, litter), "bytes that the allocator of %s got back from objects that were given one payload of %d, of %d that evict says in all",
		device, large, said)
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
