package main

import (
	"strings"
	"testing"
	"time"

	"github.com/statespec/statespec/ci/paired"
)

func TestTheListIsSound(t *testing.T) {
	if err := paired.Check(list()); err != nil {
		t.Fatal(err)
	}
	for _, b := range list() {
		for _, impl := range []string{"control", "statespec", "otter", "ristretto", "list"} {
			if !has(b, "impl="+impl+"/sessions=64") {
				t.Errorf("%s has no %s", b.Name, impl)
			}
		}
	}
}

func has(b paired.Benchmark, name string) bool {
	for _, v := range b.Variants {
		if v.Name == name {
			return true
		}
	}
	return false
}

// A peer that no goroutines may share is in no benchmark of two, and what evicts
// nothing in none of evictions.
func TestAPeerIsMeasuredAtWhatItCan(t *testing.T) {
	for _, b := range list() {
		if got, want := has(b, "impl=map/sessions=64"), b.Name == "PeerGet"; got != want {
			t.Errorf("%s has the map: %v, want %v", b.Name, got, want)
		}
		if got, want := has(b, "impl=simplelru/sessions=64"), !strings.HasSuffix(b.Name, "FromTwo"); got != want {
			t.Errorf("%s has simplelru: %v, want %v", b.Name, got, want)
		}
	}
}

// Every body does what it says: it fails by itself where its peer does not.
func TestEveryBodyRuns(t *testing.T) {
	for _, b := range list() {
		t.Run(b.Name, func(t *testing.T) {
			lines := 0
			o := paired.Options{Count: 1, Time: time.Millisecond, Slice: time.Millisecond}
			if err := paired.Run(t.Context(), b, o, func(l paired.Line) error {
				lines++
				control := strings.Contains(l.Name, "impl=control")
				if l.PerOp <= 0 || (l.Ratio > 0) == control {
					t.Errorf("%s: %v ns, %v of the control, want a time, and a ratio for all but the control", l.Name, l.PerOp, l.Ratio)
				}
				background := strings.Contains(l.Name, "impl=otter") || strings.Contains(l.Name, "impl=ristretto")
				if share, told := l.Units["hit-ratio"]; told != background || share < 0 || share > 1 {
					t.Errorf("%s: a hit ratio of %v, told: %v, want one from 0 to 1 of otter and ristretto alone", l.Name, share, told)
				}
				if counted := l.Counted != nil; counted != (!background && !strings.HasSuffix(b.Name, "FromTwo")) {
					t.Errorf("%s: allocations are counted: %v, want them of what one goroutine does", l.Name, counted)
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if lines != len(b.Variants) {
				t.Errorf("%d lines, want one of each of %d", lines, len(b.Variants))
			}
		})
	}
}
