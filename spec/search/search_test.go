package search_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	"github.com/statespec/statespec/spec/search"
	"github.com/statespec/statespec/spec/search/generate"
	"github.com/statespec/statespec/spec/search/history"
	"github.com/statespec/statespec/spec/verdict"
)

// subjectVar chooses what a fresh process of these tests is.
const subjectVar = "STATESPEC_TEST_SUBJECT"

func TestMain(m *testing.M) {
	f := subject.New
	if name := os.Getenv(subjectVar); name != "" {
		f = wrongs[name].factory()
	}
	driver.ServeIfAsked(f)
	os.Exit(m.Run())
}

// opener starts subjects of a factory in this process.
func opener(f spec.Factory) search.Open { return search.Open(driver.OpenWithin(f, 2*time.Second)) }

// conforms plays histories of a seed and wants no mismatch.
func conforms(t *testing.T, f spec.Factory, n int) {
	t.Helper()
	c, err := opener(f)(t.Context(), spec.Process{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ran, of := 0, 0
	for stream := range uint64(n) {
		h := generate.History(1, stream)
		got := search.Play(t.Context(), c, h.Operations, fmt.Sprint(stream, "/"), nil)
		if m := got.Mismatch; m != nil {
			t.Fatalf("stream %d, operation %d (%s): %v", stream, m.At+1, m.Operation, m)
		}
		ran, of = ran+got.Ran, of+len(h.Operations)
	}
	if ran < of/2 {
		t.Errorf("%d of %d operations were carried out, want half at least", ran, of)
	}
}

func TestTheReferenceConforms(t *testing.T) {
	n := 300
	if testing.Short() {
		n = 50
	}
	conforms(t, subject.New, n)
}

// Managers that differ from the reference where the guarantees leave them free
// are not accused.
func TestManagersThatDifferWhereTheyMayConform(t *testing.T) {
	for name, f := range others {
		t.Run(name, func(t *testing.T) { conforms(t, f.factory(), 120) })
	}
}

func TestSearchFindsAndShrinksAndTheShrunkHistoryFailsAlike(t *testing.T) {
	for name, w := range wrongs {
		if w.row == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			open := opener(w.factory())
			found := search.Search(t.Context(), search.Options{Open: open, Seed: 1, Histories: 200, FailFast: true})
			if len(found.Failures) != 1 {
				t.Fatalf("%d failures in %d operations, want 1", len(found.Failures), found.Operations)
			}
			f := found.Failures[0]
			if !strings.HasPrefix(f.Mismatch.Row, w.row) { // of any case
				t.Errorf("row = %s, want %s\n%s", f.Mismatch.Row, w.row, f.History.Text())
			}
			if n := len(f.History.Operations); n > w.most {
				t.Errorf("shrunk to %d operations, want at most %d\n%s", n, w.most, f.History.Text())
			}
			h, err := history.ParseHistory(f.History.Text())
			if err != nil {
				t.Fatal(err)
			}
			again, err := search.Replay(t.Context(), open, spec.Process{}, h, nil)
			if err != nil || again.Mismatch == nil || again.Mismatch.Row != h.Row {
				t.Errorf("replay = %v, %v, want %s\n%s", again.Mismatch, err, h.Row, h.Text())
			}
			reference, err := search.Replay(t.Context(), opener(subject.New), spec.Process{}, h, nil)
			if err != nil || reference.Mismatch != nil {
				t.Errorf("replay on the reference = %v, %v, want nothing to fail", reference.Mismatch, err)
			}
		})
	}
}

func TestASubjectThatDiesIsAFinding(t *testing.T) {
	for name, fate := range map[string]op.Fate{"exits at a drop": op.Crashed, "panics at a drop": op.Crashed} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(subjectVar, name)
			open := opener(wrongs[name].factory())
			found := search.Search(t.Context(), search.Options{Open: open, Process: spec.Process{Fresh: true}, Seed: 1, Histories: 60, FailFast: true, Attempts: 60})
			if len(found.Failures) != 1 || found.Failures[0].Mismatch.Fate != fate {
				t.Fatalf("failures = %+v, want one that %s", found.Failures, fate)
			}
			r := found.Result(search.Options{}, false)
			if r.Exit != verdict.Failure || !strings.HasPrefix(r.Failures[0].File, "histories/crashed") {
				t.Errorf("exit %d, file %s, want %d and the word crashed", r.Exit, r.Failures[0].File, verdict.Failure)
			}
		})
	}
}

func TestAFailureThatDoesNotReproduceSaysSo(t *testing.T) {
	first := true
	f := func(ctx context.Context, p spec.Process) (spec.Subject, error) {
		w := wrongs["counts every hit twice"]
		if !first {
			return subject.New(ctx, p)
		}
		first = false
		return w.factory()(ctx, p)
	}
	found := search.Search(t.Context(), search.Options{Open: opener(f), Seed: 1, Histories: 20, FailFast: true})
	if len(found.Failures) != 1 || found.Failures[0].Reproduces {
		t.Fatalf("failures = %+v, want one that does not reproduce", found.Failures)
	}
	x := found.Failures[0]
	if len(x.History.Operations) != x.Original {
		t.Errorf("%d operations are kept, want all %d", len(x.History.Operations), x.Original)
	}
	if text := string(x.History.Text()); !strings.Contains(text, "did not reproduce in 5 runs") {
		t.Errorf("the history says\n%s\nwant that it did not reproduce", text)
	}
}

func TestShardsShareNoHistory(t *testing.T) {
	w := wrongs["counts every hit twice"]
	streams := map[uint64]int{}
	for i := 1; i <= 3; i++ {
		found := search.Search(t.Context(), search.Options{Open: opener(w.factory()), Seed: 1, Histories: 30,
			Shard: verdict.Shard{Index: i, Of: 3}, Attempts: 1})
		for _, f := range found.Failures {
			streams[f.History.Stream]++
			if int(f.History.Stream)%3 != i-1 {
				t.Errorf("shard %d/3 played stream %d, want i-1 modulo 3", i, f.History.Stream)
			}
		}
	}
	if len(streams) < 2 {
		t.Errorf("failures in streams %v, want some in several shards", streams)
	}
}

func TestASearchThatIsInterruptedSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	found := search.Search(ctx, search.Options{Open: opener(subject.New), Seed: 1, Histories: 1000,
		Progress: func(p search.Progress) {
			if p.Histories == 3 {
				cancel()
			}
		}})
	if r := found.Result(search.Options{}, false); !r.Incomplete || r.Exit != verdict.Interrupted || r.Histories > 4 {
		t.Errorf("incomplete %t, exit %d, %d histories, want an interrupted search of 3", r.Incomplete, r.Exit, r.Histories)
	}
}

// Whoever ends a search while the subject starts did not wait for it, and knows
// nothing of it.
func TestASubjectIsNotBlamedForAStartThatWasCutShort(t *testing.T) {
	var stop func()
	slow := func(ctx context.Context, _ spec.Process) (*op.Client, error) {
		stop()
		<-ctx.Done()
		return nil, errors.New("not started")
	}
	for _, row := range []struct {
		name string
		long time.Duration
		exit verdict.Exit
		says string
	}{
		{"interrupted", 0, verdict.Interrupted, "0 operations, interrupted"},
		{"the time is up", time.Millisecond, verdict.NoVerdict, "nothing was asked"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		stop = func() {
			if row.long == 0 {
				cancel()
			}
		}
		o := search.Options{Open: slow, Seed: 1, For: row.long, Histories: 3}
		found := search.Search(ctx, o)
		cancel()
		r := found.Result(o, false)
		var text strings.Builder
		if err := r.Text(&text, found, func(int) string { return "" }); err != nil {
			t.Fatal(err)
		}
		if r.Exit != row.exit || r.SubjectError != "" || !strings.Contains(text.String(), row.says) {
			t.Errorf("%s: exit %d, subject error %q and %q, want exit %d, none and %q", row.name, r.Exit, r.SubjectError, text.String(), row.exit, row.says)
		}
	}
}

// Operations whose slots are not there are passed over: any part of a history is
// a history.
func TestAnyPartOfAHistoryCanBePlayed(t *testing.T) {
	c, err := opener(subject.New)(t.Context(), spec.Process{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for stream := range uint64(20) {
		h := generate.History(3, stream).Operations
		for _, part := range []history.Operations{h[len(h)/2:], h[1:], slices.Concat(h[:5], h[20:])} {
			if got := search.Play(t.Context(), c, part, "", nil); got.Mismatch != nil {
				t.Errorf("stream %d: %v\n%s", stream, got.Mismatch, part)
			}
		}
	}
}
