package accounting

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

const (
	featureMap    = "vae_enc_feat_map"
	pendingFrames = "vae_pending_body_frames"

	// An encoder takes the first frame of a session by itself, the seed, and after
	// it four at a time. With the first four its feature map is full.
	seedFrames, bodyFrames = 1, 4
	full                   = seedFrames + bodyFrames

	// The document says 603 MiB, to the nearest, and at most 2.6 MiB.
	leastMap, mostMap = 602.5 * (1 << 20), 603.5 * (1 << 20)
	mostPending       = 2.6 * (1 << 20)
)

// shippedFrame is the stitched frame of the shipped cameras, (T, H, W, C).
var shippedFrame = []int{1, 352, 640, 3}

// encoder are the promises that take the subject's own encoder.
func encoder(open Open) {
	It("has 603 MiB in the feature map from the first body chunk on, and never more", Promise("ACC-17.encoder"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		st := dreamZero(s, spec.Managed)
		filled := int64(0)
		for n := 1; n <= full+bodyFrames; n++ {
			encode(s, st, n)
			if n < full {
				continue
			}
			now := stateBytes(st, featureMap)
			if n == full {
				filled = now
				Expect(now).To(And(BeNumerically(">=", leastMap), BeNumerically("<", mostMap)), "bytes of %s after %d frames: 603 MiB", featureMap, n)
			}
			Expect(now).To(Equal(filled), "bytes of %s after %d frames, as after %d", featureMap, n, full)
		}
	})

	It("has at most three frames that wait, and 2.6 MiB of them", Promise("ACC-17.pending"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		st := dreamZero(s, spec.Managed)
		for n := 1; n <= full+bodyFrames-1; n++ {
			encode(s, st, n)
			bytes, frames := stateBytes(st, pendingFrames), waitingFrames(st)
			if bytes > 0 && frames == 0 {
				CannotTell("%s holds %d bytes, and no frame that can be seen", pendingFrames, bytes)
			}
			Expect(frames).To(BeNumerically("<=", bodyFrames-1), "frames in %s after %d frames", pendingFrames, n)
			Expect(bytes).To(BeNumerically("<=", mostPending), "bytes of %s after %d frames: 2.6 MiB", pendingFrames, n)
		}
	})
}

// encode has a session see one more frame, as a forward does: it is accumulated
// to a clip, the newest frame of which goes to the encoder. Nobody but the subject
// holds anything of it afterwards.
func encode(s *op.Client, st spec.State, seed int) {
	GinkgoHelper()
	frame := Must(s.Make(spec.Tensor("uint8", uint64(seed), shippedFrame...)))
	clip := Must(st.Do(spec.Step{Do: "accumulate_frames", With: map[string]spec.Value{"frames": frame}}))
	take(st, spec.Step{Do: "encode_newest", With: map[string]spec.Value{"clip": clip}})
	LetGo(frame, clip)
}

// waitingFrames is how many frames wait, however they are joined: by their elements.
func waitingFrames(st spec.State) int {
	GinkgoHelper()
	v := Must(st.Do(spec.Step{Do: "get", Args: map[string]any{"name": pendingFrames}}))
	if v == nil {
		return 0
	}
	defer LetGo(v)
	return elements(Bits(v)) / product(shippedFrame)
}

// elements counts those of all tensors in a reading.
func elements(r spec.Reading) (n int) {
	if r.DType != "" {
		return product(r.Shape)
	}
	for _, item := range r.Items {
		n += elements(item)
	}
	return n
}

func product(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}
