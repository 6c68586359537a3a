package equivalence

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// aliasing is what becomes of a session when a caller writes into what it handed
// over or was given. Whether it shows is the implementation's affair, as long as
// it is the same on both paths.
func aliasing(open Open) {
	setOrGiven(open)
	framesLent(open)
	latentsLent(open)
	chunksLent(open)
}

// aliasDType is that of latents here: aliasing is of storages, not of elements.
const aliasDType = "bfloat16"

// written is a spec of what a caller wrote into something.
func written(open Open, row, text string, o options, body func(p *pair), controls ...func(p *pair)) {
	It("shows alike what a caller wrote into "+text, Offset(1), Promise(row), func(ctx SpecContext) {
		s := open.Subject(ctx)
		expectUnlikeControls(func() *pair { return opened(s, o) }, body, controls...)
	})
}

// setOrGiven is values that were set, and outputs.
func setOrGiven(open Open) {
	const dtype = aliasDType
	for _, name := range append([]string{"vae_enc_feat_map"}, conditions...) {
		written(open, "EQV-12", name+", that it set or was given", options{}, func(p *pair) {
			p.lend(set(name, condition(name, dtype, 1)), p.changes(name)...)
			p.agree(get(name))
			p.take(set(name, condition(name, dtype, 3)))
			p.borrow(get(name), p.changes(name)...)
			p.agree(get(name))
			p.take(set(name, condition(name, dtype, 2)))
			p.agree(get(name))
		})
	}

	given := func(text string, before []move, what move, after ...move) {
		written(open, "EQV-12", text, options{window: 3}, func(p *pair) {
			p.take(before...)
			p.borrow(what, spec.Refill(90))
			p.agree(after...)
		})
	}
	given("the video latents of one chunk", of(appendLatents(latent(dtype, 1, 2))), concatenated,
		concatenated, appendLatents(latent(dtype, 2, 1)), concatenated)
	given("the video latents of several chunks", of(appendLatents(latent(dtype, 1, 2)), appendLatents(latent(dtype, 2, 1))), concatenated,
		concatenated, appendLatents(latent(dtype, 3, 1)), concatenated)
	given("the frames that it was shown", of(accumulate(clip(1, 2))), accumulate(clip(2, single)),
		accumulate(clip(3, single)), accumulate(clip(4, single)))
	given("the first frame that it was shown", nil, accumulate(clip(1, single)), accumulate(clip(2, single)))
	given("the window of one frame that it read", of(seed(chunk(dtype, 1, 1))), observe(1),
		observe(1), appendChunk(chunk(dtype, 2, 1)), observe(2))
	given("the window of several chunks that it read", of(seed(chunk(dtype, 1, 1)), appendChunk(chunk(dtype, 2, 1)), appendChunk(chunk(dtype, 3, 1))), observe(2),
		observe(3), appendChunk(chunk(dtype, 4, 1)), observe(3))
}

// framesLent is frames that were handed over.
func framesLent(open Open) {
	for _, lengths := range [][]int{{single, single, single}, {1, 4, 2}, {6, single, 6}} {
		written(open, "EQV-12.frames", fmt.Sprintf("frames after it handed them over, in clips of %v", lengths), options{}, func(p *pair) {
			for i, n := range lengths {
				p.lend(accumulate(clip(uint64(i+1), n)), spec.Refill(uint64(80+i)))
			}
			p.agree(accumulate(clip(9, single)), accumulate(clip(10, 2)))
		})
	}
	written(open, "EQV-12.frames", "the one array that it fills for ever", options{}, func(p *pair) {
		arrays := p.own(clip(1, single))
		for i := range uint64(6) {
			p.agreeWith(accumulate(content{}), arrays)
			p.edit(arrays, spec.Refill(20+i))
		}
	}, func(p *pair) { // a new array each time
		for i := range uint64(6) {
			p.agree(accumulate(clip(20+i, single)))
		}
	})
}

// latentsLent is video latents that were handed over.
func latentsLent(open Open) {
	const dtype = aliasDType
	written(open, "EQV-12.latents", "video latents after it handed them over", options{}, func(p *pair) {
		for i := range uint64(3) {
			p.lend(appendLatents(latent(dtype, i+1, 1)), spec.Refill(80+i))
			p.agree(concatenated)
		}
	})
	written(open, "EQV-12.latents", "the one tensor of video latents that it fills for ever", options{}, func(p *pair) {
		tensors := p.own(latent(dtype, 1, 2))
		for i := range uint64(4) {
			p.agreeWith(appendLatents(content{}), tensors)
			p.agree(concatenated)
			p.edit(tensors, spec.Refill(20+i))
			p.agree(concatenated)
		}
	}, func(p *pair) { // a new tensor each time
		for i := range uint64(4) {
			p.agree(appendLatents(latent(dtype, 20+i, 2)), concatenated, concatenated)
		}
	})
}

// chunksLent is encoder chunks that were handed over.
func chunksLent(open Open) {
	const dtype = aliasDType
	for _, window := range []int{1, 2, 4} {
		written(open, "EQV-12.chunks", fmt.Sprintf("encoder chunks after it handed them over, with a window of %d", window), options{window: window}, func(p *pair) {
			p.lend(seed(chunk(dtype, 1, 1)), spec.Refill(80))
			p.watch(window)
			for i := range uint64(4) {
				p.lend(appendChunk(chunk(dtype, i+2, 1+int(i%2))), spec.Refill(81+i))
				p.watch(window)
			}
		})
	}
	written(open, "EQV-12.chunks", "the one encoder chunk that it fills for ever", options{window: 3}, func(p *pair) {
		tensors := p.own(chunk(dtype, 1, 1))
		p.agreeWith(seed(content{}), tensors)
		for i := range uint64(4) {
			p.edit(tensors, spec.Refill(20+i))
			p.watch(3)
			p.agreeWith(appendChunk(content{}), tensors)
			p.watch(3)
		}
	}, func(p *pair) { // a new tensor each time
		p.agree(seed(chunk(dtype, 1, 1)))
		for i := range uint64(4) {
			p.watch(3)
			p.agree(appendChunk(chunk(dtype, 20+i, 1)))
			p.watch(3)
		}
	})
}

// changes are edits of a carried value, by what it is.
func (p *pair) changes(name string) []spec.Edit {
	GinkgoHelper()
	if name == "vae_enc_feat_map" {
		return []spec.Edit{spec.Replace(1, Must(p.s.Make(spec.Tensor("bfloat16", 70, 1, 2)))), spec.Clear()}
	}
	return []spec.Edit{spec.Refill(70), spec.Refill(71)}
}

// values are one of the caller's own on each path.
type values struct{ bespoke, managed spec.Value }

// own makes a value for each path, which the caller goes on holding.
func (p *pair) own(c content) values {
	GinkgoHelper()
	return values{c.make(p.s), c.make(p.s)}
}

// agreeWith is agree of a move that hands over the caller's own values.
func (p *pair) agreeWith(m move, vs values) {
	GinkgoHelper()
	give := func(state spec.State, v spec.Value) string {
		GinkgoHelper()
		out, err := state.Do(spec.Step{Do: m.do, Args: m.args, With: map[string]spec.Value{m.as: v}})
		if Refused(err) {
			return refused
		}
		if out == nil {
			return none
		}
		defer LetGo(out)
		p.outputs++
		return outline(Bits(out))
	}
	bespoke, managed := give(p.bespoke, vs.bespoke), give(p.managed, vs.managed)
	p.made = append(p.made, fmt.Sprintf("%s, with a value that the caller keeps: %s", m.do, bespoke))
	p.expectSame(bespoke, managed, stringer(m.do))
}

type stringer string

func (s stringer) String() string { return string(s) }

// lend hands over a value, and then writes into it. The paths agree on each edit,
// before which they are asked nothing.
func (p *pair) lend(m move, edits ...spec.Edit) {
	GinkgoHelper()
	vs := p.own(m.of)
	p.agreeWith(m, vs)
	for i, e := range edits {
		p.edit(vs, e)
		if i < len(edits)-1 && m.do == "set" {
			p.agree(get(m.args["name"].(string)))
		}
	}
}

// borrow is given something, and writes into it.
func (p *pair) borrow(m move, edits ...spec.Edit) {
	GinkgoHelper()
	vs := values{Must(attempted(p.s, p.bespoke, m)), Must(attempted(p.s, p.managed, m))}
	p.made = append(p.made, m.String()+", kept by the caller")
	if vs.bespoke == nil || vs.managed == nil {
		CannotTell("%s gives nothing to write into", m)
	}
	p.expectSame(outline(Bits(vs.bespoke)), outline(Bits(vs.managed)), m)
	for _, e := range edits {
		p.edit(vs, e)
		if m.do == "get" {
			p.agree(m)
		}
	}
}

// edit writes into the caller's values on both paths. What neither path lets be
// written has nothing to differ in.
func (p *pair) edit(vs values, e spec.Edit) {
	GinkgoHelper()
	wrote := func(v spec.Value) string {
		GinkgoHelper()
		switch err := v.Edit(e); {
		case err == nil:
			return "written"
		case spec.KindOf(err) == spec.Immutable:
			return string(spec.Immutable)
		default:
			Do(err)
			return ""
		}
	}
	p.happens(func() {
		bespoke, managed := wrote(vs.bespoke), wrote(vs.managed)
		p.made = append(p.made, fmt.Sprintf("the caller's value, %s seed=%d: %s", e.Do, e.Seed, bespoke))
		Expect(managed).To(Equal(bespoke), "%s of a caller's value on the managed path, against the bespoke one; the moves so far:\n%s", e.Do, p.history())
	})
}
