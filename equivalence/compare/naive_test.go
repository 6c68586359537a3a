package compare_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/statespec/statespec/equivalence/compare"
)

// What the comparer finds by bitmaps, bins and tiles is what one finds who looks
// at every element in turn.
func TestTheComparerFindsWhatANaiveOneFinds(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) { checkNaive(t, dir) })
}

func checkNaive(t *rapid.T, dir string) {
	shape, n := []int64{}, int64(1)
	for range rapid.IntRange(0, 4).Draw(t, "axes") {
		d := rapid.Int64Range(0, min(70, 6000/max(n, 1))).Draw(t, "length")
		shape, n = append(shape, d), n*d
	}
	size := rapid.SampledFrom([]int{2, 4, 8}).Draw(t, "size")
	orders := [2]bool{rapid.Bool().Draw(t, "a in Fortran order"), rapid.Bool().Draw(t, "b in Fortran order")}
	every := rapid.SampledFrom([]int{1, 2, 7, 100, 100_000}).Draw(t, "one of")
	seed := rapid.Uint64().Draw(t, "seed")
	a, b := make([]uint64, n), make([]uint64, n)
	for i := range a {
		seed = seed*6364136223846793005 + 1442695040888963407
		a[i] = seed >> (64 - 8*size)
		if b[i] = a[i]; seed>>33%uint64(every) == 0 {
			b[i] ^= 1 << (seed >> 7 % uint64(8*size))
		}
	}
	code := map[int]string{2: "f2", 4: "f4", 8: "f8"}[size]
	files := [2]string{filepath.Join(dir, "a.npy"), filepath.Join(dir, "b.npy")}
	for i, values := range [2][]uint64{a, b} {
		if err := os.WriteFile(files[i], laid(code, shape, values, size, orders[i]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, err := compare.Paths(t.Context(), files[0], files[1], compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	counted, err := compare.Paths(t.Context(), files[0], files[1], compare.Options{CountOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := counted.Artefacts[0], r.Artefacts[0]; got.Different != want.Different || (got.First == nil) != (want.First == nil) || got.First != nil && !slices.Equal(got.First.Index, want.First.Index) {
		t.Errorf("only counted: %d, first %v, want %d, %v", got.Different, got.First, want.Different, want.First)
	}
	sameAsNaive(t, r.Artefacts[0], shape, a, b, size, orders)
}

// laid is a file of values that are given in row-major order.
func laid(code string, shape []int64, values []uint64, size int, fortran bool) []byte {
	data := make([]byte, len(values)*size)
	for i, v := range values {
		at := i
		if fortran {
			at = int(column(shape, unravelled(shape, int64(i))))
		}
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], v)
		copy(data[at*size:(at+1)*size], b[:])
	}
	text := "("
	for _, d := range shape {
		text += fmt.Sprintf("%d,", d)
	}
	name := "False"
	if fortran {
		name = "True"
	}
	return array("<"+code, name, text+")", data)
}

func unravelled(shape []int64, place int64) []int64 {
	index := make([]int64, len(shape))
	for i := len(shape) - 1; i >= 0; i-- {
		index[i] = place % shape[i]
		place /= shape[i]
	}
	return index
}

// column is the place of an index where the first one varies fastest.
func column(shape, index []int64) (place int64) {
	for i := len(shape) - 1; i >= 0; i-- {
		place = place*shape[i] + index[i]
	}
	return place
}

func sameAsNaive(t *rapid.T, got compare.Artefact, shape []int64, a, b []uint64, size int, orders [2]bool) {
	different, largest, typical := int64(0), uint64(0), []uint64{}
	counts := make([]map[int64]int64, len(shape))
	for i := range counts {
		counts[i] = map[int64]int64{}
	}
	first, firstPlace := int64(-1), int64(math.MaxInt64)
	largestAt, largestPlace := int64(-1), int64(0)
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		different++
		index := unravelled(shape, int64(i))
		for axis, at := range index {
			counts[axis][at]++
		}
		place := int64(i)
		if orders[0] && orders[1] { // then the first is the first as they lie
			place = column(shape, index)
		}
		if place < firstPlace {
			first, firstPlace = int64(i), place
		}
		if d, ok := steps(a[i], b[i], size); ok {
			typical = append(typical, d)
			if d > largest || largestAt < 0 || d == largest && place < largestPlace {
				largest, largestAt, largestPlace = d, int64(i), place
			}
		}
	}
	if got.Different != different || got.Elements != int64(len(a)) {
		t.Fatalf("%d of %d differ, want %d of %d", got.Different, got.Elements, different, len(a))
	}
	if different == 0 {
		return
	}
	if want := unravelled(shape, first); !slices.Equal(got.First.Index, want) {
		t.Errorf("the first at %v, want %v", got.First.Index, want)
	}
	for axis, x := range got.Axes {
		for at, n := range counts[axis] {
			if x.Bins[at] != n || x.Width != 1 {
				t.Errorf("axis %d, index %d: %d in bins of %d, want %d", axis, at, x.Bins[at], x.Width, n)
			}
		}
	}
	if largestAt >= 0 {
		if want := unravelled(shape, largestAt); !slices.Equal(got.ULP.LargestIndex, want) {
			t.Errorf("the largest distance at %v, want %v", got.ULP.LargestIndex, want)
		}
	}
	sameDistances(t, got.ULP, typical, largest, different)
}

func sameDistances(t *rapid.T, got *compare.Distances, all []uint64, largest uint64, different int64) {
	if got.NaNPayloads+got.NaNAgainstNumber != different-int64(len(all)) {
		t.Errorf("%d + %d with NaN, want %d", got.NaNPayloads, got.NaNAgainstNumber, different-int64(len(all)))
	}
	if len(all) == 0 {
		return
	}
	if got.Largest != fmt.Sprint(largest) {
		t.Errorf("the largest distance %s, want %d", got.Largest, largest)
	}
	slices.Sort(all)
	var low, high uint64
	n, _ := fmt.Sscanf(got.Typical, "%d to %d", &low, &high)
	if n == 1 {
		high = low
	}
	if middle := all[(len(all)-1)/2]; n == 0 || middle < low || middle > high {
		t.Errorf("typical %q, want the cell of %d", got.Typical, middle)
	}
	for cell, n := range got.Histogram {
		want := int64(0)
		for _, d := range all {
			if bits.Len64(d) == cell {
				want++
			}
		}
		if n != want {
			t.Errorf("cell %d of the histogram = %d, want %d", cell, n, want)
		}
	}
}

// steps counts on the line of all numbers, in big steps of arithmetic that has
// nothing in common with the comparer's.
func steps(a, b uint64, size int) (uint64, bool) {
	sign := uint64(1) << (8*size - 1)
	exponent := map[int]uint64{2: 0x7c00, 4: 0x7f800000, 8: 0x7ff0000000000000}[size]
	place := func(v uint64) uint64 {
		if v&sign != 0 {
			return sign - v&^sign
		}
		return sign + v
	}
	if a&^sign > exponent || b&^sign > exponent {
		return 0, false
	}
	x, y := place(a), place(b)
	return max(x, y) - min(x, y), true
}
