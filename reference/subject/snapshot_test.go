package subject_test

import (
	"testing"
	"time"

	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
)

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// One session's object, spy or plain, as the attribute of another: a snapshot
// holds both sessions, and must not wait for what it holds itself.
func TestASnapshotCountsAnObjectThatAnotherSessionHolds(t *testing.T) {
	for _, kind := range []spec.ObjectKind{spec.LatentBuffer, spec.EncodeOnceKV, spec.Spy} {
		s := must[spec.Subject](t)(subject.New(t.Context(), spec.Process{}))
		m := must[spec.Manager](t)(s.NewManager(spec.ManagerSpec{Cap: new(4), Snapshot: true}))
		a, b := must[spec.Session](t)(m.Session("a")), must[spec.Session](t)(m.Session("b"))
		o := must[spec.Object](t)(b.Ensure("o", spec.ObjectSpec{Kind: kind}))
		if err := o.Commit(must[spec.Value](t)(s.Make(spec.Tensor("uint8", 1, 1, 8)))); err != nil {
			t.Fatal(err)
		}
		if err := a.SetAttr("x", must[spec.Value](t)(s.Make(spec.Stored(o)))); err != nil {
			t.Fatal(err)
		}
		counted := make(chan spec.Stats, 1)
		go func() {
			st, err := m.Stats()
			if err != nil {
				t.Error(err)
			}
			counted <- st
		}()
		select {
		case st := <-counted:
			if got := st.Counts["total_nbytes"]; got != 8 {
				t.Errorf("total_nbytes with a %s that two sessions hold = %d, want 8", kind, got)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("Stats of a snapshot still waits after 30 s: a deadlock")
		}
	}
}
