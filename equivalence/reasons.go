package equivalence

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// A situation is what the reason for a reset depends on.
type situation struct {
	prompt       *content // that the session has; nil: none yet
	tokens       *content // of the request; nil: it brings none
	calls, start int
	frames       int // of the request
	window       int // of attention, in latent frames
}

// calm is a situation without a reason for a reset, in which a prompt goes on.
func calm() situation {
	return situation{prompt: new(int64s(1, 2, 3)), tokens: new(int64s(1, 2, 3)), calls: 1, start: 2, frames: 4, window: 6}
}

func (q situation) String() string {
	text := func(c *content) string {
		if c == nil {
			return none
		}
		return c.String()
	}
	return fmt.Sprintf("prompt %s, tokens %s, %d calls, start frame %d, %d frames, attention window %d",
		text(q.prompt), text(q.tokens), q.calls, q.start, q.frames, q.window)
}

// begin are the moves that bring a session into the situation.
func (q situation) begin() []move {
	prompt := unset("language")
	if q.prompt != nil {
		prompt = set("language", *q.prompt)
	}
	return []move{prompt, set("call_count", integer(q.calls)), set("current_start_frame", integer(q.start))}
}

func (q situation) ask() move {
	m := move{do: "reset_reason", args: args{"num_video_frames": q.frames, "local_attn_size": q.window}}
	if q.tokens != nil {
		m.as, m.of = "text_tokens", *q.tokens
	}
	return m
}

// reasons is why both paths would reset a session.
func reasons(open Open) {
	DescribeTable("gives the same reason for a reset", Promise("EQV-05"),
		func(ctx SpecContext, situations func() []situation) {
			p := opened(open.Subject(ctx), options{})
			answers := map[string]bool{}
			for _, q := range situations() {
				p.take(q.begin()...)
				bespoke, managed := answered(p.s, p.bespoke, q.ask()), answered(p.s, p.managed, q.ask())
				Expect(managed).To(Equal(bespoke), "the reason for a reset on the managed path, against the bespoke one; %s", q)
				answers[bespoke] = true
			}
			if len(answers) < 2 {
				CannotTell("every reason is %v", answers)
			}
		},
		Entry("also when several reasons hold at once", severalAtOnce),
		Entry("at the edge of the attention window", edges),
		Entry("by the values and shape of the prompt", prompts),
		Entry("of a single frame, by the calls that came before it", singles),
	)
}

// severalAtOnce are all combinations of the four reasons.
func severalAtOnce() (qs []situation) {
	for which := range 1 << 4 {
		q := calm()
		if which&1 != 0 {
			q.prompt = nil
		}
		if which&2 != 0 {
			q.tokens = new(int64s(1, 2, 4))
		}
		if which&4 != 0 {
			q.frames, q.calls = 1, 2
		}
		if which&8 != 0 {
			q.start = 7
		}
		qs = append(qs, q)
	}
	return qs
}

// edges are start frames around windows. Minus one stands for a window that is
// never reached.
func edges() (qs []situation) {
	for _, window := range []int{6, 1, 0, -1, -2} {
		for _, start := range []int{0, 1, 5, 6, 7, 100} {
			q := calm()
			q.window, q.start = window, start
			qs = append(qs, q)
		}
	}
	return qs
}

// prompts are pairs of a prompt and the tokens of a request.
func prompts() (qs []situation) {
	same := int64s(1, 2, 3)
	narrower := content{recipe: spec.Bits("int32", []byte{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0}, 1, 3)}
	flat := content{recipe: spec.Bits("int64", same.recipe.Raw, 3)}
	nan := content{recipe: spec.Bits("float32", []byte{0, 0, 0xc0, 0x7f, 0, 0, 0x80, 0x3f}, 1, 2)}
	zero := content{recipe: spec.Bits("float32", make([]byte, 8), 1, 2)}
	minus := content{recipe: spec.Bits("float32", []byte{0, 0, 0, 0x80, 0, 0, 0, 0}, 1, 2)}
	for _, both := range [][2]content{
		{same, same}, {same, int64s(1, 2, 4)}, {same, int64s(0, 2, 3)}, {same, int64s(3, 2, 1)},
		{same, int64s(1, 2)}, {same, int64s(1, 2, 3, 0)}, {same, flat}, {flat, flat},
		{same, narrower}, {narrower, same}, {narrower, int64s(1, 2, 4)},
		{nan, nan}, {nan, zero}, {zero, zero}, {zero, minus},
	} {
		q := calm()
		q.prompt, q.tokens = &both[0], &both[1]
		qs = append(qs, q)
	}
	silent, unprompted := calm(), calm()
	silent.tokens = nil
	unprompted.prompt, unprompted.tokens = nil, nil
	return append(qs, silent, unprompted)
}

// singles are requests of a single frame and of others, early and late.
func singles() (qs []situation) {
	for _, frames := range []int{1, 2, 4} {
		for _, calls := range []int{0, 1, 2, 3, 50} {
			q := calm()
			q.frames, q.calls = frames, calls
			qs = append(qs, q)
		}
	}
	return qs
}
