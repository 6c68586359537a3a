package eviction

import (
	"slices"
	"testing"
)

func TestASeedGivesTheSameTraceOnEveryMachine(t *testing.T) {
	got := generate(1, 0, 2, 8).String()
	if want := "[s1 s2 s2 s1 s1 s0 s2 s3]"; got != want {
		t.Errorf("generate(1, 0, 2, 8) = %s, want %s", got, want)
	}
	if other := generate(2, 0, 2, 8).String(); other == got {
		t.Errorf("generate(2, 0, 2, 8) = %s, the trace of seed 1", other)
	}
}

// samples are all that the specs play for a seed, by cap.
func samples(seed int64) map[int][][]sample {
	return map[int][][]sample{1: {short(seed, 1)}, 2: {short(seed, 2)}, 3: {short(seed, 3), long(seed, 3)}, 64: {long(seed, 64)}}
}

func TestTracesAskForMoreThanTheCap(t *testing.T) {
	for seed := range int64(50) {
		for n, sets := range samples(seed) {
			for _, s := range slices.Concat(sets...) {
				if got := len(s.trace.ids()); got <= n {
					t.Errorf("trace %d of seed %d asks for %d ids, want more than the cap of %d", s.k, seed, got, n)
				}
				if last := s.cuts[len(s.cuts)-1]; last != len(s.trace) {
					t.Errorf("trace %d of seed %d is cut at %v, want the last cut at its end, %d", s.k, seed, s.cuts, len(s.trace))
				}
			}
		}
	}
}

// What one spec plays tells an LRU cache from others, whatever the run's seed.
func TestTracesTellAnLRUCacheFromOthers(t *testing.T) {
	others := map[string]func(n int, t trace) []string{
		"first in, first out": fifo,
		"one place too many":  func(n int, t trace) []string { return after(n+1, t) },
		"most recent out":     mru,
	}
	for name, other := range others {
		for seed := range int64(50) {
			for n, sets := range samples(seed) {
				for _, set := range sets {
					oneWay := n == 1 && name != "one place too many" // who else should go?
					if !oneWay && !toldApart(n, set, other) {
						t.Errorf("%s, cap %d: retained as an LRU cache after every trace of seed %d", name, n, seed)
					}
				}
			}
		}
	}
}

func toldApart(n int, set []sample, other func(int, trace) []string) bool {
	for _, s := range set {
		for _, cut := range s.cuts {
			if !slices.Equal(sorted(other(n, s.trace[:cut])), sorted(after(n, s.trace[:cut]))) {
				return true
			}
		}
	}
	return false
}

func sorted(ids []string) []string { return slices.Sorted(slices.Values(ids)) }

func fifo(n int, t trace) (ids []string) {
	for _, id := range t {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
			ids = ids[max(0, len(ids)-n):]
		}
	}
	return ids
}

func mru(n int, t trace) (ids []string) {
	for _, id := range t {
		if at := slices.Index(ids, id); at >= 0 {
			ids = slices.Delete(ids, at, at+1)
		} else if len(ids) == n {
			ids = ids[:n-1]
		}
		ids = append(ids, id)
	}
	return ids
}

func TestAFailingTraceIsShrunk(t *testing.T) {
	plays := 0
	wrong := func(t trace) bool { // a FIFO table of two
		plays++
		return !slices.Equal(sorted(fifo(2, t)), sorted(after(2, t)))
	}
	for k := range habits {
		long := generate(3, k, 2, 60)
		if !wrong(long) {
			continue
		}
		short := shrink(long, 20_000, wrong)
		if !wrong(short) || len(short) != 4 { // a, b, a, c
			t.Errorf("shrink(%v) = %v, want four requests of which the third is a hit", long, short)
		}
	}
	if plays < 2 {
		t.Fatal("no trace failed")
	}
}

func TestShrinkingStopsWithItsBudget(t *testing.T) {
	long, spent := generate(1, 0, 3, 100), 0
	short := shrink(long, 500, func(t trace) bool { spent += len(t); return len(t) > 10 })
	if spent > 500 {
		t.Errorf("shrink with a budget of 500 played %d requests", spent)
	}
	if len(short) <= 10 || len(short) > len(long) {
		t.Errorf("shrink = %d requests, want a trace that is wrong", len(short))
	}
}
