package element

// Bits are an element's own bits, as little-endian bytes give them; High has
// bytes 8 to 15 of a complex128, and the imaginary part is the upper half of a
// complex64.
type Bits struct{ Low, High uint64 }

// parts splits a complex number.
func (t Type) parts(b Bits) (re, im uint64) {
	if t.Size == 16 {
		return b.Low, b.High
	}
	return b.Low & 0xffffffff, b.Low >> 32
}

// sign is the sign bit of a lane.
func (t Type) sign() uint64 { return 1 << (8*t.Lane() - 1) }

// NaN reports whether an element is not a number, for a complex one: whether
// either part is not.
func (t Type) NaN(b Bits) bool {
	switch t.Kind {
	case Float:
		return b.Low&^t.sign() > t.above
	case Complex:
		re, im := t.parts(b)
		return re&^t.sign() > t.above || im&^t.sign() > t.above
	}
	return false
}

// Distance counts the steps from one element to the other over what the type can
// represent: between floats the units in the last place, with -0 and +0 at the
// same place; between integers their difference; between complex numbers the
// larger of the two parts' distances. Where either is NaN there is none.
func (t Type) Distance(a, b Bits) (steps uint64, ok bool) {
	switch t.Kind {
	case Float:
		return t.between(a.Low, b.Low)
	case Complex:
		are, aim := t.parts(a)
		bre, bim := t.parts(b)
		re, reOK := t.between(are, bre)
		im, imOK := t.between(aim, bim)
		return max(re, im), reOK && imOK
	case Signed:
		shift := 64 - 8*t.Size
		x, y := int64(a.Low<<shift)>>shift, int64(b.Low<<shift)>>shift
		if x < y {
			x, y = y, x
		}
		return uint64(x) - uint64(y), true
	}
	return max(a.Low, b.Low) - min(a.Low, b.Low), true
}

// between is the distance of two floats. Sign and magnitude become a place on one
// line, which is what makes the difference of two bit patterns a distance.
func (t Type) between(a, b uint64) (uint64, bool) {
	sign := t.sign()
	ma, mb := a&^sign, b&^sign
	if ma > t.above || mb > t.above {
		return 0, false
	}
	if (a^b)&sign != 0 {
		return ma + mb, true
	}
	return max(ma, mb) - min(ma, mb), true
}
