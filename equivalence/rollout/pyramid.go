package rollout

// pyramid works out every channel of the first level, and what becomes of it,
// above every row of the last one.
func (e *Encoder) pyramid(frames int, before, after *held) {
	rows := e.layout[entryHead].Height
	share(e.workers, len(e.weights.mix)*rows, func() *column { return newColumn(e, frames, before, after) }, func(c *column, item int) {
		c.group = item / rows
		c.level3(item % rows)
	})
}

// A column works out what becomes of one channel of the first level, the
// group, above one row of the last level. Level l has 2^l of its channels, the
// last one four as the one before it.
type column struct {
	*filter
	group int
	count int // frames of the chunk

	in   [4]channel            // rows that a level is made of
	done [levels][2][4]channel // rows of each level, even and odd
}

func newColumn(e *Encoder, frames int, before, after *held) *column {
	width := e.layout[entryStem].Width
	c := &column{filter: newFilter(e, before, after), count: frames}
	for i := range c.in {
		c.in[i] = newChannel(frames, width/2)
	}
	for level := range c.done {
		for parity := range c.done[level] {
			for i := range 1 << min(level, 2) {
				c.done[level][parity][i] = newChannel(frames, width>>level)
			}
		}
	}
	return c
}

// level0 makes a row of the first level, at the pictures' size.
func (c *column) level0(at int) {
	x, mix := c.done[0][at%2][:1], c.e.weights.mix[c.group]
	for t := range c.count {
		mix.mix(x[0][t], c.e.colour(mix.a, t, at), c.e.colour(mix.b, t, at))
	}
	c.convolve(entryLevel0, entryLevel1, at, x, c.count)
}

// level1 makes a row at half the size, of twice the channels.
func (c *column) level1(at int) {
	c.level0(2 * at)
	c.level0(2*at + 1)
	c.halve(0, 1, c.count)
	x := c.done[1][at%2][:2]
	c.double(entryLevel1, at, x, c.count)
	c.convolve(entryLevel1+1, entryTime1, at, x, c.count)
}

// level2 makes a row at a quarter of the size, of twice the channels again, at
// half the frames.
func (c *column) level2(at int) {
	c.level1(2 * at)
	c.level1(2*at + 1)
	c.halve(1, 2, c.count)
	c.halveTime(entryTime1, at, 2, c.count)
	x := c.done[2][at%2][:4]
	c.double(entryLevel2, at, x, halved(c.count))
	c.convolve(entryLevel2+1, entryTime2, at, x, halved(c.count))
}

// level3 makes a row at an eighth of the size, at a quarter of the frames,
// which is one, and hands it to the head.
func (c *column) level3(at int) {
	c.level2(2 * at)
	c.level2(2*at + 1)
	c.halve(2, 4, halved(c.count))
	c.halveTime(entryTime2, at, 4, halved(c.count))
	c.convolve(entryLevel3, Entries, at, c.in[:], 1)
	place := c.e.layout[entryHead]
	for k, x := range c.in {
		copy(c.e.deepest[((4*c.group+k)*place.Height+at)*place.Width:], x[0][:place.Width])
	}
}

// convolve filters channels in place through the convolutions of the places
// from first up to, not including, end.
func (c *column) convolve(first, end, at int, x []channel, frames int) {
	for entry := first; entry < end; entry++ {
		for k := range x {
			own := len(x)*c.group + k
			c.turn(entry, own, at, x[k], frames)
			c.apply(c.e.weights.conv[entry][own], x[k], x[k], frames)
		}
	}
}

// double filters the channels in, each into two.
func (c *column) double(entry, at int, y []channel, frames int) {
	ins := len(y) / 2
	for k := range ins {
		c.turn(entry, ins*c.group+k, at, c.in[k], frames)
		for o := 2 * k; o < 2*k+2; o++ {
			c.apply(c.e.weights.conv[entry][len(y)*c.group+o], y[o], c.in[k], frames)
		}
	}
}

// halve joins the two rows that are done of a level's channels to rows of half
// the width, the channels in.
func (c *column) halve(level, channels, frames int) {
	for k := range channels {
		square := c.e.weights.halve[level][channels*c.group+k]
		for t := range frames {
			above, below := c.done[level][0][k][t], c.done[level][1][k][t]
			square.halve(c.in[k][t][:len(above)/2], above, below)
		}
	}
}

// halveTime filters the channels in, two frames into one. A seed's only frame
// passes as it is.
func (c *column) halveTime(entry, at, channels, frames int) {
	for k := range channels {
		own := channels*c.group + k
		c.turn(entry, own, at, c.in[k], frames)
		if frames > 1 {
			c.applyHalving(c.e.weights.conv[entry][own], c.in[k], frames)
		}
	}
}

// halved is the frames that a halving in time leaves.
func halved(frames int) int { return (frames + 1) / 2 }
