package eviction

import (
	"fmt"

	"github.com/anishathalye/porcupine"
	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// linearizability is the promise that concurrent calls are answered as if they
// had come one at a time, in some order.
func linearizability(open Open) {
	It("answers concurrent requests as some order of them would have been", Promise("EVI-13.linearizable"), func(ctx SpecContext) {
		talk{name: "requests", cap: 2, ids: 3, each: 8, methods: []string{"session", "session", "session", "contains"}}.
			expectOrder(open.Subject(ctx))
	})

	It("answers concurrent drops and continuations as some order of them would have been", Promise("EVI-13.linearizable"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		t := talk{name: "drops", cap: 2, ids: 3, each: 8, methods: []string{"session", "session", "session", "contains"}}
		if can(s, spec.CanDrop) {
			t.methods = append(t.methods, "drop", "drop")
		}
		if can(s, spec.CanContinue) {
			t.methods = append(t.methods, "continue")
		}
		if !can(s, spec.CanDrop) && !can(s, spec.CanContinue) {
			Unclaimed("capabilities %s and %s not claimed", spec.CanDrop, spec.CanContinue)
		}
		t.expectOrder(s)
	})
}

// histories is how many are judged, where enough of their calls overlap.
const histories = 80

// expectOrder judges histories of a talk.
func (t talk) expectOrder(s *op.Client) {
	GinkgoHelper()
	by := t.rule(s)
	judge := judge{patience}
	wrong := func(h history) bool { return judge.of(model(by.rule), h.operations()) == porcupine.Illegal }
	var last history
	races(histories, func(k int) (int, int) {
		h, overlapped := t.together(s, k)
		last = h
		verdict := judge.of(model(by.rule), h.operations())
		if verdict == porcupine.Illegal && by.strict && wrong(t.again(s, h)) {
			by = anyTable // one caller alone gets such answers, too
			verdict = judge.of(model(by.rule), h.operations())
		}
		switch verdict {
		case porcupine.Illegal:
			begin := h.beginning(wrong)
			picture(fmt.Sprintf("%s-%d.html", t.name, k), model(by.rule), begin.operations())
			Fail(fmt.Sprintf("no order of these calls explains their answers, of %s (the beginning of history %d of seed %d, %d of %d calls):\n%v",
				by.how, k, GinkgoRandomSeed(), len(begin), len(h), begin))
		case porcupine.Unknown:
			CannotTell("history %d of seed %d was not judged: %v were not enough for all of them", k, GinkgoRandomSeed(), patience)
		}
		return overlapped, len(h)
	})
	picture(t.name+".html", model(by.rule), last.operations())
}

// A law is the rule by which a manager's histories are judged.
type law struct {
	rule
	strict bool
	how    string
}

// anyTable is the law of a manager that is no LRU cache, which other rows ask.
var anyTable = law{loosely, false, "a table that may give up any session at any time"}

// rule is that of an LRU cache, unless the manager is none with one caller
// already. Where no rule explains even one caller, concurrency is not to blame.
func (t talk) rule(s *op.Client) law {
	GinkgoHelper()
	judge := judge{patience}
	by := law{strictly(t.cap), true, fmt.Sprintf("an LRU cache of %d", t.cap)}
	for k := range 24 {
		h := t.alone(s, k)
		if judge.of(model(by.rule), h.operations()) == porcupine.Ok {
			continue
		}
		by = anyTable
		if judge.of(model(by.rule), h.operations()) != porcupine.Ok {
			CannotTell("the answers that one caller gets are those of no table:\n%v", h)
		}
	}
	return by
}
