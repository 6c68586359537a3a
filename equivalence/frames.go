package equivalence

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// perChunk is the frames of a body chunk, the most that are shown at once.
const perChunk = 4

// single stands for a frame without a time axis among lengths of clips.
const single = -1

// clip is a clip of frames, or a single one.
func clip(seed uint64, length int) content {
	if length == single {
		return tensor("uint8", seed, 6, 8, 3)
	}
	return tensor("uint8", seed, length, 6, 8, 3)
}

// frames is what both paths show of the frames that came.
func frames(open Open) {
	DescribeTable("accumulates frames alike:", Promise("EQV-01"),
		func(ctx SpecContext, lengths ...int) {
			f := &footage{pair: opened(open.Subject(ctx), options{})}
			for i, n := range lengths {
				f.accumulate(clip(uint64(i+1), n))
			}
			f.decided()
		},
		Entry("single frames, beyond two chunks", single, single, single, single, single, single, single, single, single),
		Entry("clips of a chunk", 4, 4, 4),
		Entry("clips shorter than a chunk", 1, 2, 3, 2, 1, 3),
		Entry("clips longer than a chunk", 5, 9, 17, 6),
		Entry("a long clip first, then single frames", 9, single, single),
		Entry("a single frame first, as a session begins", single, 4, 4, 4),
		Entry("a clip of several first", 3, single),
		Entry("single frames and clips by turns", single, 2, single, 5, 1, 4, single, single, 7, 3),
		Entry("a clip of no frames between others", 2, 0, 3, 0, single),
	)

	It("accumulates frames alike: cut out of longer clips, and with their axes exchanged", Promise("EQV-01"), func(ctx SpecContext) {
		f := &footage{pair: opened(open.Subject(ctx), options{})}
		for i, c := range []content{
			tensor("uint8", 1, 25, 6, 8, 3).cutOut(0, 12, 1), tensor("uint8", 2, 25, 6, 8, 3).cutOut(0, 3, 6),
			tensor("uint8", 3, 4, 8, 6, 3).turned(1, 2), tensor("uint8", 4, 8, 6, 3).turned(0, 1),
			tensor("uint8", 5, 4, 6, 20, 3).cutOut(2, 5, 8),
		} {
			f.accumulate(c)
			f.accumulate(clip(uint64(10+i), single))
		}
		f.decided()
	})

	It("accumulates frames of other dtypes alike", Promise("EQV-01"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, dtype := range []string{"float32", "bfloat16"} {
			f := &footage{pair: opened(s, options{})}
			for i, n := range []int{1, 4, 2, 6} {
				f.accumulate(tensor(dtype, uint64(i+1), n, 6, 8, 3))
			}
			f.decided()
			f.letGo()
		}
	})
}

// footage is a pair that accumulates frames, and the frames that it should hold.
type footage struct {
	*pair
	held [][]byte // the last of them, oldest first
}

// accumulate has both paths take frames: they have to show the same, which is
// padded in front with the oldest, and to count the same.
func (f *footage) accumulate(c content) {
	GinkgoHelper()
	f.remember(c)
	bespoke, managed := f.read(accumulate(c))
	f.expectSame(outline(bespoke), outline(managed), accumulate(c))
	if due, known := f.due(bespoke); known {
		Expect(bespoke.Bytes).To(Equal(due), "frames shown of %d held, padded in front with the oldest, on both paths; the moves so far:\n%s", len(f.held), f.history())
	}
	f.agree(get("call_count"))
}

// remember has a footage hold what a state should hold of frames.
func (f *footage) remember(c content) {
	GinkgoHelper()
	v := c.make(f.s)
	defer LetGo(v)
	r := Bits(v)
	n := 1
	if len(r.Shape) > 3 {
		n = r.Shape[0]
	}
	if n > 0 {
		f.held = slices.AppendSeq(f.held, slices.Chunk(r.Bytes, len(r.Bytes)/n))
	}
	f.held = f.held[max(0, len(f.held)-perChunk):]
}

// due is what a clip of as many frames as the one that was shown has to show.
func (f *footage) due(shown spec.Reading) (all []byte, known bool) {
	if len(shown.Shape) != 4 || len(shown.Bytes) == 0 || len(f.held) == 0 {
		return nil, false // a refusal, or too much to carry
	}
	for i := len(f.held) - shown.Shape[0]; i < len(f.held); i++ {
		all = append(all, f.held[max(0, i)]...)
	}
	return all, true
}
