package compare

import (
	"context"
	"slices"

	"github.com/statespec/statespec/equivalence/artefact"
	"github.com/statespec/statespec/equivalence/element"
)

// tile is the side of the squares in which arrays of different orders are
// compared: each side reads lines of its own, and both fit a cache.
const tile = 32

// strided compares arrays whose elements lie in different orders.
func strided(ctx context.Context, a, b artefact.Array, from [2]artefact.Access, t *tally) (side int, err error) {
	w := &walk{ctx: ctx, shape: a.Shape, t: t, index: make([]int64, len(a.Shape)), place: places(a.Shape)}
	for i, array := range [2]artefact.Array{a, b} {
		w.sides[i] = reading{from[i], array, array.Type.Size}
	}
	if slices.Contains(a.Shape, 0) {
		return -1, nil
	}
	w.p, w.q = shortest(a), shortest(b)
	if w.p == w.q {
		w.q = -1
	}
	err = w.over(0)
	return w.failed, err
}

// places are the strides of places: of a shape in the order of its indices.
func places(shape []int64) []int64 {
	s := make([]int64, len(shape))
	step := int64(1)
	for i := len(shape) - 1; i >= 0; i-- {
		s[i] = step
		step *= shape[i]
	}
	return s
}

// shortest is the axis along which elements lie closest, -1: there is none.
func shortest(a artefact.Array) int {
	best := -1
	for i, d := range a.Shape {
		if d > 1 && (best < 0 || a.Strides[i] < a.Strides[best]) {
			best = i
		}
	}
	return best
}

// reading is one side.
type reading struct {
	from  artefact.Access
	array artefact.Array
	size  int
}

// at is the element of some indices.
func (r *reading) at(index []int64) (element.Bits, error) {
	place := r.array.Offset
	for i, n := range index {
		place += n * r.array.Strides[i]
	}
	b, err := r.from.At(place*int64(r.size), r.size)
	if err != nil {
		return element.Bits{}, err
	}
	if r.array.Big {
		var turned [16]byte
		copy(turned[:], b)
		artefact.Turn(turned[:r.size], r.array.Type.Lane())
		return load(turned[:], 0, r.size), nil
	}
	return load(b, 0, r.size), nil
}

// walk goes over all indices, over those of axes p and q in tiles.
type walk struct {
	ctx    context.Context
	sides  [2]reading
	shape  []int64
	place  []int64
	index  []int64
	p, q   int // -1: none
	t      *tally
	failed int // the side that could not be read
}

// over goes over the axes from this one on, but p and q.
func (w *walk) over(axis int) error {
	for axis < len(w.shape) && (axis == w.p || axis == w.q) {
		axis++
	}
	if axis == len(w.shape) {
		return w.tiles()
	}
	for w.index[axis] = 0; w.index[axis] < w.shape[axis]; w.index[axis]++ {
		if err := w.over(axis + 1); err != nil {
			return err
		}
	}
	return nil
}

// length is that of an axis; of none, 1.
func (w *walk) length(axis int) int64 {
	if axis < 0 {
		return 1
	}
	return w.shape[axis]
}

func (w *walk) tiles() error {
	for p := int64(0); p < w.length(w.p); p += tile {
		for q := int64(0); q < w.length(w.q); q += tile {
			if err := w.tile(p, q); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *walk) tile(p, q int64) error {
	w.failed = -1
	if err := w.ctx.Err(); err != nil {
		return err
	}
	for i := p; i < min(p+tile, w.length(w.p)); i++ {
		if w.p >= 0 {
			w.index[w.p] = i
		}
		for j := q; j < min(q+tile, w.length(w.q)); j++ {
			if w.q >= 0 {
				w.index[w.q] = j
			}
			if err := w.element(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *walk) element() error {
	x, err := w.sides[0].at(w.index)
	if err != nil {
		w.failed = 0
		return err
	}
	y, err := w.sides[1].at(w.index)
	if err != nil {
		w.failed = 1
		return err
	}
	if x != y {
		place := int64(0)
		for i, n := range w.index {
			place += n * w.place[i]
		}
		w.t.apart(w.index, place, x, y)
	}
	return nil
}

// apart counts one element that differs. Places come in any order.
func (t *tally) apart(index []int64, place int64, x, y element.Bits) {
	t.different++
	if t.first < 0 || place < t.first {
		t.first, t.firstA, t.firstB = place, x, y
	}
	if t.countOnly {
		return
	}
	for i, n := range index {
		t.bins[i].one(n, 1)
	}
	cell, _ := t.heat.at(place)
	t.heat.counts[cell]++
	t.element(x, y, place)
}
