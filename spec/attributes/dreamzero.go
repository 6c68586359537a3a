package attributes

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// The document's table of what a DreamZero session holds.
var (
	inAttrs = []string{"vae_enc_feat_map", "clip_feas", "ys", "language", "prompt_embeds", "vae_pending_body_frames",
		"call_count", "current_start_frame", "vae_stream_initialized"}
	inObjects = []string{"video_latents_across_time", "stitched_buffer", "vae_encoder_out"}
)

// dreamzero is one DreamZero session on the managed path, from both of its sides.
type dreamzero struct {
	s       *op.Client
	manager spec.Manager
	state   spec.State   // as the model sees it
	session spec.Session // as the manager does
}

// rollout is a session that has worked: every value of the table is set.
func rollout(s *op.Client) dreamzero {
	GinkgoHelper()
	m := declared(s)
	model := Must(s.NewModel(spec.ModelSpec{Model: "dreamzero", Path: spec.Managed, Manager: m}))
	d := dreamzero{s: s, manager: m, state: Must(model.Open("a"))}
	for seed := range uint64(3) {
		LetGo(d.do("accumulate_frames", "frames", spec.Tensor("uint8", seed+1, 1, 2, 2, 3)))
		d.do("append_video_latents", "latents", spec.Tensor(latentDType(s), seed+1, 1, 1, 4, 2, 2))
	}
	d.do("seed_encoder", "chunk", spec.Tensor(latentDType(s), 1, 1, 4, 1, 2, 2))
	d.do("append_encoder_chunk", "chunk", spec.Tensor(latentDType(s), 2, 1, 4, 1, 2, 2))

	parts := values(s, spec.Tensor(latentDType(s), 1, 4, 2), spec.Tensor(latentDType(s), 2, 4, 2))
	frames := values(s, spec.Tensor("uint8", 1, 2, 2, 3))
	d.set("vae_enc_feat_map", spec.List(parts...))
	d.set("vae_pending_body_frames", spec.List(frames...))
	d.set("clip_feas", spec.Tensor("float32", 3, 2, 4))
	d.set("ys", spec.Tensor("float32", 4, 2, 4))
	d.set("language", spec.Tensor("int64", 5, 1, 4))
	d.set("prompt_embeds", spec.Tensor("float32", 6, 1, 4, 2))
	d.set("call_count", spec.Int(3))
	d.set("current_start_frame", spec.Int(2))
	d.set("vae_stream_initialized", spec.Bool(true))
	LetGo(parts[0], parts[1], frames[0])

	if !Must(m.Contains("a")) {
		CannotTell("the model's session is not in the manager that the model was given")
	}
	d.session = Must(m.Session("a"))
	return d
}

// latentDType is the shipped dtype, or one that the subject can have.
func latentDType(s *op.Client) string {
	if ds := s.Hello().DTypes; len(ds) > 0 && !slices.Contains(ds, "bfloat16") {
		return ds[0]
	}
	return "bfloat16"
}

// do takes a step with one value, made for it alone.
func (d dreamzero) do(step, name string, r spec.Recipe) spec.Value {
	GinkgoHelper()
	v := Must(d.s.Make(r))
	out := Must(d.state.Do(spec.Step{Do: step, With: map[string]spec.Value{name: v}}))
	LetGo(v)
	return out
}

func (d dreamzero) set(name string, r spec.Recipe) {
	GinkgoHelper()
	v := Must(d.s.Make(r))
	Must(d.state.Do(spec.Step{Do: "set", Args: map[string]any{"name": name}, With: map[string]spec.Value{"value": v}}))
	LetGo(v)
}

// of takes a step about one value of the table: get or bytes.
func (d dreamzero) of(step, name string) (spec.Value, error) {
	return d.state.Do(spec.Step{Do: step, Args: map[string]any{"name": name}})
}

func dreamzeroAttributes(open Open) {
	It("keeps its feature map, conditioning, pending frames, counters and flags when every object is evicted",
		Promise("ATT-06"), func(ctx SpecContext) {
			d := rollout(open.Subject(ctx))
			before := map[string]spec.Reading{}
			for _, name := range inAttrs {
				before[name] = Bits(Must(d.of("get", name)))
				if before[name].Kind == spec.KindNone {
					CannotTell("%s reads as nothing before anything was evicted", name)
				}
			}
			evictAll(d.session)
			for _, name := range inAttrs {
				Expect(d.of("get", name)).To(HaveBits(before[name]), "%s, after every object of the session was evicted", name)
			}
		})
}

func dreamzeroObjects(open Open) {
	It("has no video latents when every object is evicted", Promise("ATT-06.objects"), func(ctx SpecContext) {
		d := rollout(open.Subject(ctx))
		read := func() (spec.Value, error) { return d.state.Do(spec.Step{Do: "concatenated_video_latents"}) }
		if made := Bits(Must(read())).Kind; made != spec.KindTensor {
			CannotTell("the video latents before anything was evicted: %s", made)
		}
		evictAll(d.session)
		d.expectNoBytes("video_latents_across_time") // first: a step may make the object anew
		Expect(rest(read())).To(Equal("none"), "the video latents, after every object of the session was evicted")
	})

	It("has no encoder output when every object is evicted", Promise("ATT-06.objects"), func(ctx SpecContext) {
		d := rollout(open.Subject(ctx))
		read := func() (spec.Value, error) {
			return d.state.Do(spec.Step{Do: "observe_latents", Args: map[string]any{"frames": 1}})
		}
		if made := Bits(Must(read())).Kind; made != spec.KindTensor {
			CannotTell("the encoder output before anything was evicted: %s", made)
		}
		evictAll(d.session)
		d.expectNoBytes("vae_encoder_out") // first: a step may make the object anew
		Expect(rest(d.state.Do(spec.Step{Do: "encoder_frames"}))).To(BeElementOf("none", "int 0"),
			"the latent frames held, after every object of the session was evicted")
		Expect(rest(read())).To(Equal("none"), "the newest latent frame, after every object of the session was evicted")
	})

	It("has no stitched frames when every object is evicted", Promise("ATT-06.objects"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		d := rollout(s)
		evictAll(d.session)
		d.expectNoBytes("stitched_buffer")

		frame := Must(s.Make(spec.Tensor("uint8", 9, 1, 2, 2, 3)))
		out, err := d.state.Do(spec.Step{Do: "accumulate_frames", With: map[string]spec.Value{"frames": frame}})
		if Refused(err) {
			return
		}
		got, want := Bits(out).Bytes, Bits(frame).Bytes
		if len(got) == 0 || len(want) == 0 {
			CannotTell("accumulate_frames returned no frames that could be looked at")
		}
		for one := range slices.Chunk(got, len(want)) {
			Expect(one).To(Equal(want), "a frame of what is shown of a session that has seen one frame since its objects were evicted")
		}
	})
}

// rest is what a step still returns: none when it is refused.
func rest(v spec.Value, err error) string {
	GinkgoHelper()
	if Refused(err) || v == nil {
		return "none"
	}
	return Outline(Bits(v))
}

func (d dreamzero) expectNoBytes(name string) {
	GinkgoHelper()
	Expect(rest(d.of("bytes", name))).To(BeElementOf("none", "int 0"), "bytes of %s, after every object of the session was evicted", name)
}
