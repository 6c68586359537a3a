package ring

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// retention is what a ring keeps.
func retention(open Open) {
	table(open, "retains the last frames, also when chunks bring several", "RNG-01", func(s *op.Client, ring maker) {
		for _, n := range []int{1, 2, 4} {
			for _, lengths := range [][]int{{5, 1}, {1, 3}, {1, 1, 4}, {7}, {2, 3, 2}, {6, 1, 1, 1, 1}} {
				r, single := ring(s, n), ring(s, n)
				for i, length := range lengths {
					c := chunk(s, "bfloat16", uint64(i), length)
					Do(r.push(c))
					for _, f := range oneByOne(s, c) {
						Do(single.push(f))
					}
				}
				Expect(r.retained()).To(Equal(n),
					"frames held by %s (in the shipped pipeline every chunk is one frame)", pushes(n, lengths))
				Expect(r.last(n)).To(HaveBits(Bits(Must(single.last(n)))),
					"the last %d of %s, against the same frames in chunks of one", n, pushes(n, lengths))
			}
		}
	})

	table(open, "loses nothing to chunks of no frames", "RNG-01.empty", func(s *op.Client, ring maker) {
		const n = 2
		r := ring(s, n)
		fill(s, r, 1, 3)
		before := Bits(Must(r.last(n)))
		none := chunk(s, "bfloat16", 9, 0)
		for range 3 {
			if Refused(r.push(none)) {
				Note("a chunk of no frames was refused")
			}
		}
		Expect(r.last(n)).To(HaveBits(before), "the last %d, after three chunks of no frames", n)
	})
}

// windows is what may be read from a ring.
func windows(open Open) {
	table(open, "returns what the whole history would have", "RNG-03", func(s *op.Client, ring maker) {
		for _, dtype := range []string{"bfloat16", "float32"} {
			for _, n := range []int{1, 2, 5} {
				r := ring(s, n)
				for pushed := 1; pushed <= 2*n+2; pushed++ {
					both(r, chunk(s, dtype, uint64(pushed), 1))
					for ask := 1; ask <= min(n, pushed); ask++ {
						Expect(r.last(ask)).To(HaveBits(r.history(ask)),
							"the last %d of a ring of %d, after %d frames of %s", ask, n, pushed, dtype)
					}
				}
			}
		}
	})
}

// again is that frames that were read from a buffer are frames like any others to
// it, though they may lie in the memory that it is about to write. The oldest is
// the first to be written over. DreamZero's reader shows something else than came.
func again(open Open) {
	DescribeTable("takes a frame that was read from it for what it was,", Promise("RNG-03"),
		func(ctx SpecContext, before ...uint64) {
			s := open.Subject(ctx)
			for _, n := range []int{2, 4, 5} {
				b := bufferOf(s, n).(*buffer)
				fill(s, b, 1, n+1)
				held := Must(b.last(n))
				history := Bits(held)
				oldest := Must(s.Make(spec.Narrow(held, axis, 0, 1)))
				due, chunks := history, []spec.Value{}
				for _, seed := range before {
					c := chunk(s, "bfloat16", seed, 1)
					due, chunks = cat(due, Bits(c)), append(chunks, c)
				}
				due = cat(due, frames(history, 0, 1))
				Do(b.o.Commit(append(chunks, oldest)...))
				Expect(b.last(n)).To(HaveBits(frames(due, due.Shape[axis]-n, due.Shape[axis])),
					"the last %d of a ring of %d, after its own oldest frame was appended", n, n)
			}
		},
		Entry("when it comes alone"),
		Entry("when it comes behind another frame", uint64(99)),
	)
}

// overReads is what may not be read.
func overReads(open Open) {
	It("refuses a reader more frames than it retains", Promise("RNG-02"), func(ctx SpecContext) {
		overRead(open.Subject(ctx), streamOf)
	})

	It("refuses more frames than a buffer is bounded at", Promise("RNG-02.view"), func(ctx SpecContext) {
		overRead(open.Subject(ctx), bufferOf)
	})

	It("says that it was asked for too many", Promise("RNG-02.kind"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		r := streamOf(s, 2)
		fill(s, r, 1, 5)
		err := Error(r.last(3))
		if !Refused(err) {
			CannotTell("three frames of a ring of two were not refused")
		}
		Expect(err).To(BeRefusedAs(spec.OverRead), "the last 3 of a ring of 2")
	})
}

// overRead asks for more than a ring retains by design: when there was more, when
// there was as much, and when there was less, where padding would be a trap.
func overRead(s *op.Client, ring maker) {
	GinkgoHelper()
	for _, n := range []int{1, 2, 4} {
		for _, pushed := range []int{1, n + 1, 2*n + 5} {
			r := ring(s, n)
			fill(s, r, 1, pushed)
			for _, ask := range []int{n + 1, n + 4} {
				Expect(Refused(Error(r.last(ask)))).To(BeTrue(), "the last %d of a ring of %d were refused, after %d frames", ask, n, pushed)
			}
		}
	}
}

// padding is what a reader gets who comes too early.
func padding(open Open) {
	DescribeTable("is padded in front with the newest frame while there are fewer than asked", Promise("RNG-09"),
		func(ctx SpecContext, path string) {
			s := open.Subject(ctx)
			for _, held := range []int{1, 2, 3} {
				e := encoderOn(s, path, 4, "")
				for i := range held {
					Do(e.push(chunk(s, "bfloat16", uint64(i+1), 1)))
				}
				all := Bits(Must(e.observe(held)))
				newest := Bits(Must(e.observe(1)))
				for due := all; due.Shape[axis] < 4; {
					due = cat(newest, due)
					Expect(e.observe(due.Shape[axis])).To(HaveBits(due), "a window of %d, when %d frames have come", due.Shape[axis], held)
				}
			}
		},
		Entry("on the bespoke path", spec.Bespoke),
		Entry("on the managed path", spec.Managed),
	)
}
