package main

import (
	"strings"
	"testing"
)

// A strict peer has not one wrong resident. Of the others it is told how many.
func TestStrictPeersRetainWhatTheModelDoes(t *testing.T) {
	for _, p := range peers() {
		if !p.evicts {
			continue
		}
		for _, tr := range traces() {
			share, err := wrong(p.made, tr)
			switch {
			case err != nil:
				t.Errorf("%s: %v", p.name, err)
			case !p.strict():
				t.Logf("%s, %s: %s of the residents are wrong", p.name, tr.name, percent(share))
			case share != 0:
				t.Errorf("%s, %s: %s of the residents are wrong, want none", p.name, tr.name, percent(share))
			}
		}
	}
}

// fifo evicts what was added first, however often it is used.
type fifo struct{ *simple }

func (c fifo) use(key string) error {
	if !c.has(key) {
		c.of.Add(key, nil)
	}
	return nil
}

func TestWrongResidentsAreFound(t *testing.T) {
	for name, made := range map[string]func(int) (cache, error){
		"a cap of one less": func(limit int) (cache, error) { return newSimple(limit - 1) },
		"a cap of one more": func(limit int) (cache, error) { return newSimple(limit + 1) },
		"first in, first out": func(limit int) (cache, error) {
			c, err := newSimple(limit)
			return fifo{c.(*simple)}, err
		},
		"nothing evicted": newBare,
	} {
		for _, tr := range traces() {
			if share, err := wrong(made, tr); err != nil || share <= 0 || share >= 1 {
				t.Errorf("%s, %s: %v, %v wrong, want some", name, tr.name, share, err)
			}
		}
	}
}

func TestTheTableHasEveryPeerThatEvicts(t *testing.T) {
	var text strings.Builder
	if err := writeStrict(&text); err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(text.String()), "\n")
	if len(rows) != 8 || rows[0] != "| impl | zipf | uniform |" || rows[1] != "|---|---:|---:|" {
		t.Fatalf("want a head and six peers, got\n%s", text.String())
	}
	if !strings.Contains(text.String(), "| statespec | none | none |\n") {
		t.Errorf("want no wrong resident of the reference, got\n%s", text.String())
	}
}
