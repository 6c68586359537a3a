package cuda

import (
	"bytes"
	"math"
	"testing"
)

// run makes the copies of a plan on bytes, and reports a piece that overlaps.
func run(t *testing.T, b []byte, plan []piece) []byte {
	t.Helper()
	b = bytes.Clone(b)
	for _, p := range plan {
		if p.n <= 0 || p.to < p.from+p.n && p.from < p.to+p.n {
			t.Errorf("piece %+v is empty or overlaps", p)
		}
		copy(b[p.to:], bytes.Clone(b[p.from:p.from+p.n]))
	}
	return b
}

func counting(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + i>>8)
	}
	return b
}

func TestPiecesDoWhatMemmoveDoes(t *testing.T) {
	const size = 24
	before := counting(size)
	for to := range size {
		for from := range size {
			for n := range size - max(to, from) + 1 {
				want := bytes.Clone(before)
				copy(want[to:], want[from:from+n])
				plan, ok := pieces(to, from, n)
				if got := run(t, before, plan); !ok || !bytes.Equal(got, want) {
					t.Fatalf("pieces(%d, %d, %d) = %v, %v: gives %v, want %v", to, from, n, plan, ok, got, want)
				}
			}
		}
	}
}

func TestPiecesOfARingAreItsSlotsAscending(t *testing.T) {
	const frame = 10
	plan, ok := pieces(0, frame, 3*frame)
	want := []piece{{0, 10, 10}, {10, 20, 10}, {20, 30, 10}}
	if !ok || len(plan) != 3 || plan[0] != want[0] || plan[1] != want[1] || plan[2] != want[2] {
		t.Errorf("pieces = %v, want %v", plan, want)
	}
}

func TestPiecesAreBounded(t *testing.T) {
	if plan, ok := pieces(0, 1, maxPieces); !ok || len(plan) != maxPieces {
		t.Errorf("%d pieces, %v, want %d", len(plan), ok, maxPieces)
	}
	if plan, ok := pieces(0, 1, maxPieces+1); ok {
		t.Errorf("%d pieces, want them refused", len(plan))
	}
}

// Through a buffer a piece may overlap itself, and the order alone has to be right.
func TestSplitThroughABufferDoesWhatMemmoveDoes(t *testing.T) {
	before := counting(100)
	for _, m := range []piece{{0, 1, 99}, {1, 0, 99}, {3, 1, 90}, {1, 3, 90}} {
		want := bytes.Clone(before)
		copy(want[m.to:], want[m.from:m.from+m.n])
		got := bytes.Clone(before)
		for _, p := range split(m.to, m.from, m.n, 7) {
			copy(got[p.to:], bytes.Clone(got[p.from:p.from+p.n]))
		}
		if !bytes.Equal(got, want) {
			t.Errorf("split of %+v gives %v, want %v", m, got, want)
		}
	}
}

func TestInsideKnowsNoOverflow(t *testing.T) {
	for _, in := range [][3]int{{0, 0, 0}, {0, 8, 8}, {8, 0, 8}, {3, 5, 8}} {
		if s := inside(in[0], in[1], in[2]); s != "" {
			t.Errorf("inside%v = %q, want it inside", in, s)
		}
	}
	for _, out := range [][3]int{{0, 9, 8}, {1, 8, 8}, {9, 0, 8}, {-1, 1, 8}, {0, -1, 8}, {math.MaxInt, 1, 8}, {1, math.MaxInt, 8}, {math.MinInt, 1, 8}} {
		if inside(out[0], out[1], out[2]) == "" {
			t.Errorf("inside%v is, want it refused", out)
		}
	}
}
