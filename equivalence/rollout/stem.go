package rollout

// stem centres the pictures and filters each colour in time.
func (e *Encoder) stem(pictures [][]byte, before, after *held) {
	rows := e.layout[entryStem].Height
	share(e.workers, ColourChannels*rows, func() *stemRow {
		return &stemRow{newFilter(e, before, after), newChannel(len(pictures), e.layout[entryStem].Width)}
	}, func(r *stemRow, item int) {
		colour, at := item/rows, item%rows
		r.centre(pictures, colour, at)
		r.turn(entryStem, colour, at, r.x, len(pictures))
		r.apply(e.weights.stem[colour], r.x, r.x, len(pictures))
		for t := range pictures {
			narrow(e.colour(colour, t, at), r.x[t])
		}
	})
}

// A stemRow is a row of one colour.
type stemRow struct {
	*filter
	x channel
}

// centre takes a row of one colour out of the pictures.
func (r *stemRow) centre(pictures [][]byte, colour, at int) {
	for t, picture := range pictures {
		x := r.x[t]
		pixels := picture[at*len(x)*ColourChannels:][:len(x)*ColourChannels]
		for i := range x {
			x[i] = r.e.centred[pixels[i*ColourChannels+colour]]
		}
	}
}

// colour returns a row of the stem's output.
func (e *Encoder) colour(colour, frame, at int) []uint16 {
	stem := e.layout[entryStem]
	return e.colours[((colour*bodyFrames+frame)*stem.Height+at)*stem.Width:][:stem.Width]
}

// head mixes the channels of the last level into the latent channels, each
// output summed from the bias through the channels in ascending order.
func (e *Encoder) head(latent []byte) {
	place := e.layout[entryHead]
	positions, channels := place.Height*place.Width, place.Channels
	const tile = 256
	tiles := (positions + tile - 1) / tile
	share(e.workers, LatentChannels*tiles, func() *[tile]float32 { return new([tile]float32) }, func(room *[tile]float32, item int) {
		out, from := item%LatentChannels, item/LatentChannels*tile
		sum := room[:min(tile, positions-from)]
		for i := range sum {
			sum[i] = e.weights.bias[out]
		}
		for c, w := range e.weights.dense[out*channels : (out+1)*channels] {
			for i, v := range e.deepest[c*positions+from:][:len(sum)] {
				sum[i] += float32(w * v)
			}
		}
		for i := range sum {
			sum[i] = rounded(sum[i])
		}
		write(latent[2*(out*positions+from):], sum)
	})
}
