package ring

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// stitched is the buffer of stitched frames.
func stitched(open Open) {
	It("are held for one chunk, four frames, and no more", Promise("RNG-13"), func(ctx SpecContext) {
		const chunk, frame = 4, 6 * 8 * 3
		s := open.Subject(ctx)
		e := encoderOn(s, spec.Managed, 2, "")
		for i := range 25 {
			// One frame a step, in storage of its own: what is held is what is
			// kept, whether by copy or by reference.
			f := Must(s.Make(spec.Tensor("uint8", uint64(i), 6, 8, 3)))
			Must(e.state.Do(spec.Step{Do: "accumulate_frames", With: map[string]spec.Value{"frames": f}}))
			LetGo(f)
			held := Must(e.bytesOf("stitched_buffer"))
			if held == 0 {
				CannotTell("stitched_buffer reports no bytes after %d frames", i+1)
			}
			Expect(held).To(BeNumerically("<=", chunk*frame), "bytes of stitched_buffer after %d frames of %d bytes", i+1, frame)
		}
	})
}
