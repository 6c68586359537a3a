package dreamzero_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/fixtures/upstream"
	"github.com/statespec/statespec/reference/manager"
)

// A replay is one run of the refusals on one of our paths: five sessions over
// a store capped at three, each id with the state that was last opened.
type replay struct {
	path    string
	at      string // where it is, for failures
	run     *upstream.Run
	store   dreamzero.Store
	manager *manager.Manager // nil on the bespoke path
	held    map[string]dreamzero.State
	streams map[string]*stream
	tally   *tally
}

// A tally counts what was compared, and how.
type tally struct {
	opens, digests, refusals, nothings int
	byRow                              map[string]int
}

func newReplay(t *testing.T, path string, number int, run *upstream.Run, count *tally) *replay {
	t.Helper()
	o := dreamzero.Options{Window: run.Window, Cap: run.MaxSessions}
	r := &replay{path: path, at: fmt.Sprintf("%s, run %d", path, number), run: run, held: map[string]dreamzero.State{}, streams: map[string]*stream{}, tally: count}
	if path == dreamzero.BespokePath {
		r.store = must[*dreamzero.BespokeStore](t)(dreamzero.NewBespokeStore(o))
		return r
	}
	r.manager = must[*manager.Manager](t)(manager.New(manager.Options{MaxSessions: run.MaxSessions}))
	r.store = must[*dreamzero.ManagedStore](t)(dreamzero.NewManagedStore(r.manager, o))
	return r
}

func (r *replay) play(t *testing.T) {
	t.Helper()
	run := r.at
	for j := range r.run.Calls {
		c := &r.run.Calls[j]
		r.at = fmt.Sprintf("%s, call %d on %s", run, j, c.Session)
		if c.Do == "open" {
			r.open(t, c)
		} else {
			r.call(t, c)
		}
	}
}

// open finds or makes a session. A state that is new begins a stream.
func (r *replay) open(t *testing.T, c *upstream.StateCall) {
	t.Helper()
	if !slices.Contains(r.store.Retained(), c.Session) {
		r.streams[c.Session] = &stream{}
	}
	r.held[c.Session] = must[dreamzero.State](t)(r.store.Open(c.Session))
	if got := r.store.Retained(); !slices.Equal(got, c.Retained) {
		t.Fatalf("%s: retained after open, oldest first = %q, want %q", r.at, got, c.Retained)
	}
	r.tally.opens++
}

// call carries out any other recorded call on the state held, retained or not.
func (r *replay) call(t *testing.T, c *upstream.StateCall) {
	t.Helper()
	s := r.held[c.Session]
	if got := r.retains(s, c.Session); got != *c.Held {
		t.Fatalf("%s: the held state is in the table = %v, want %v", r.at, got, *c.Held)
	}
	e := exchange{call: c, window: r.run.Window, stream: r.streams[c.Session]}
	want, row := r.due(t, e)
	got, err := play(t, s, c)
	if how := want.departs(got, err); how != "" {
		t.Fatalf("%s: %s = %s", r.at, c.Do, how)
	}
	if count := must[any](t)(s.Get(dreamzero.CallCount)); count != *c.CallCount {
		t.Fatalf("%s: call count after %s = %v, want %d", r.at, c.Do, count, *c.CallCount)
	}
	e.stream.after(t, c)
	r.tally.count(want, row)
}

// due is what a call is to answer on this path, and the row that says so, if
// one does.
func (r *replay) due(t *testing.T, e exchange) (due, *difference) {
	t.Helper()
	bespoke, managed := e.call.Answers()
	want := bespoke
	if r.path == dreamzero.ManagedPath {
		want = managed
	}
	row := e.differs(t, r.path)
	if row != nil {
		if !apart(bespoke, managed) {
			t.Fatalf("%s: %s is listed as a %s, and the recorded paths agree", r.at, e.call.Do, row.class)
		}
		return row.due(e), row
	}
	if r.path == dreamzero.ManagedPath && apart(bespoke, managed) {
		t.Fatalf("%s: %s: the recorded paths disagree (bespoke %+v, managed %+v), and no row says what is due", r.at, e.call.Do, bespoke, managed)
	}
	return e.asRecorded(t, r.path, want), nil
}

// apart reports whether two answers are no more than two words for a refusal.
func apart(a, b upstream.Outcome[upstream.Output]) bool {
	if a.Refused() || b.Refused() {
		return a.Refused() != b.Refused()
	}
	return recorded(a.OK) != recorded(b.OK)
}

// retains reports whether a state is the one of its id in the table.
func (r *replay) retains(s dreamzero.State, id string) bool {
	if r.manager == nil {
		return slices.Contains(r.store.Retained(), id)
	}
	session, retained := r.manager.Peek(id)
	return retained && session == s.(*dreamzero.Managed).Session()
}

func (c *tally) count(want due, row *difference) {
	switch {
	case row != nil:
		c.byRow[row.class]++
	case want.refusal != nil:
		c.refusals++
	case want.output.Tensor != nil:
		c.digests++
	default:
		c.nothings++
	}
}

// The log says how much was compared, and how.
func TestOddInputsHaveTheRecordedAnswersOnBothPathsOrTheListedOnes(t *testing.T) {
	runs := must[[]upstream.Run](t)(upstream.Refusals())
	used := map[string]int{}
	for _, path := range []string{dreamzero.BespokePath, dreamzero.ManagedPath} {
		count := &tally{byRow: map[string]int{}}
		for i := range runs {
			newReplay(t, path, i, &runs[i], count).play(t)
		}
		listed := 0
		for class, n := range count.byRow {
			listed += n
			used[class] += n
		}
		if total := count.opens + count.digests + count.refusals + count.nothings + listed; total != 2200 {
			t.Errorf("%s: replayed %d calls, want the 2200 of the recording", path, total)
		}
		t.Logf("%s: %d opens by the retained order; %d calls by the digest of a tensor, %d by refusal, %d that answer nothing; %d as the table says",
			path, count.opens, count.digests, count.refusals, count.nothings, listed)
	}
	for _, d := range differences {
		if used[d.class] != d.calls {
			t.Errorf("calls that are a %s = %d, want %d as the table says", d.class, used[d.class], d.calls)
		}
		t.Logf("%s: %d (%s)", d.class, used[d.class], d.guarantee)
	}
}

// The rows excuse calls by what the recorded managed path did before them. That
// is shown here to be what it did: a ring of chunks, seeded or not, explains
// each of its reads bit for bit.
func TestARingOfChunksExplainsEveryReadOfTheRecordedManagedPath(t *testing.T) {
	digests, refusals := 0, 0
	for i, run := range must[[]upstream.Run](t)(upstream.Refusals()) {
		streams := map[string]*stream{}
		retained := []string{}
		for j := range run.Calls {
			c := &run.Calls[j]
			if c.Do == "open" {
				if !slices.Contains(retained, c.Session) {
					streams[c.Session] = &stream{}
				}
				retained = c.Retained
				continue
			}
			if c.Do == "observe_latents" {
				_, managed := c.Answers()
				want := streams[c.Session].read(t, run.Window, *c.Frames)
				switch {
				case managed.Refused() != (want == nil):
					t.Fatalf("run %d call %d: observe %d = %+v, want %v by the ring of chunks", i, j, *c.Frames, managed, want)
				case want == nil:
					refusals++
				default:
					if how := departs(want, managed.OK); how != "" {
						t.Fatalf("run %d call %d: observe %d by the ring of chunks = %s", i, j, *c.Frames, how)
					}
					digests++
				}
			}
			streams[c.Session].after(t, c)
		}
	}
	if digests+refusals != 481 {
		t.Errorf("explained %d reads, want the 481 of the recording", digests+refusals)
	}
	t.Logf("%d reads explained by digest, %d by refusal", digests, refusals)
}
