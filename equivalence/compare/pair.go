package compare

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/statespec/statespec/equivalence/artefact"
	"github.com/statespec/statespec/equivalence/element"
)

// entries compares one value with another of its name.
func (c *comparison) entries(name string, a, b artefact.Entry) (Artefact, error) {
	art := Artefact{Name: name, Kind: string(a.Kind), Elements: 1}
	switch {
	case a.Kind != b.Kind:
		art.Problem = fmt.Sprintf("kind differs: %s against %s", a.Kind, b.Kind)
		if a.Kind == artefact.Tensor {
			art.Elements = a.Array.Elements()
		}
		return art, nil
	case a.Kind == artefact.Tensor:
		return art, c.arrays(&art, a.Array, b.Array)
	}
	if a.Text == b.Text && a.Bits == b.Bits {
		art.Equal = true
		return art, nil
	}
	art.Different = 1
	art.First = &Divergence{Index: []int64{}, A: clipped(a.Text), B: clipped(b.Text)}
	switch a.Kind {
	case artefact.Float:
		art.First.scalar("float64", a.Bits, b.Bits)
	case artefact.Int:
		x, errX := strconv.ParseInt(a.Text, 10, 64)
		y, errY := strconv.ParseInt(b.Text, 10, 64)
		if errX == nil && errY == nil {
			art.First.scalar("int64", uint64(x), uint64(y))
		}
	case artefact.Text:
		art.First.Index = []int64{int64(common(a.Text, b.Text))}
	}
	return art, nil
}

// scalar fills in the bits of two numbers and how far they are apart.
func (d *Divergence) scalar(typ string, a, b uint64) {
	t, _ := element.Named(typ)
	d.BitsA, d.BitsB = t.Hex(element.Bits{Low: a}), t.Hex(element.Bits{Low: b})
	if steps, ok := t.Distance(element.Bits{Low: a}, element.Bits{Low: b}); ok {
		d.ULP = strconv.FormatUint(steps, 10)
	}
}

// common is how many bytes two texts begin with in common.
func common(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// clipped keeps a text of a file from filling a report.
func clipped(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// arrays compares two arrays of one name, as far as they can be.
func (c *comparison) arrays(art *Artefact, a, b artefact.Array) error {
	c.said(art.Name, &a)
	c.said(art.Name, &b)
	art.Elements, art.DType, art.Shape = a.Elements(), a.Type.Name, slices.Clone(a.Shape)
	if a.Type != b.Type {
		art.Problem = fmt.Sprintf("dtype differs: %s against %s", a.Type.Name, b.Type.Name)
		return nil
	}
	if !slices.Equal(a.Shape, b.Shape) {
		art.Problem = fmt.Sprintf("shape differs: %v against %v", a.Shape, b.Shape)
		return nil
	}
	axesA, packedA := a.Packed()
	axesB, packedB := b.Packed()
	alike := packedA && packedB && slices.Equal(axesA, axesB)
	if a.Order != b.Order && a.Order != artefact.Undeclared && b.Order != artefact.Undeclared && !alike && art.Elements > 0 {
		art.Problem = fmt.Sprintf("order differs: %s against %s", a.Order, b.Order)
	}
	t, err := c.counted(a, b, axesA, alike)
	if err != nil {
		return err
	}
	c.tell(art, t)
	art.Equal = art.Different == 0 && art.Problem == ""
	return nil
}

// said gives bare uint16 the type that they are said to be.
func (c *comparison) said(name string, a *artefact.Array) {
	if a.Type.Name == "uint16" && matches(c.options.BFloat16, name) {
		a.Type, _ = element.Named("bfloat16")
	}
}

// counted compares the elements.
func (c *comparison) counted(a, b artefact.Array, axes []int, alike bool) (*tally, error) {
	if !alike {
		t := newTally(a.Type, a.Shape, inOrder(len(a.Shape)), c.options)
		return t, guarded(c, a.Source.Access, b.Source.Access, func(x, y artefact.Access) (int, error) {
			return strided(c.ctx, a, b, [2]artefact.Access{x, y}, t)
		})
	}
	shape := make([]int64, len(axes))
	for i, axis := range axes {
		shape[i] = a.Shape[axis]
	}
	t := newTally(a.Type, shape, axes, c.options)
	window := min(a.Source.Window(), b.Source.Window())
	return t, guarded(c, a.LittleEndian, b.LittleEndian, func(x, y artefact.Stream) (int, error) {
		return packed(c.ctx, x, y, a.Elements()*int64(a.Type.Size), window, t)
	})
}

func inOrder(n int) []int {
	axes := make([]int, n)
	for i := range axes {
		axes[i] = i
	}
	return axes
}

// index is the place of an element in the array, whichever order it was compared in.
func (t *tally) index(place int64) []int64 {
	index := make([]int64, len(t.shape))
	for i := len(t.shape) - 1; i >= 0; i-- {
		index[t.axes[i]] = place % t.shape[i]
		place /= t.shape[i]
	}
	return index
}

// tell writes down what was counted.
func (c *comparison) tell(art *Artefact, t *tally) {
	art.Different = t.different
	if t.different == 0 {
		return
	}
	art.First = &Divergence{Index: t.index(t.first), A: t.typ.Text(t.firstA), B: t.typ.Text(t.firstB),
		BitsA: t.typ.Hex(t.firstA), BitsB: t.typ.Hex(t.firstB)}
	if d, ok := t.typ.Distance(t.firstA, t.firstB); ok {
		art.First.ULP = strconv.FormatUint(d, 10)
	}
	if t.countOnly {
		return
	}
	art.ULP, art.heat = t.distances(), t.heat
	if art.heat.axis >= 0 {
		art.heat.axis = t.axes[art.heat.axis] // as the array counts them
	}
	art.Axes = t.summaries()
	if o := c.options; o.ULP > 0 || o.tolerance() {
		art.Beside = &Beside{ULP: o.ULP, AbsTol: o.AbsTol, RelTol: o.RelTol}
		if o.ULP > 0 {
			art.Beside.BeyondULP = &t.beyondULP
		}
		if o.tolerance() {
			art.Beside.BeyondTolerance = &t.beyondTolerance
		}
	}
}

// distances are the histogram and what follows from it.
func (t *tally) distances() *Distances {
	d := &Distances{SignedZeros: t.zeros, NaNPayloads: t.nans, NaNAgainstNumber: t.nan, Histogram: []int64{}}
	if t.typ.Kind == element.Unsigned || t.typ.Kind == element.Signed {
		d.SignedZeros = 0
	}
	var total, below int64
	for i, n := range t.hist {
		if total += n; n > 0 {
			d.Histogram = slices.Clone(t.hist[:i+1])
		}
	}
	if total == 0 {
		return d
	}
	d.Largest, d.LargestIndex = strconv.FormatUint(t.largest, 10), t.index(t.largestAt)
	if t.typ.Kind == element.Float {
		d.Difference = strconv.FormatFloat(t.off, 'g', -1, 64)
	}
	for i, n := range t.hist {
		if below += n; 2*below >= total {
			d.Typical = cellName(i)
			break
		}
	}
	return d
}

// cellName names the distances of so many bits.
func cellName(length int) string {
	if length < 2 {
		return strconv.Itoa(length)
	}
	low := uint64(1) << (length - 1)
	return fmt.Sprintf("%d to %d", low, low|(low-1))
}

// summaries say of each axis, in the array's own order, where differences lie.
func (t *tally) summaries() []Axis {
	axes := make([]Axis, len(t.shape))
	for i, b := range t.bins {
		a := Axis{Axis: t.axes[i], Length: t.shape[i], First: b.first, Last: b.last, Bins: b.counts, Width: 1 << b.shift}
		a.Summary = a.summary()
		axes[a.Axis] = a
	}
	return axes
}

func (a Axis) summary() string {
	hit := int64(0)
	for _, n := range a.Bins {
		hit += int64(bits.OnesCount64(uint64(min(n, 1))))
	}
	whole := hit*a.Width >= a.Last-a.First+1
	switch {
	case a.First == a.Last && a.Length == 1:
		return "its only index"
	case a.First == a.Last:
		return fmt.Sprintf("only index %d", a.First)
	case !whole && a.Width == 1:
		return fmt.Sprintf("%d of %d indices, from %d to %d", hit, a.Length, a.First, a.Last)
	case !whole:
		return fmt.Sprintf("some of the indices from %d to %d", a.First, a.Last)
	case a.First == 0 && a.Last == a.Length-1:
		return "every index"
	case a.Last == a.Length-1:
		return fmt.Sprintf("only index %d and later", a.First)
	case a.First == 0:
		return fmt.Sprintf("only index %d and before", a.Last)
	}
	return fmt.Sprintf("only indices %d to %d", a.First, a.Last)
}
