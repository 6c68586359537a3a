package objects

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// retention is how much of what was committed a latent buffer keeps.
func retention(open Open) {
	It("keeps everything when unbounded, bit for bit", Promise("OBJ-03"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			// More than twice the default cap of sessions, which is no limit here;
			// the last two are there already.
			const n = 130
			ps := append(payloads(k.s, n), oddFloats(k), payload(k.s, 7), payload(k.s, n))
			o := k.allocated(spec.Bound{})
			for _, p := range ps {
				Do(o.Commit(p))
			}
			// Order is OBJ-02's to ask.
			Expect(k.shows(o)).To(ConsistOf(lines(ps...)), "%s: the view after %d commits, unbounded", k, len(ps))
		}, buffers, bounded(spec.Unbounded))
	})

	DescribeTable("keeps the last N payloads when bounded at N", Promise("OBJ-04"), func(ctx SpecContext, n int) {
		each(open.Subject(ctx), func(k kind) {
			o := k.allocated(spec.Bound{Unit: spec.Payloads, N: n})
			var ps []spec.Value
			for seed := range uint64(3*n + 1) {
				// Three frames each: a bound in payloads does not count frames.
				ps = append(ps, Must(k.s.Make(spec.Tensor("uint8", seed+1, 3, 4))))
				Do(o.Commit(ps[seed]))
				Expect(k.shows(o)).To(Equal(lines(ps[max(0, len(ps)-n):]...)),
					"%s: the view after %d commits at a bound of %d", k, len(ps), n)
			}
		}, buffers, bounded(spec.Payloads))
	},
		Entry("of two", 2),
		Entry("of three", 3),
		Entry("of four, a chunk of frames", 4),
	)
}

// oddFloats is a float32 tensor of bits that arithmetic would change: a quiet
// NaN with a payload, a signalling one, minus zero, a subnormal, an infinity.
func oddFloats(k kind) spec.Value {
	GinkgoHelper()
	raw := []byte{
		0x01, 0x02, 0xC3, 0x7F,
		0x01, 0x00, 0xA0, 0xFF,
		0x00, 0x00, 0x00, 0x80,
		0x01, 0x00, 0x00, 0x00,
		0x00, 0x00, 0x80, 0xFF,
		0xFF, 0xFF, 0x7F, 0x80,
	}
	return Must(k.s.Make(spec.Bits("float32", raw, 1, 2, 3)))
}
