package compare

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/statespec/statespec/equivalence/element"
)

func TestABitmapHasABitForEveryElementThatDiffers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{1, 2, 4, 8, 16} {
		for range 2000 {
			n := group
			if random.IntN(4) == 0 {
				n = 1 + random.IntN(group)
			}
			a := make([]byte, n*size)
			for i := range a {
				a[i] = byte(random.Uint32())
			}
			b := append([]byte(nil), a...)
			want := uint64(0)
			for i := range n {
				if random.IntN(3) == 0 {
					b[i*size+random.IntN(size)] ^= 1 << random.IntN(8)
					want |= 1 << i
				}
			}
			if got := differing(a, b, size); got != want {
				t.Fatalf("differing(%d elements of %d bytes) = %064b, want %064b", n, size, got, want)
			}
			if want := int64(bits.OnesCount64(want)); size == 4 && count4(a, b) != want {
				t.Fatalf("count4(%d elements) = %d, want %d", n, count4(a, b), want)
			}
		}
	}
}

func TestEveryPlaceHasItsCell(t *testing.T) {
	for _, shape := range [][]int64{{}, {1}, {5}, {256}, {257}, {100_000}, {3, 4}, {1, 1, 7, 300}, {1000, 1000}, {2, 100_000}, {100_000, 1}, {1, 65_537}} {
		n := int64(1)
		for _, d := range shape {
			n *= d
		}
		h := newHeat(shape)
		if h.down > heatSide || h.across > heatSide {
			t.Errorf("shape %v: %d × %d cells, want at most %d each way", shape, h.down, h.across, heatSide)
		}
		cell, end := h.at(0)
		hits := map[int]bool{cell: true}
		for at := int64(0); at < n; at++ {
			if at == end {
				cell, end = h.at(at)
				hits[cell] = true
			}
			if got, _ := h.at(at); got != cell || cell < 0 || cell >= len(h.counts) || end <= at {
				t.Fatalf("shape %v: at(%d) = cell %d, want %d of %d, until %d", shape, at, got, cell, len(h.counts), end)
			}
		}
		if len(hits) < len(h.counts)-h.across {
			t.Errorf("shape %v: %d of %d cells are anybody's", shape, len(hits), len(h.counts))
		}
	}
}

func TestAMapHoldsEveryElementThatDiffers(t *testing.T) {
	f32, _ := element.Named("float32")
	shape := []int64{300, 7, 90}
	n := 300 * 7 * 90
	a, b := make([]byte, 4*n), make([]byte, 4*n)
	for i := range n {
		if i%3 == 0 {
			b[4*i] = 1
		}
	}
	c := newTally(f32, shape, []int{0, 1, 2}, Options{})
	c.window(a, b, 0)
	c.flush()
	total := int64(0)
	for _, count := range c.heat.counts {
		total += count
	}
	if want := int64(n / 3); total != want || c.different != want {
		t.Errorf("%d in the map, %d counted, want %d", total, c.different, want)
	}
}

func TestNaturalOrderIsThatOfPeople(t *testing.T) {
	for _, pair := range [][2]string{{"a9", "a10"}, {"a", "a1"}, {"a1b2", "a1b10"}, {"a01", "a2"}, {"a1", "a01x"}, {"step_2/x", "step_11/a"}, {"", "a"}, {"99999999999999999999", "100000000000000000000"}} {
		if natural(pair[0], pair[1]) >= 0 || natural(pair[1], pair[0]) <= 0 {
			t.Errorf("natural(%q, %q) = %d, %d, want before and after", pair[0], pair[1], natural(pair[0], pair[1]), natural(pair[1], pair[0]))
		}
	}
	if natural("a01", "a1") == 0 || natural("a1", "a1") != 0 {
		t.Error("natural of two names is 0, want that of one name only")
	}
}
