package eviction

import (
	"slices"
	"testing"
)

func TestTheOracleKeepsTheMostRecentlyUsed(t *testing.T) {
	for _, c := range []struct {
		n    int
		t    trace
		want []string // oldest first
	}{
		{1, trace{"a"}, []string{"a"}},
		{1, trace{"a", "b"}, []string{"b"}},
		{2, trace{"a", "b", "a", "c"}, []string{"a", "c"}},
		{2, trace{"a", "b", "b", "c"}, []string{"b", "c"}},
		{2, trace{"a", "b", "c", "a", "b"}, []string{"a", "b"}},
		{3, trace{"a", "b", "c", "a", "d", "b"}, []string{"a", "d", "b"}},
		{64, trace{"a", "b", "a"}, []string{"b", "a"}},
	} {
		if got := after(c.n, c.t); !slices.Equal(got, c.want) {
			t.Errorf("after(%d, %v) = %v, want %v", c.n, c.t, got, c.want)
		}
	}
}

func TestTheOracleLeavesTheTraceAsItWas(t *testing.T) {
	tr := trace{"a", "b", "a", "c"}
	after(2, tr)
	if want := (trace{"a", "b", "a", "c"}); !slices.Equal(tr, want) {
		t.Errorf("trace after after(2, trace) = %v, want %v", tr, want)
	}
}
