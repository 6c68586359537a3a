package ring

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// Frames of the stitched buffer: four are a chunk. One is three times the 512
// bytes that an allocator may round up to.
const (
	perChunk   = 4
	frameBytes = 16 * 32 * 3
)

// clip makes so many frames in one storage of their own.
func clip(seed uint64, length int) spec.Recipe {
	return spec.Tensor("uint8", seed, length, 16, 32, 3)
}

// A feed makes the frames of a step.
type feed func(s *op.Client, seed uint64) spec.Value

// whole are clips of so many frames.
func whole(length int) feed {
	return func(s *op.Client, seed uint64) spec.Value { GinkgoHelper(); return Must(s.Make(clip(seed, length))) }
}

// cut are the middle frames of clips of 25, each clip tracked under its number.
func cut(frames int) feed {
	return func(s *op.Client, seed uint64) spec.Value {
		GinkgoHelper()
		all := Must(s.Make(clip(seed, 25).Tracked(fmt.Sprint("clip ", seed))))
		defer LetGo(all)
		return Must(s.Make(spec.Narrow(all, 0, 12, frames)))
	}
}

// stitched is the buffer of stitched frames.
func stitched(open Open) {
	DescribeTable("are held for one chunk, four frames, and no more", Promise("RNG-13"),
		func(ctx SpecContext, frames feed) {
			s := open.Subject(ctx)
			m := Must(s.NewManager(spec.ManagerSpec{}))
			e := opened(modelOn(s, spec.Managed, 2, "", m), "a")
			most := 0
			for i := range uint64(25) {
				accumulate(s, e, frames, i)
				held := framesHeld(m)
				most = max(most, held)
				Expect(held).To(BeNumerically("<=", perChunk), "frames that stitched_buffer holds after %d steps", i+1)
			}
			if most == 0 {
				CannotTell("stitched_buffer shows no frame after any of 25 steps")
			}
		},
		Entry("of single frames", whole(1)),
		Entry("of clips of a chunk", whole(perChunk)),
		Entry("of clips longer than a chunk", whole(7)),
		Entry("of a frame cut out of a clip", cut(1)),
		Entry("of clips cut out of longer ones", cut(7)),
	)

	// The frames that it shows may be the last of many that it keeps. How much
	// it sets aside for a chunk is its own affair.
	It("stop growing after three chunks, by their bytes", Promise("RNG-13"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		e := encoderOn(s, spec.Managed, 2, "")
		due := int64(0)
		for i := range uint64(10 * perChunk) {
			accumulate(s, e, whole(1), i)
			held := Must(e.bytesOf("stitched_buffer"))
			if i < 3*perChunk {
				due = max(due, held)
				continue
			}
			if due == 0 {
				CannotTell("stitched_buffer reports no bytes after %d frames", i)
			}
			Expect(held).To(BeNumerically("<=", due), "bytes of stitched_buffer after %d frames of %d bytes, against the most in the first %d", i+1, frameBytes, 3*perChunk)
		}
	})

	DescribeTable("are copied, or the clips that they pin are counted", Promise("RNG-13.pinned"),
		func(ctx SpecContext, frames int) {
			s := open.Subject(ctx)
			e := encoderOn(s, spec.Managed, 2, "")
			for i := range uint64(10) {
				accumulate(s, e, cut(frames), i)
			}
			pinned := Must(s.Memory()).Alive
			Expect(len(pinned)).To(BeNumerically("<=", perChunk), "clips that a buffer of %d frames keeps alive: %v", perChunk, pinned)
			Expect(e.bytesOf("stitched_buffer")).To(BeNumerically(">=", len(pinned)*25*frameBytes), "bytes of stitched_buffer, with the clips %v kept alive", pinned)
		},
		Entry("when they come one at a time", 1),
		Entry("when they come as clips longer than a chunk", 7),
	)
}

// accumulate has a session take the frames of a step. Nobody else holds them
// after it, or what comes back.
func accumulate(s *op.Client, e encoder, frames feed, seed uint64) {
	GinkgoHelper()
	f := frames(s, seed)
	out := Must(e.state.Do(spec.Step{Do: "accumulate_frames", With: map[string]spec.Value{"frames": f}}))
	LetGo(f)
	if out != nil {
		LetGo(out)
	}
}

// framesHeld counts the frames that the buffer of session "a" shows: each an item
// of its own, or several along the first axis of one.
func framesHeld(m spec.Manager) (n int) {
	GinkgoHelper()
	const rank = 3
	session := Must(m.Session("a"))
	o, err := session.Object("stitched_buffer")
	if Refused(err) {
		CannotTell("the session has no object stitched_buffer, whose frames could be counted")
	}
	v := Must(o.View(spec.View{}))
	for _, item := range Bits(v).Items {
		if len(item.Shape) == rank {
			n++
		} else if len(item.Shape) > rank {
			n += item.Shape[0]
		}
	}
	if v != nil {
		LetGo(v)
	}
	LetGo(o, session)
	return n
}
