package search

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/search/generate"
	"github.com/statespec/statespec/spec/search/history"
	"github.com/statespec/statespec/spec/verdict"
)

// Options says what to search, and for how long.
type Options struct {
	Open    Open
	Process spec.Process // in which subjects are started: fresh ones survive their own crashes

	Seed      uint64
	Shard     verdict.Shard // of the streams of the seed; the zero Shard is all of them
	For       time.Duration // 0: until Histories are done
	Histories int           // 0: until the time is up
	Attempts  int           // histories tried to make one shorter; 0: [Attempts]
	FailFast  bool          // stop at the first failure

	// Progress is told after each history, and while one is made shorter. May be
	// nil.
	Progress func(Progress)
}

// Progress is how far a search is.
type Progress struct {
	Histories, Operations, Failures int
	Shrinking                       string // the name of the failure, else empty
}

// Runs is how often a history that failed is played again to see whether it does.
const Runs = 5

// A Finding is what a search found and how much it tried.
type Finding struct {
	Subject    spec.Hello
	Histories  int
	Operations int // that were carried out, of all histories but the tries of shrinking
	Failures   []Failure
	Incomplete bool // interrupted

	// SubjectError is why the subject could not be run, or not any longer.
	SubjectError string
}

// A Failure is one history that fails.
type Failure struct {
	History    history.History // as short as it came
	Mismatch   Mismatch
	Original   int  // operations of the history as it was generated
	Found      int  // operations that were carried out until then, of all histories
	Reproduces bool // it failed again, in at most Runs runs; else it is left as it was
	Again      int  // later histories that failed under the same name
}

// Search plays histories until the time is up or they are done, and keeps one
// failure of each name.
func Search(ctx context.Context, o Options) Finding {
	s := &searcher{o: o, stage: &stage{open: o.Open, process: o.Process}, seen: map[string]int{}}
	defer s.stage.renew()
	if o.For > 0 {
		var cancel context.CancelFunc
		s.deadline, cancel = context.WithTimeout(ctx, o.For)
		defer cancel()
	} else {
		s.deadline = ctx
	}
	for i := 0; s.goesOn(i); i++ {
		if err := s.one(ctx, s.stream(i)); err != nil {
			s.found.SubjectError = err.Error()
			break
		}
	}
	s.found.Incomplete = ctx.Err() != nil
	return s.found
}

// searcher is a search while it goes on.
type searcher struct {
	o        Options
	stage    *stage
	deadline context.Context
	found    Finding
	seen     map[string]int // failures by the names under which they were seen
}

func (s *searcher) goesOn(i int) bool {
	return s.deadline.Err() == nil && (s.o.Histories <= 0 || i < s.o.Histories) && !(s.o.FailFast && len(s.found.Failures) > 0)
}

// stream is the number of the i-th history of the shard: shards share no number.
func (s *searcher) stream(i int) uint64 {
	if s.o.Shard.Whole() {
		return uint64(i)
	}
	return uint64(s.o.Shard.Index-1) + uint64(i)*uint64(s.o.Shard.Of)
}

// one plays one history, and keeps it if it fails in a new way.
func (s *searcher) one(ctx context.Context, stream uint64) error {
	h := generate.History(s.o.Seed, stream)
	got, err := s.stage.play(s.deadline, h.Operations, nil)
	switch {
	case err != nil && s.deadline.Err() != nil:
		return nil // its start was cut short by who asked: of the subject that says nothing
	case err != nil:
		return err
	}
	if s.stage.c != nil && s.found.Subject.Name == "" {
		s.found.Subject = s.stage.c.Hello()
	}
	s.found.Histories++
	s.found.Operations += got.Ran
	if m := got.Mismatch; m != nil {
		if err := s.failed(ctx, h, m); err != nil {
			return err
		}
	}
	s.tell("")
	return nil
}

func (s *searcher) tell(shrinking string) {
	if s.o.Progress != nil {
		s.o.Progress(Progress{s.found.Histories, s.found.Operations, len(s.found.Failures), shrinking})
	}
}

// failed takes in a history that failed. A subject that answered wrongly is not
// played on: what it did may have outlived the history.
func (s *searcher) failed(ctx context.Context, h history.History, m *Mismatch) error {
	defer s.stage.renew()
	if i, seen := s.seen[m.Name()]; seen {
		s.found.Failures[i].Again++
		return nil
	}
	raw := m.Name()
	s.tell(raw)
	f, err := s.examine(ctx, h, m)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(s.found.Failures, func(x Failure) bool { return x.Mismatch.Name() == f.Mismatch.Name() })
	if i >= 0 {
		s.found.Failures[i].Again++
	} else {
		i = len(s.found.Failures)
		s.found.Failures = append(s.found.Failures, f)
	}
	s.seen[raw], s.seen[f.Mismatch.Name()] = i, i
	return nil
}

// examine finds out whether a history fails again, and makes it shorter if so.
func (s *searcher) examine(ctx context.Context, h history.History, m *Mismatch) (Failure, error) {
	f := Failure{History: h, Mismatch: *m, Original: len(h.Operations), Found: s.found.Operations}
	if s.stage.c != nil {
		f.History.Subject = s.stage.c.Hello().Name
	} else {
		f.History.Subject = s.found.Subject.Name
	}
	again, err := again(ctx, s.stage, h.Operations, m)
	if err != nil {
		return f, err
	}
	f.Reproduces = again != nil
	if again != nil {
		attempts := s.o.Attempts
		if attempts <= 0 {
			attempts = Attempts
		}
		sh := &shrinker{ctx: ctx, stage: s.stage, left: attempts, best: h.Operations, how: again}
		sh.shrink()
		f.History.Operations, f.Mismatch = sh.best, *sh.how
	}
	f.describe()
	return f, nil
}

// again plays a history on new subjects until it fails in the same way, at most
// [Runs] times; nil when it does not.
func again(ctx context.Context, s *stage, h history.Operations, m *Mismatch) (*Mismatch, error) {
	for range Runs {
		s.renew()
		got, err := s.play(ctx, h, nil)
		switch {
		case err != nil && ctx.Err() != nil:
			return nil, nil // cut short by who asked
		case err != nil:
			return nil, err
		}
		if m.alike(got.Mismatch) {
			return got.Mismatch, nil
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, nil
}

// describe writes what was seen into the head of the history.
func (f *Failure) describe() {
	h, m := &f.History, f.Mismatch
	h.Row = m.Name()
	h.Notes = []string{fmt.Sprintf("operation %d, %s", m.At+1, m.Operation), "call: " + m.Call, "want: " + m.Want, "got:  " + m.Got}
	if m.Row == "" && m.Fate == "" {
		h.Row = ""
	}
	if !f.Reproduces {
		h.Notes = append(h.Notes, fmt.Sprintf("did not reproduce in %d runs", Runs))
	}
}
