package eviction

import (
	"fmt"
	"math/rand/v2"
	"time"

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
		s := open.Subject(ctx)
		const n, threads, each = 2, 3, 20
		rule, how := ruleOf(s, n)
		races(40, func(k int) (int, int) {
			h, overlapped := chat(s, n, k, threads, each)
			switch h.judge(rule) {
			case porcupine.Illegal:
				wrong := h.beginning(func(h history) bool { return h.judge(rule) == porcupine.Illegal })
				Fail(fmt.Sprintf("no order of these calls explains their answers, of %s (the beginning of history %d of seed %d, %d of %d calls):\n%v",
					how, k, GinkgoRandomSeed(), len(wrong), len(h), wrong))
			case porcupine.Unknown:
				CannotTell("history %d of seed %d was not judged within 5 s", k, GinkgoRandomSeed())
			}
			return overlapped, len(h)
		})
	})
}

// judge asks for an order of a history's calls in which a rule explains each.
func (h history) judge(by rule) porcupine.CheckResult {
	return porcupine.CheckOperationsTimeout(model(by), h.operations(), 5*time.Second)
}

// ruleOf is the rule by which a manager's histories are judged: that of an LRU
// cache, unless the manager is none with one caller already, which other rows
// ask.
func ruleOf(s *op.Client, n int) (r rule, how string) {
	GinkgoHelper()
	for k := range 12 {
		if h, _ := chat(s, n, k, 1, 24); h.judge(strictly(n)) != porcupine.Ok {
			return loosely, "a table that may give up any session at any time"
		}
	}
	return strictly(n), fmt.Sprintf("an LRU cache of %d", n)
}

// chat is the k-th history of the run's seed: threads that ask a new manager of
// a cap for sessions, and now and then whether one is retained.
func chat(s *op.Client, n, k, threads, each int) (h history, overlapped int) {
	GinkgoHelper()
	m := manager(s, n)
	calls := chatter(m, rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), uint64(k))), threads, each)
	race := Must(s.Race(calls...))
	return newHistory(s, calls, race), op.Overlaps(race)
}

// chatter is what some threads say to a manager.
func chatter(m spec.Manager, r *rand.Rand, threads, each int) [][]op.Call {
	lists := make([][]op.Call, threads)
	for i := range lists {
		for range each {
			id := names(3)[r.IntN(3)]
			if r.IntN(4) == 0 {
				lists[i] = append(lists[i], op.IsRetained(m, id))
			} else {
				lists[i] = append(lists[i], op.GetSession(m, id))
			}
		}
	}
	return lists
}
