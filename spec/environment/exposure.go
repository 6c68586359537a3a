package environment

import (
	"fmt"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// many is more sessions than the documented cap by one.
const many = 65

// exposure is what a process makes of the cap variable.
type exposure struct {
	refused  bool     // the configuration or the manager was refused
	cap      string   // as resolved
	kept     int      // how many of the first 65 sessions a manager without a cap of its own retains
	warnings []string // all that were logged meanwhile
}

// expose starts a process with a value in the cap variable, and one without the
// variable for comparison: the default cap and usual warnings are the subject's
// own, so that a row about a value does not ask what the default is.
func expose(ctx SpecContext, open Open, value string) (with, without exposure) {
	GinkgoHelper()
	return exposePair(ctx, open, value, false)
}

// listen is expose for rows that ask for a warning. An implementation may give
// each once a process, where another spec may have had it: where none is heard,
// processes of the operating system are asked, in which nothing was said yet.
func listen(ctx SpecContext, open Open, value string) (with, without exposure) {
	GinkgoHelper()
	with, without = exposePair(ctx, open, value, false)
	if with.refused || with.louder(without) {
		return with, without
	}
	return exposePair(ctx, open, value, true)
}

func exposePair(ctx SpecContext, open Open, value string, fresh bool) (with, without exposure) {
	GinkgoHelper()
	// Without the variable first: what is said once whatever its value must not
	// pass for a word about the value.
	without = exposed(ctx, open, spec.Process{Fresh: fresh})
	if without.refused {
		CannotTell("with %s unset, the config or the manager was refused", spec.MaxSessionsVar)
	}
	with = exposed(ctx, open, spec.Process{Fresh: fresh, Env: map[string]string{spec.MaxSessionsVar: value}})
	return with, without
}

func exposed(ctx SpecContext, open Open, p spec.Process) (e exposure) {
	GinkgoHelper()
	var log ear
	p.Log = log.hear
	s := open.In(ctx, p)
	defer func() { e.warnings = log.warnings() }()
	r, err := s.Resolve(says(true))
	if e.refused = Refused(err); e.refused {
		return e
	}
	m, err := s.NewManager(spec.ManagerSpec{Config: says(true)})
	if e.refused = Refused(err); e.refused {
		return e
	}
	e.cap, e.kept = r.Cap, kept(m, many)
	return e
}

// String is the exposure in words, without its warnings.
func (e exposure) String() string {
	if e.refused {
		return "refused"
	}
	return fmt.Sprintf("cap %s, %d of %d sessions retained", e.cap, e.kept, many)
}

// louder says whether there was a warning beyond those of another exposure.
func (e exposure) louder(than exposure) bool { return len(e.warnings) > len(than.warnings) }

// heard says in a word or two whether it was louder than another exposure.
func (e exposure) heard(other exposure) string {
	if e.louder(other) {
		return "a warning"
	}
	return "no warning"
}

// expectIgnored asks that a value was as good as unset, a fact at a time: short
// texts are not cut in a failure. What else is right is said behind.
func expectIgnored(with, without exposure, value, or string) {
	GinkgoHelper()
	Expect(with.refused).To(BeFalse(), "refused, with %s=%q; want it ignored%s", spec.MaxSessionsVar, value, or)
	Expect(with.cap).To(Equal(without.cap), "the cap used with %s=%q; want that with it unset%s", spec.MaxSessionsVar, value, or)
	Expect(with.kept).To(Equal(without.kept), "of %d sessions, those retained with %s=%q; want as many as with it unset%s", many, spec.MaxSessionsVar, value, or)
}

// kept makes n sessions in an empty manager, lets go of them, and counts those
// that it still has.
func kept(m spec.Manager, n int) (retained int) {
	GinkgoHelper()
	for i := range n {
		LetGo(Must(m.Session(fmt.Sprint("session ", i))))
	}
	for i := range n {
		if Must(m.Contains(fmt.Sprint("session ", i))) {
			retained++
		}
	}
	return retained
}

// ear keeps the warnings of a process.
type ear struct {
	mu    sync.Mutex
	heard []string
}

func (e *ear) hear(r spec.Record) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if r.Level == "warning" {
		e.heard = append(e.heard, r.Text)
	}
}

func (e *ear) warnings() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string(nil), e.heard...)
}
