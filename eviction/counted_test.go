package eviction

import (
	"slices"
	"testing"

	"github.com/anishathalye/porcupine"
)

func TestFiguresAreJudgedByThemselves(t *testing.T) {
	figures := map[string]tracked{
		"hits":      {"hits", history.hits, counting("hits")},
		"misses":    {"misses", history.misses, counting("misses")},
		"evictions": {"evictions", func(h history) []change { return h.evictions(2) }, counting("evictions")},
		"sessions":  {"sessions", history.comings, filling("sessions", 2)},
	}
	for _, c := range []struct {
		what, figure, calls string
		want                porcupine.CheckResult
	}{
		{"one after the other", "hits", "1-2 a=1\n3-4 hits:0\n5-6 a=1\n7-8 hits:1", porcupine.Ok},
		{"one that is not counted", "hits", "1-2 a=1\n3-4 a=1\n5-6 hits:0", porcupine.Illegal},
		{"one that is counted twice", "hits", "1-2 a=1\n3-4 a=1\n5-6 hits:2", porcupine.Illegal},
		{"one that is counted before it came", "hits", "1-2 a=1\n3-4 hits:1\n5-6 a=1", porcupine.Illegal},
		{"one that is under way, counted", "hits", "1-2 a=1\n3-6 a=1\n4-5 hits:1", porcupine.Ok},
		{"one that is under way, not counted", "hits", "1-2 a=1\n3-6 a=1\n4-5 hits:0\n7-8 hits:1", porcupine.Ok},
		{"one that is under way, counted and not counted", "hits", "1-2 a=1\n3-8 a=1\n4-5 hits:1\n6-7 hits:0", porcupine.Illegal},
		{"two that came in late", "hits", "1-2 a=1\n3-6 a=1\n4-7 a=1\n8-9 hits:1", porcupine.Illegal},
		{"which of two at once is the miss is not to be seen", "hits", "1-9 a=1\n2-4 a=1\n5-6 hits:0\n10-11 hits:1", porcupine.Ok},
		{"… whichever it is", "hits", "1-9 a=1\n2-4 a=1\n5-6 hits:1\n10-11 hits:1", porcupine.Ok},
		{"… and it is one of them", "hits", "1-9 a=1\n2-4 a=1\n5-6 hits:2", porcupine.Illegal},
		{"of three at once one is counted when two are over", "hits", "1-9 a=1\n2-4 a=1\n3-5 a=1\n6-7 hits:0\n10-11 hits:2", porcupine.Illegal},
		{"a caller that began when another was answered is no maker", "hits", "1-2 a=1\n3-9 a=1\n4-5 a=1\n6-7 hits:0", porcupine.Illegal},

		{"a new session is one miss", "misses", "1-2 a=1\n3-4 a=1\n5-6 misses:1\n7-8 b=2\n9-10 misses:2", porcupine.Ok},
		{"a miss that is not counted", "misses", "1-2 a=1\n3-4 misses:0", porcupine.Illegal},
		{"two callers of a new session are one miss", "misses", "1-4 a=1\n2-3 a=1\n5-6 misses:2", porcupine.Illegal},
		{"whose maker may not have counted it yet", "misses", "1-9 a=1\n2-3 a=1\n4-5 misses:0\n10-11 misses:1", porcupine.Ok},
		{"a figure that stats leaves out", "misses", "1-2 a=1\n3-4 hits:0", porcupine.Illegal},

		{"places are filled without evictions", "evictions", "1-2 a=1\n3-4 b=2\n5-6 evictions:0\n7-8 c=3\n9-10 evictions:1", porcupine.Ok},
		{"an eviction for the second place", "evictions", "1-2 a=1\n3-4 b=2\n5-6 evictions:1", porcupine.Illegal},
		{"an eviction that is not counted", "evictions", "1-2 a=1\n3-4 b=2\n5-6 c=3\n7-8 evictions:0", porcupine.Illegal},
		{"of three misses any may have evicted", "evictions", "1-9 a=1\n2-4 b=2\n3-5 c=3\n6-7 evictions:0\n10-11 evictions:1", porcupine.Ok},
		{"… but when all are over one has", "evictions", "1-9 a=1\n2-4 b=2\n3-5 c=3\n10-11 evictions:0", porcupine.Illegal},

		{"as many as came", "sessions", "1-2 a=1\n3-4 sessions:1\n5-6 b=2\n7-8 sessions:2\n9-10 c=3\n11-12 sessions:2", porcupine.Ok},
		{"more than the cap", "sessions", "1-2 a=1\n3-4 b=2\n5-6 c=3\n7-8 sessions:3", porcupine.Illegal},
		{"one that was dropped", "sessions", "1-2 a=1\n3-4 a!yes\n5-6 sessions:1", porcupine.Illegal},
		{"one that is being dropped", "sessions", "1-2 a=1\n3-6 a!yes\n4-5 sessions:1\n7-8 sessions:0", porcupine.Ok},
		{"a drop of nothing", "sessions", "1-2 a=1\n3-4 b!no\n5-6 sessions:0\n7-8 a!yes\n9-10 sessions:0", porcupine.Illegal},
	} {
		f, h := figures[c.figure], told(t, c.calls)
		if got := judged(f.model, f.operations(h)); got != c.want {
			t.Errorf("%s: %s = %s, want %s:\n%v", c.what, c.figure, got, c.want, h)
		}
	}
}

func TestLinesOfAPictureDoNotOverlap(t *testing.T) {
	f := tracked{"misses", history.misses, counting("misses")}
	ops := f.operations(told(t, "1-9 a=1\n2-4 b=2\n3-5 c=3\n6-8 d=4\n10-11 misses:4"))
	for i, a := range ops {
		for _, b := range ops[:i] {
			if a.ClientId == b.ClientId && a.Call <= b.Return && b.Call <= a.Return {
				t.Errorf("%v and %v overlap on line %d", a.Input, b.Input, a.ClientId)
			}
		}
	}
}

func TestWhatEndsATalkIsNoMoreOfItsRace(t *testing.T) {
	h := told(t, "1-9 a=1\n2-4 b=2")
	if got := h.last(); got != 9 {
		t.Errorf("last = %d, want 9, the end of the call that ends last", got)
	}
	if got := h.instances(); got != 2 {
		t.Errorf("instances = %d, want 2", got)
	}
	if got := h.of("b"); !slices.Equal(methods(got), []string{"session"}) || got[0].id != "b" {
		t.Errorf("of(b) = %v, want its one call", got)
	}
}

func methods(h history) (all []string) {
	for _, c := range h {
		all = append(all, c.method)
	}
	return all
}
