package ring

import (
	"fmt"
	"slices"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// A session is early after 3 latent frames and late after 3,000. Cost that grows
// with it grows a hundredfold and more: a factor of 3 leaves room for everything
// else that differs between two lists of calls.
const (
	early, late = 3, 3000
	factor      = 3
	attempts    = 3
	rounds      = 6 // an attempt
	pairs       = 6 // of an append and a window, a round
	cold        = 2 // pairs before them: a new session's first are of memory and code that nobody touched yet
)

// costs is what the stream costs as the session grows.
func costs(open Open) {
	It("costs no more late in a session than early", Promise("RNG-08"), func(ctx SpecContext) {
		// On one thread: those of a parallel quantiser wait for each other.
		s := open.In(ctx, spec.Process{Threads: 1})
		model := modelOn(s, spec.Managed, 2, "pointwise", Must(s.NewManager(spec.ManagerSpec{})))
		frame := Must(s.Make(spec.Tensor("bfloat16", 1, 1, channels, 1, 2, 2)))
		old := aged(s, model, "late", frame, late)

		measured(s, model, -1, old, frame) // what made the session old is still being cleared away

		var appends, windows []comparison
		for attempt := range attempts {
			young, aging := measured(s, model, attempt, old, frame)
			appends = append(appends, compared("appending a latent frame", young.appends, aging.appends))
			windows = append(windows, compared("reading and quantising a window", young.windows, aging.windows))
			if !appends[attempt].dearer && !windows[attempt].dearer {
				Note("%s", appends[attempt].figures)
				Note("%s", windows[attempt].figures)
				return
			}
		}
		judge(appends)
		judge(windows)
		CannotTell("too noisy: %s; %s", appends[attempts-1].figures, windows[attempts-1].figures)
	})
}

// measured times an old session and new ones in turn.
func measured(s *op.Client, model spec.Model, attempt int, old encoder, frame spec.Value) (young, aging sample) {
	GinkgoHelper()
	for round := range rounds {
		// A session of its own, or the early one would grow as it is measured.
		fresh := aged(s, model, fmt.Sprintf("early %d.%d", attempt, round), frame, early)
		young.add(stopped(s, fresh, frame))
		aging.add(stopped(s, old, frame))
	}
	return young, aging
}

// aged opens a session and has it take frames, one at a time as they come.
func aged(s *op.Client, model spec.Model, id string, frame spec.Value, frames int) encoder {
	GinkgoHelper()
	e := opened(model, id)
	Do(e.push(frame))
	grow(s, &stream{managed: e}, []spec.Value{frame}, 1, frames)
	return e
}

// sample is how long calls took.
type sample struct{ appends, windows []time.Duration }

func (a *sample) add(b sample) {
	a.appends = append(a.appends, b.appends...)
	a.windows = append(a.windows, b.windows...)
}

// stopped appends and reads in turn, as a model does, and times each.
func stopped(s *op.Client, e encoder, frame spec.Value) (t sample) {
	GinkgoHelper()
	var calls []op.Call
	for range cold + pairs {
		calls = append(calls, op.TakeStep(e.state, e.step(frame)), op.TakeStep(e.state, watch(2)))
	}
	for i, event := range timed(s, calls)[2*cold:] {
		// A clock's tick is not a cost: below it nothing is told apart.
		took := max(event.End-event.Start, time.Microsecond)
		if i%2 == 0 {
			t.appends = append(t.appends, took)
		} else {
			t.windows = append(t.windows, took)
		}
	}
	return t
}

// comparison is what something costs late against early.
type comparison struct {
	figures string
	dearer  bool // by the quickest of each: whatever else is at work only adds
	clearly bool // by the many as well
}

func compared(what string, young, aging []time.Duration) (c comparison) {
	slices.Sort(young)
	slices.Sort(aging)
	quarter, half := len(young)/4, len(young)/2
	c.dearer = aging[0] > factor*young[0]
	c.clearly = aging[half] > factor*young[quarter]
	c.figures = fmt.Sprintf("%s: at least %v, median %v (quartiles %v to %v) after %d frames, against at least %v, %v (%v to %v) after %d", what,
		aging[0], aging[half], aging[quarter], aging[3*quarter], late, young[0], young[half], young[quarter], young[3*quarter], early)
	return c
}

// judge fails when something cost clearly more at every attempt.
func judge(attempts []comparison) {
	GinkgoHelper()
	always := !slices.ContainsFunc(attempts, func(c comparison) bool { return !c.dearer || !c.clearly })
	Expect(always).To(BeFalse(), "%s; want at most %d times as much", attempts[len(attempts)-1].figures, factor)
}
