package accounting

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

func devices(open Open) {
	It("has a total for each device that holds bytes, and their sum", Promise("ACC-01"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		names := make([]string, len(s.Hello().Devices))
		for i := range names {
			names[i] = fmt.Sprintf("on device %d", i)
		}
		m := Must(s.NewManager(spec.ManagerSpec{Cap: new(1), Attrs: Attrs(names...)}))
		a := Must(m.Session("a"))
		due := map[string]int64{}
		for i, d := range s.Hello().Devices {
			n := big + small*i // another size on each, so that none passes for another
			due[d] = int64(n)
			give(a, names[i], Must(s.Make(spec.Tensor("uint8", 1, n).On(d))))
		}
		if len(due) == 0 {
			CannotTell("the subject names no device")
		}

		st := Must(m.Stats())
		if bytesOf(st) == 0 {
			CannotTell("stats = 0 bytes for attributes of %v: attributes are not counted at all", due)
		}
		for d, n := range due {
			Expect(st.Counts).To(HaveKeyWithValue("nbytes:"+d, n), "what %s holds", d)
		}
		Expect(st.Total()).To(Equal(sum(byDevice(st))), "total_nbytes is the sum of %v", byDevice(st))
	})

	It("has a total of zero while no session holds anything", Promise("ACC-01"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m, _ := empty(s)

		st := Must(m.Stats())
		Expect(st.Counts).To(HaveKeyWithValue("total_nbytes", int64(0)), "nothing was assigned")
		for d, n := range byDevice(st) {
			Expect(n).To(BeZero(), "nothing was assigned on %s", d)
		}
	})
}
