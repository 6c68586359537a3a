package main

import (
	"strings"
	"testing"
)

// forgetful finds only every other key, and adds nothing once it is full.
type forgetful struct{ *simple }

func newForgetful(limit int) (cache, error) {
	c, err := newSimple(limit)
	if err != nil {
		return nil, err
	}
	return forgetful{c.(*simple)}, nil
}

func (c forgetful) get(keys []string, start, n int) error {
	c.n.Add(int64(n / 2))
	return nil
}

func (c forgetful) add(keys []string, start, n int) error {
	if c.of.Len() == limit {
		return nil
	}
	return c.simple.add(keys, start, n)
}

func TestABodyFailsWhoseKeysAreNotThere(t *testing.T) {
	p := peer{name: "forgetful", evicts: true, made: newForgetful}
	for _, name := range []string{"gets", "adds"} {
		made := map[string]func(peer, int) setUp{"gets": gets, "adds": adds}[name]
		for _, goroutines := range []int{1, 2} {
			units, err := unitsOf(t, made(p, goroutines))
			if err == nil || !strings.Contains(err.Error(), "want 1") {
				t.Errorf("%s of a peer that loses keys = %v, %v, want an error", name, units, err)
			}
		}
	}
	p.background = true
	if units, err := unitsOf(t, gets(p, 1)); err != nil || units["hit-ratio"] != 0.5 {
		t.Errorf("gets of one that may = %v, %v, want half of them told", units, err)
	}
}

// unitsOf sets up a body, runs it, and asks for its units.
func unitsOf(t *testing.T, set setUp) (map[string]float64, error) {
	t.Helper()
	b, err := set(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for _, n := range []int{2, 998} {
		if err := b.Run(n); err != nil {
			t.Fatal(err)
		}
	}
	return b.Units()
}

// What a benchmark starts from is at its cap.
func TestAPeerThatIsNotFullIsRefused(t *testing.T) {
	p := peer{made: func(limit int) (cache, error) { return newSimple(limit - 1) }}
	for _, set := range []setUp{gets(p, 1), adds(p, 1)} {
		if _, err := set(t.Context()); err == nil || !strings.Contains(err.Error(), "63 of 64") {
			t.Errorf("a peer whose cap is 63 = %v, want an error that says so", err)
		}
	}
}

// Adds evict, each of them: what is added is not there, from one goroutine.
func TestEachAddIsOfAKeyThatWasEvicted(t *testing.T) {
	for _, p := range peers() {
		if !p.strict() {
			continue
		}
		keys := ids(limit * others)
		c, err := p.full(keys[:limit])
		if err != nil {
			t.Fatal(err)
		}
		r := newRound(keys, limit, 1)
		for range 3 * len(keys) {
			if next := keys[r.starts[0]&(len(keys)-1)]; c.has(next) {
				t.Fatalf("%s retains %s, which is added next", p.name, next)
			}
			if err := r.make(c.add, 1); err != nil {
				t.Fatal(err)
			}
		}
		c.close()
	}
}
