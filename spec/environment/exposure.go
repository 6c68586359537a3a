package environment

import (
	"fmt"
	"sync"

	. "github.com/onsi/ginkgo/v2"

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
	return exposed(ctx, open, map[string]string{spec.MaxSessionsVar: value}), exposed(ctx, open, nil)
}

func exposed(ctx SpecContext, open Open, env map[string]string) (e exposure) {
	GinkgoHelper()
	var log ear
	s := open.In(ctx, spec.Process{Env: env, Log: log.hear})
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

// heeding is String with whether there was a warning beyond those of another
// exposure.
func (e exposure) heeding(other exposure) string {
	if len(e.warnings) > len(other.warnings) {
		return e.String() + ", with a warning"
	}
	return e.String() + ", without a warning"
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
