package accounting

import (
	"maps"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// latentFrame is the bytes of one latent frame at the shipped shapes,
// 1×32×1×44×80 bfloat16: 0.2148 MiB.
const latentFrame = 32 * 44 * 80 * 2

func shipped(open Open) {
	It("has two latent frames in the encoder ring, at any length of a session", Promise("ACC-17"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		st := dreamZero(s, spec.Managed)
		feed(s, st, "seed_encoder", 1)
		Expect(stateBytes(st, "vae_encoder_out")).To(BeElementOf(int64(latentFrame), int64(2*latentFrame)),
			"bytes of vae_encoder_out after 1 latent frame of %d: of itself, or of the ring that it is in", latentFrame)
		for step := range 12 {
			feed(s, st, "append_encoder_chunk", 2+step)
			Expect(stateBytes(st, "vae_encoder_out")).To(BeEquivalentTo(2*latentFrame), "bytes of vae_encoder_out after %d latent frames: 0.430 MiB", 2+step)
		}
	})

	It("has a latent frame of 0.2148 MiB more a chunk on the bespoke path", Promise("ACC-17"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		st := dreamZero(s, spec.Bespoke)
		feed(s, st, "seed_encoder", 1)
		Expect(stateBytes(st, "vae_encoder_out")).To(BeEquivalentTo(latentFrame), "bytes of vae_encoder_out after 1 latent frame")
		for n := 2; n <= 6; n++ {
			feed(s, st, "append_encoder_chunk", n)
			Expect(stateBytes(st, "vae_encoder_out")).To(BeEquivalentTo(n*latentFrame), "bytes of vae_encoder_out after %d latent frames", n)
		}
	})
}

// dreamZero is one session of DreamZero, over a manager where the path has one.
func dreamZero(s *op.Client, path string) spec.State {
	GinkgoHelper()
	want := spec.ModelSpec{Model: "dreamzero", Path: path}
	if path == spec.Managed {
		want.Manager = Must(s.NewManager(spec.ManagerSpec{Cap: new(4)}))
	}
	return Must(Must(s.NewModel(want)).Open("a"))
}

// feed gives the encoder's stream one latent frame at the shipped shape.
func feed(s *op.Client, st spec.State, step string, seed int) {
	GinkgoHelper()
	chunk := Must(s.Make(spec.Tensor("bfloat16", uint64(seed), 1, 32, 1, 44, 80)))
	take(st, spec.Step{Do: step, With: map[string]spec.Value{"chunk": chunk}})
	LetGo(chunk)
}

// take is a step whose output, if any, nobody keeps.
func take(st spec.State, step spec.Step) {
	GinkgoHelper()
	if out := Must(st.Do(step)); out != nil {
		LetGo(out)
	}
}

// stateBytes is the storage bytes of a documented value that a state reports.
func stateBytes(st spec.State, name string) int64 {
	GinkgoHelper()
	out := Must(st.Do(spec.Step{Do: "bytes", Args: map[string]any{"name": name}}))
	defer LetGo(out)
	return Bits(out).Int
}

func host(open Open) {
	// The host itself is one of a subject's devices; the note says which were
	// asked.
	DescribeTable("keeps on the host, and counts there, what came from any device:", Promise("ACC-19"),
		func(ctx SpecContext, object string, least int64, step spec.Step, name string, recipe spec.Recipe) {
			s := open.Subject(ctx)
			asked := s.Hello().Devices
			if len(asked) == 0 {
				CannotTell("the subject names no device")
			}
			for _, d := range asked {
				m := Must(s.NewManager(spec.ManagerSpec{Cap: new(4)}))
				st := Must(Must(s.NewModel(spec.ModelSpec{Model: "dreamzero", Path: spec.Managed, Manager: m})).Open("a"))
				for range 2 {
					in := Must(s.Make(recipe.On(d)))
					step.With = map[string]spec.Value{name: in}
					take(st, step)
					LetGo(in)
				}

				on := Must(Must(Must(m.Session("a")).Object(object)).State()).Bytes
				Expect(on["cpu"]).To(BeNumerically(">=", least), "bytes of %s on the host, given from %s", object, d)
				Expect(elsewhere(on)).To(BeEmpty(), "devices other than the host on which %s has bytes, given from %s", object, d)
				stats := Must(m.Stats())
				if len(byDevice(stats)) == 0 && stats.Total() > 0 {
					CannotTell("stats names no device: %v", stats.Counts) // ACC-01 asks that
				}
				Expect(stats.Bytes("cpu")).To(BeNumerically(">=", least), "nbytes:cpu in stats, with %s given from %s", object, d)
			}
			Note("given from %v", asked)
		},
		Entry("video latents", "video_latents_across_time", int64(2*4*6*8*2), spec.Step{Do: "append_video_latents"}, "latents",
			spec.Tensor("bfloat16", 1, 1, 1, 4, 6, 8)),
		Entry("stitched frames", "stitched_buffer", int64(4*12*20*3), spec.Step{Do: "accumulate_frames"}, "frames",
			spec.Tensor("uint8", 1, 4, 12, 20, 3)),
	)
}

// elsewhere lists the devices other than the host that hold bytes.
func elsewhere(on map[string]int64) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(on)), func(d string) bool { return d == "cpu" || on[d] == 0 })
}
