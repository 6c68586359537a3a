package faulty

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/subject"
)

// A fault that replaces one rule of a table breaks that rule alone only where
// the rest is as it should be.
func TestATableWithItsOwnRulesAnswersAsTheReferenceDoes(t *testing.T) {
	for _, refuse := range []bool{false, true} {
		for seed := range uint64(20) {
			o := manager.Options{MaxSessions: 1 + int(seed%4), RefuseNew: refuse, ByteBudget: new(int64(seed))}
			own, err := newTable(o, nil)
			if err != nil {
				t.Fatal(err)
			}
			reference, err := manager.New(o)
			if err != nil {
				t.Fatal(err)
			}
			got, want := play(own, seed), play(reference, seed)
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("a table of %d, refusing %v, seed %d: %s, want %s", o.MaxSessions, refuse, seed, got[i], want[i])
				}
			}
		}
	}
}

// play asks a table for one thing after another, and tells what it answered and
// what it was then.
func play(t subject.Table, seed uint64) (told []string) {
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range 200 {
		id := []string{"", "default", "a", "b", "c", "d", "e"}[r.IntN(7)]
		said := ""
		switch r.IntN(12) {
		case 0:
			said = fmt.Sprintf("contains(%q) = %v", id, t.Contains(id))
		case 1:
			s, err := t.Continue(id)
			said = fmt.Sprintf("continue(%q) = %s, refused %v", id, marked(s, i), err != nil)
		case 2:
			said = fmt.Sprintf("drop(%q) = %v", id, t.Drop(id))
		case 3:
			n := r.IntN(7) - 1
			raised, err := t.RaiseCap(n)
			said = fmt.Sprintf("raise_cap(%d) = %v, refused %v", n, raised, err != nil)
		default:
			s, err := t.Session(id)
			said = fmt.Sprintf("session(%q) = %s, refused %v", id, marked(s, i), err != nil)
		}
		counts := t.Stats().Map()
		names := slices.Sorted(maps.Keys(counts))
		for _, name := range names {
			said += fmt.Sprintf(", %s %d", name, counts[name])
		}
		n, given := t.ByteBudget()
		told = append(told, fmt.Sprintf("call %d: %s, retained %q, budget %d %v", i, said, t.Retained(), n, given))
	}
	return told
}

// marked is the mark that a session had, and gives it one of some bytes.
func marked(s *manager.Session, n int) string {
	if s == nil {
		return "none"
	}
	before, _ := s.Attr("mark")
	s.SetAttr("mark", make([]byte, n))
	b, _ := before.([]byte)
	return fmt.Sprintf("%s with a mark of %d bytes", s.ID(), len(b))
}

func TestATableHasAPlaceAtLeast(t *testing.T) {
	for _, n := range []int{0, -1} {
		if _, err := newTable(manager.Options{MaxSessions: n}, nil); err == nil {
			t.Errorf("newTable(cap %d) = nil, want an error", n)
		}
	}
}
