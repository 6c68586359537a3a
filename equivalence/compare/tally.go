package compare

import (
	"math/bits"

	"github.com/statespec/statespec/equivalence/element"
)

// A tally counts what differs. Elements come with their place in the order in
// which they are compared: shape is in that order, and axes says which axis of the
// array each of its axes is. What it holds does not grow with the shape.
type tally struct {
	typ       element.Type
	shape     []int64
	axes      []int
	countOnly bool
	options   Options

	different      int64
	first          int64 // place of the first element that differs, -1: none
	firstA, firstB element.Bits

	hist             [65]int64 // by the bits of the distance
	largest          uint64
	largestAt        int64
	off              float64 // the largest difference of two floats
	zeros, nans, nan int64   // -0 against +0; NaN on both sides; on one
	beyondULP        int64
	beyondTolerance  int64

	bins  []bins
	heat  *heat
	outer []int64 // the indices of the row that is being compared
	row   int64   // its number, -1: none
	start int64   // place of its first element
	bound int64   // place that ends the row or the cell of the map
	held  int64   // elements since, not yet in bins of the outer axes and in the map
	cell  int
}

// maxBins is the most counters of an axis.
const maxBins = 1024

// bins count along one axis. Their width is a power of two, so that no division
// stands in the way of an element.
type bins struct {
	counts      []int64
	shift       uint
	first, last int64
}

func newTally(typ element.Type, shape []int64, axes []int, o Options) *tally {
	t := &tally{typ: typ, shape: shape, axes: axes, options: o, countOnly: o.CountOnly, first: -1, largestAt: -1, row: -1}
	if t.countOnly {
		return t
	}
	t.bins = make([]bins, len(shape))
	for i, d := range shape {
		shift := uint(max(0, bits.Len64(uint64(max(d-1, 0)))-bits.Len(maxBins-1)))
		t.bins[i] = bins{make([]int64, max(d-1, 0)>>shift+1), shift, -1, -1}
	}
	t.outer = make([]int64, max(len(shape)-1, 0))
	t.heat = newHeat(shape)
	return t
}

// rowLength is that of the innermost axis.
func (t *tally) rowLength() int64 {
	if len(t.shape) == 0 {
		return 1
	}
	return t.shape[len(t.shape)-1]
}

// add counts elements of one bitmap, the first of them at a place. Places come in
// order.
func (t *tally) add(m uint64, a, b []byte, at int64) {
	size := t.typ.Size
	if t.first < 0 {
		i := bits.TrailingZeros64(m)
		t.first, t.firstA, t.firstB = at+int64(i), load(a, i, size), load(b, i, size)
	}
	t.different += int64(bits.OnesCount64(m))
	if t.countOnly {
		return
	}
	for m != 0 {
		if i := at + int64(bits.TrailingZeros64(m)); i >= t.bound {
			t.move(i)
		}
		part := m & below(t.bound-at)
		m &^= part
		t.held += int64(bits.OnesCount64(part))
		if len(t.bins) > 0 {
			t.bins[len(t.bins)-1].along(part, at-t.start)
		}
		t.elements(part, a, b, at)
	}
}

// along counts a bitmap whose first element has this index.
func (b *bins) along(m uint64, from int64) {
	if i := from + int64(bits.TrailingZeros64(m)); b.first < 0 || i < b.first {
		b.first = i
	}
	b.last = max(b.last, from+int64(last(m)))
	counts, shift := b.counts, b.shift&63
	for ; m != 0; m &= m - 1 {
		counts[(from+int64(bits.TrailingZeros64(m)))>>shift]++
	}
}

// one counts n elements at an index.
func (b *bins) one(index, n int64) {
	if b.first < 0 || index < b.first {
		b.first = index
	}
	b.last = max(b.last, index)
	b.counts[index>>b.shift] += n
}

// move goes to the row and the cell of a place, after what was held is counted.
func (t *tally) move(at int64) {
	t.flush()
	length := t.rowLength()
	row := t.row
	if row < 0 || at >= t.start+length {
		row = at / length
		t.unravel(row)
		t.row, t.start = row, row*length
	}
	var end int64
	t.cell, end = t.heat.at(at)
	t.bound = min(t.start+length, end)
}

// unravel sets the outer indices to those of a row.
func (t *tally) unravel(row int64) {
	n := len(t.outer)
	if t.row >= 0 && row == t.row+1 && n > 0 && t.outer[n-1]+1 < t.shape[n-1] {
		t.outer[n-1]++ // by far the most frequent case, and without a division
		return
	}
	for i := n - 1; i >= 0; i-- {
		t.outer[i] = row % t.shape[i]
		row /= t.shape[i]
	}
}

// flush counts the elements that are held where they belong.
func (t *tally) flush() {
	if t.held == 0 {
		return
	}
	for i, index := range t.outer {
		t.bins[i].one(index, t.held)
	}
	t.heat.counts[t.cell] += t.held
	t.held = 0
}

// elements measures the elements of a bitmap.
func (t *tally) elements(m uint64, a, b []byte, at int64) {
	if t.typ.Kind != element.Float || t.options.ULP > 0 || t.options.tolerance() {
		for ; m != 0; m &= m - 1 {
			i := bits.TrailingZeros64(m)
			t.element(load(a, i, t.typ.Size), load(b, i, t.typ.Size), at+int64(i))
		}
		return
	}
	switch t.typ.Size {
	case 4:
		t.float32s(m, a, b, at)
	case 2:
		t.float16s(m, a, b, at)
	default:
		for ; m != 0; m &= m - 1 {
			i := bits.TrailingZeros64(m)
			t.element(load(a, i, t.typ.Size), load(b, i, t.typ.Size), at+int64(i))
		}
	}
}

// element measures one pair.
func (t *tally) element(x, y element.Bits, at int64) {
	d, ok := t.typ.Distance(x, y)
	if t.options.ULP > 0 && (!ok || d > t.options.ULP) {
		t.beyondULP++
	}
	if t.options.tolerance() && !t.near(x, y) {
		t.beyondTolerance++
	}
	if !ok {
		t.notANumber(x, y)
		return
	}
	if t.typ.Kind == element.Float {
		vx, _ := t.typ.Value(x)
		vy, _ := t.typ.Value(y)
		t.offBy(vx, vy)
	}
	t.distance(d, at)
}

func (t *tally) notANumber(x, y element.Bits) {
	if t.typ.NaN(x) && t.typ.NaN(y) {
		t.nans++
	} else {
		t.nan++
	}
}

func (t *tally) distance(d uint64, at int64) {
	t.hist[bits.Len64(d)]++
	if d == 0 {
		t.zeros++
	}
	if d > t.largest || d == t.largest && (t.largestAt < 0 || at < t.largestAt) {
		t.largest, t.largestAt = d, at
	}
}

// near is numpy's closeness: at most AbsTol + RelTol·|b| apart, in each part of a
// complex number.
func (t *tally) near(x, y element.Bits) bool {
	xr, xi := t.typ.Value(x)
	yr, yi := t.typ.Value(y)
	return t.close(xr, yr) && t.close(xi, yi)
}

func (t *tally) close(x, y float64) bool {
	if x == y {
		return true
	}
	d := x - y
	if d < 0 {
		d = -d
	}
	size := y
	if size < 0 {
		size = -size
	}
	return d <= t.options.AbsTol+float64(t.options.RelTol*size) && size <= maxFloat
}
