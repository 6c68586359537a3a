package accounting

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

const (
	walks    = 7  // counts in a race: so few that it releases its threads together once, at the start
	perWalk  = 25 // requests for a session while one count runs
	attempts = 4  // races, each with twice the container, before it cannot be told

	// A request that a count holds up waits for most of what is left of it; one
	// that it does not hold up takes a small part of it, however slow the machine.
	heldUp, wentFree = 0.5, 0.2

	// longEnough is how long one count should take, so that a thread that has to
	// wait for the processor is no hold-up.
	longEnough = 5 * time.Millisecond

	// tooShort is a count, of the most items, that holds up nobody, locked or not.
	tooShort = 200 * time.Microsecond

	firstItems, mostItems = 10_000, 640_000 // of all containers together
)

func waiting(open Open) {
	It("does not hold up requests for sessions", Promise("ACC-21"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Holds(s, spec.KindList)
		c := newContest(s)
		waited := 0 // races in which requests did
		for try := range attempts {
			c.lengthen(try > 0)
			if c.walk < tooShort {
				Note("a count of %d items takes %v: nobody has to wait for it", c.items, c.walk)
				return
			}
			shares, free := c.race()
			if len(shares) <= walks/2 {
				continue // too few counts ran while a request did
			}
			share := shares[len(shares)/2]
			if share < heldUp && slices.Min(free) < walks/3 {
				continue // some kind of request was not seen to go free
			}
			if share >= heldUp {
				waited++
			}
			if share > wentFree && waited < 2 {
				continue // a busy machine may look so once
			}
			Note("%d of %d counts of %v overlapped with requests, which took %.0f%% of what was left of the count", len(shares), walks, c.walk, 100*share)
			Expect(share).To(BeNumerically("<", heldUp),
				"how long a request for a session took during a count of %v, as a share of what was left of the count: the longest, median of %d counts",
				c.walk, len(shares))
			return
		}
		CannotTell("counts and requests did not overlap enough, or neither waited nor went free, in %d races", attempts)
	})
}

// A contest is a manager whose statistics take long, and one whose statistics
// take a small part of that: the pause between two requests.
type contest struct {
	s             *op.Client
	m, pause      spec.Manager
	full, light   spec.Session
	items, lists  int
	walk, breathe time.Duration
	requests      int
}

func newContest(s *op.Client) *contest {
	GinkgoHelper()
	var attrs []string
	for i := range 32 {
		attrs = append(attrs, fmt.Sprint("list ", i))
	}
	c := &contest{s: s}
	c.m = Must(s.NewManager(spec.ManagerSpec{Cap: new(100_000), Attrs: Attrs(attrs...)}))
	c.pause = Must(s.NewManager(spec.ManagerSpec{Cap: new(1), Attrs: Attrs(attrs...)}))
	c.full, c.light = Must(c.m.Session("full")), Must(c.pause.Session("light"))
	LetGo(Must(c.m.Session("busy")))
	return c
}

// lengthen adds containers until one count takes long enough; once more than
// that when it is asked to.
func (c *contest) lengthen(more bool) {
	GinkgoHelper()
	for n := max(firstItems, c.items); c.items < mostItems && (more || c.items == 0 || c.walk < longEnough); n *= 2 {
		name := fmt.Sprint("list ", c.lists)
		give(c.full, name, c.list(n))
		give(c.light, name, c.list(n/perWalk))
		c.items, c.lists, more = c.items+n, c.lists+1, false
		c.walk = c.duration(c.m)
	}
	c.breathe = max(c.duration(c.pause), time.Microsecond)
}

// list is a list of one tensor, many times.
func (c *contest) list(n int) spec.Value {
	GinkgoHelper()
	t := storage(c.s, 8)
	defer LetGo(t)
	return Must(c.s.Make(spec.List(slices.Repeat([]spec.Value{t}, n)...)))
}

// duration is how long a manager's statistics take, with nobody else about.
func (c *contest) duration(m spec.Manager) time.Duration {
	GinkgoHelper()
	var took []time.Duration
	for _, e := range Must(c.s.Race([]op.Call{op.ReadStats(m), op.ReadStats(m), op.ReadStats(m)}))[0] {
		Do(e.Err)
		took = append(took, e.End-e.Start)
	}
	slices.Sort(took)
	return took[1]
}

// asks is how many kinds of request there are: for the session that is counted,
// for another and for a new one.
const asks = 3

// race counts on one thread and asks for sessions on another, with a pause
// between two requests, for longer than the counts should take. It returns, for
// each count during which a request was under way, the longest such wait as a
// share of what was left of the count, the smallest first; and for each kind of
// request, during how many counts one went free.
func (c *contest) race() (shares []float64, free []int) {
	GinkgoHelper()
	counts := slices.Repeat([]op.Call{op.ReadStats(c.m)}, walks)
	var requests []op.Call
	n := int(3 * walks * c.walk / (2 * c.breathe)) // as many as fill half as long again
	for i := range min(n+1, 4*walks*perWalk) {
		c.requests++
		id := []string{"full", "busy", fmt.Sprint("new ", c.requests)}[i%asks]
		requests = append(requests, op.GetSession(c.m, id), op.ReadStats(c.pause))
	}
	got := Must(c.s.Race(counts, requests))
	free = make([]int, asks)
	for _, n := range got[0] {
		Do(n.Err)
		waits := waitsDuring(n, got[1])
		if longest := slices.Concat(waits...); len(longest) > 0 {
			shares = append(shares, slices.Max(longest))
		}
		for kind, of := range waits {
			if len(of) > 0 && slices.Max(of) < heldUp {
				free[kind]++
			}
		}
	}
	for _, e := range got[1] {
		Do(e.Err)
		if e.Session != nil {
			LetGo(e.Session)
		}
	}
	slices.Sort(shares)
	return shares, free
}

// waitsDuring is how long requests of each kind were under way during a count, as
// shares of what was left of the count when they began. One that began before
// the count was held up by the one before, if by any: it says nothing of this
// count unless it takes much of that too.
func waitsDuring(count op.Event, events []op.Event) [][]float64 {
	waits, kind := make([][]float64, asks), -1
	for _, e := range events {
		if e.Session == nil {
			continue // a pause
		}
		if kind = (kind + 1) % asks; e.End <= count.Start || e.Start >= count.End {
			continue
		}
		from := max(e.Start, count.Start)
		took, left := min(e.End, count.End)-from, count.End-from
		if 2*left < count.End-count.Start {
			continue // it began late: a short wait would look like a long one
		}
		if share := float64(took) / float64(left); e.Start >= count.Start || share >= heldUp {
			waits[kind] = append(waits[kind], share)
		}
	}
	return waits
}
