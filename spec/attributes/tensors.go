package attributes

import (
	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

func tensors(open Open) {
	DescribeTable("keep the bits of a tensor of", Promise("ATT-01"), func(ctx SpecContext, dtype string, raw []byte, shape []int) {
		s := open.Subject(ctx)
		carries(s, bits(s, dtype, raw, shape...))
	}, oddBits())

	DescribeTable("keep what a view shows:", Promise("ATT-01"), func(ctx SpecContext, shows strided, views []view) {
		s := open.Subject(ctx)
		v := Must(s.Make(spec.Tensor("float32", 1, 4, 6)))
		base, last := Bits(v), len(views)-1
		for _, look := range views[:last] {
			next := Must(s.Make(look(v)))
			LetGo(v)
			v = next
		}
		seen := exactly(s, views[last](v), shows.of(base))
		LetGo(v)
		carries(s, seen)
	}, views())

	It("keep a tensor of more bytes than a reading carries", Promise("ATT-01"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		carries(s, Must(s.Make(spec.Tensor("uint8", 1, 3, spec.ReadLimit))))
	})

	It("keep a tensor without elements", Promise("ATT-01"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		carries(s, Must(s.Make(spec.Tensor("float32", 1, 0, 3))))
	})

	It("keep a tensor without axes", Promise("ATT-01"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		carries(s, bits(s, "float32", []byte{0x01, 0x02, 0xC3, 0x7F}))
	})

	It("keep a host array", Promise("ATT-01"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		canHold(s, spec.KindArray)
		carries(s, Must(s.Make(spec.Tensor("float32", 1, 2, 3).AsHostArray())))
	})

	It("take the dtype and shape of the tensor that was assigned last", Promise("ATT-01"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		carries(s, values(s, spec.Tensor("float32", 1, 2, 3), spec.Tensor("float32", 2, 2, 3),
			spec.Tensor("int64", 3, 2, 3), spec.Tensor("uint8", 4, 5))...)
	})
}

// oddBits are tensors of bits that arithmetic, or a conversion and back, would
// change: NaN payloads, quiet and signalling; minus zero; subnormals; extremes.
func oddBits() []TableEntry {
	return []TableEntry{
		Entry("float32", "float32", []byte{
			0x01, 0x02, 0xC3, 0x7F, 0x01, 0x00, 0xA0, 0xFF, 0x00, 0x00, 0x00, 0x80,
			0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0xFF, 0xFF, 0xFF, 0x7F, 0x80}, []int{2, 3}),
		Entry("bfloat16", "bfloat16", []byte{
			0xC1, 0x7F, 0xA1, 0xFF, 0x00, 0x80, 0x01, 0x00, 0x80, 0xFF, 0x7F, 0x80}, []int{2, 3}),
		Entry("float16", "float16", []byte{
			0x01, 0x7E, 0x01, 0xFD, 0x00, 0x80, 0x01, 0x00, 0x00, 0xFC, 0xFF, 0x83}, []int{2, 3}),
		Entry("float64", "float64", []byte{
			0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0xF8, 0x7F, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0xF4, 0xFF,
			0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00}, []int{4}),
		Entry("complex64", "complex64", []byte{
			0x00, 0x00, 0x00, 0x80, 0x01, 0x02, 0xC3, 0x7F, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x7F}, []int{1, 2}),
		Entry("uint8", "uint8", []byte{0, 1, 127, 128, 254, 255}, []int{2, 3}),
		Entry("int64", "int64", []byte{
			0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x20, 0x00, // 2^53 + 1
			0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80,
			0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F}, []int{3}),
		Entry("bool", "bool", []byte{0, 1, 1, 0}, []int{2, 2}),
	}
}

// pair is two tensors as the elements of a container.
func pair(s *op.Client) []spec.Value {
	GinkgoHelper()
	return values(s, spec.Tensor("bfloat16", 1, 2, 2), spec.Tensor("uint8", 2, 3))
}
