package rollout

// A camera shows a texture of noise that moves with every step and with every
// action; it wraps around at the edges. The noise is drawn from the seed.
type camera struct {
	height, width int
	texture       []byte // (H, W, C)
}

func newCamera(p Profile, seed uint64, session, which int) camera {
	c := camera{height: p.CameraHeight, width: p.CameraWidth}
	c.texture = make([]byte, c.height*c.width*ColourChannels)
	_, _ = stream(seed, ofTexture, uint64(session), uint64(which)).Read(c.texture) // which never fails
	return c
}

// at copies a row of the picture, moved by so many rows and columns. The shift
// may be negative.
func (c camera) at(dst []byte, row int, moved Shift) {
	from := c.texture[within(row+moved.Rows, c.height)*c.width*ColourChannels:][:c.width*ColourChannels]
	split := within(moved.Columns, c.width) * ColourChannels
	copy(dst[copy(dst, from[split:]):], from[:split])
}

// within is n modulo length, never negative.
func within(n, length int) int {
	n %= length
	if n < 0 {
		n += length
	}
	return n
}

// A Shift moves a picture, in pixels.
type Shift struct{ Rows, Columns int }

// moved is where a camera looks at a step: it drifts by itself, each camera
// another way, and by what the actions so far came to.
func moved(which, step int, actions Shift) Shift {
	return Shift{Rows: step*(which+1) + actions.Rows, Columns: step*(2*which+3) + actions.Columns}
}
