package reference_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/statespec/statespec/fixtures/upstream"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/manager"
)

// refusal names the kind of an error as the recordings do.
func refusal(err error) string {
	switch {
	case errors.Is(err, fault.ErrAdmissionRefused):
		return "admission_refused"
	case errors.Is(err, fault.ErrInvalidArgument):
		return "invalid_argument"
	}
	return "unexpected: " + err.Error()
}

// perform carries out a recorded operation and returns it as it would have
// been recorded of the reference. Held are the sessions handed out so far: a
// hit is known by its session being the one that the id had.
func perform(t *testing.T, m *manager.Manager, held map[string]*manager.Session, op upstream.Op) upstream.Op {
	t.Helper()
	did := upstream.Op{Do: op.Do, ID: op.ID, To: op.To}
	var err error
	switch op.Do {
	case "get_or_create":
		var s *manager.Session
		if s, err = m.Session(op.ID); err == nil {
			did.Hit = new(held[op.ID] == s)
			held[op.ID] = s
		}
	case "contains":
		did.Result = &upstream.Result{Answer: new(m.Contains(op.ID))}
	case "drop":
		did.Result = &upstream.Result{Answer: new(m.Drop(op.ID))}
	case "len":
		did.Result = &upstream.Result{Count: new(int64(m.Len()))}
	case "stats":
		did.Result = &upstream.Result{Stats: m.Stats().Map()}
	case "raise_max_sessions":
		var raised bool
		if raised, err = m.RaiseCap(*op.To); err == nil {
			did.Result = &upstream.Result{Answer: &raised}
		}
	default:
		t.Fatalf("the recording has an operation %q that this test does not know", op.Do)
	}
	if err != nil {
		did.Error = refusal(err)
	}
	if op.Retained != nil {
		did.Retained = m.Retained()
	}
	if op.MaxSessionsNow != 0 {
		did.MaxSessionsNow = m.Stats().MaxSessions
	}
	return did
}

// outcome is what an operation answered, and the table after it, in words.
func outcome(op upstream.Op) string {
	var said []string
	switch {
	case op.Error != "":
		said = append(said, "error "+op.Error)
	case op.Hit != nil:
		said = append(said, fmt.Sprint("hit ", *op.Hit))
	case op.Result == nil:
		said = append(said, "no answer")
	case op.Result.Answer != nil:
		said = append(said, fmt.Sprint(*op.Result.Answer))
	case op.Result.Count != nil:
		said = append(said, fmt.Sprint(*op.Result.Count))
	default:
		said = append(said, figures(op.Result.Stats))
	}
	if op.Retained != nil {
		said = append(said, fmt.Sprintf("retained %q", op.Retained))
	}
	if op.MaxSessionsNow != 0 {
		said = append(said, fmt.Sprint("cap ", op.MaxSessionsNow))
	}
	return strings.Join(said, ", ")
}

// figures lists what stats said, by name.
func figures(stats map[string]int64) string {
	var said []string
	for _, name := range slices.Sorted(maps.Keys(stats)) {
		said = append(said, fmt.Sprint(name, " ", stats[name]))
	}
	return strings.Join(said, ", ")
}

// state is what there is after a trace, in words. The order is nil where it was not
// recorded.
func state(retained []string, stats map[string]int64) string {
	if retained == nil {
		return figures(stats)
	}
	return fmt.Sprintf("retained %q, %s", retained, figures(stats))
}

// play replays one trace. What follows a difference that nobody listed means
// nothing, so it stops there.
func (r *replay) play(t *testing.T, key string, trace upstream.Trace) {
	t.Helper()
	if trace.Policy != "" && trace.Policy != "refuse" {
		t.Fatalf("%s, %s: its policy is %q, which this test does not know", r.recording, key, trace.Policy)
	}
	m, err := manager.New(manager.Options{MaxSessions: trace.MaxSessions, RefuseNew: trace.Policy == "refuse"})
	if err != nil {
		t.Fatal(err)
	}
	held := map[string]*manager.Session{}
	for i, op := range trace.Ops {
		what := fmt.Sprintf("%s, operation %d, %s %q", key, i, op.Do, op.ID)
		if err := r.row(what, outcome(op), outcome(perform(t, m, held, op))); err != nil {
			t.Error(err)
			return
		}
	}
	retained := m.Retained()
	if trace.FinalRetained == nil {
		retained = nil
	}
	if err := r.row(key+", at the end", state(trace.FinalRetained, trace.FinalStats), state(retained, m.Stats().Map())); err != nil {
		t.Error(err)
	}
}

func replayTraces(t *testing.T, recording string, load func() ([]upstream.Trace, error)) {
	t.Helper()
	traces, err := load()
	if err != nil {
		t.Fatal(err)
	}
	r := newReplay(recording, differences)
	for i, trace := range traces {
		r.play(t, fmt.Sprintf("trace %d", i), trace)
	}
	r.finish(t)
}

func TestTheManagerEvictsAsRecorded(t *testing.T) {
	replayTraces(t, "lru.json", upstream.LRU)
}

func TestTheManagerRefusesAndRaisesItsCapAsRecorded(t *testing.T) {
	replayTraces(t, "admission.json", upstream.Admission)
}
