package rollout

// A channel is one row of one channel, a slice a frame, oldest first. Its
// values are bfloat16, widened.
type channel [bodyFrames][]float32

func newChannel(frames, width int) (c channel) {
	for t := range frames {
		c[t] = make([]float32, width)
	}
	return c
}

// A filter is a causal convolution's history while one row of one channel is
// worked out, from the map before to the map after.
type filter struct {
	e             *Encoder
	before, after *held
	width         int
	older, old    []float32 // the two frames before the chunk; zero where there was none
}

func newFilter(e *Encoder, before, after *held) *filter {
	width := e.layout[entryStem].Width
	return &filter{e: e, before: before, after: after, older: make([]float32, width), old: make([]float32, width)}
}

// turn reads the history of a row of a place, and keeps the last frames of what
// comes in for the next chunk.
func (f *filter) turn(entry, own, at int, x channel, frames int) {
	place := f.e.layout[entry]
	f.width = place.Width
	row := func(h *held, frame int) []byte {
		return h[entry].bytes[2*((own*h[entry].frames+frame)*place.Height+at)*place.Width:]
	}
	f.older, f.old = f.older[:f.width], f.old[:f.width]
	held := f.before[entry].frames
	if held > 0 {
		read(f.old, row(f.before, held-1))
	} else {
		clear(f.old)
	}
	if held > 1 {
		read(f.older, row(f.before, held-2))
	} else {
		clear(f.older)
	}
	kept := f.after[entry].frames
	for k := range kept {
		from := f.old // the frame before the chunk
		if t := frames - kept + k; t >= 0 {
			from = x[t][:f.width]
		}
		write(row(f.after, k), from)
	}
}

// frame returns a frame of the row whose history was read: of the chunk, or
// before it.
func (f *filter) frame(x channel, t int) []float32 {
	switch t {
	case -1:
		return f.old
	case -2:
		return f.older
	}
	return x[t][:f.width]
}

// apply convolves the row whose history was read. Y may be x, whose frames are
// overwritten from the newest on.
func (f *filter) apply(w taps, y, x channel, frames int) {
	for t := frames - 1; t >= 0; t-- {
		w.causal(y[t][:f.width], f.frame(x, t-2), f.frame(x, t-1), f.frame(x, t))
	}
}

// applyHalving convolves it in place at every second frame.
func (f *filter) applyHalving(w taps, x channel, frames int) {
	for t := 0; t < frames; t += 2 {
		w.causal(x[t/2][:f.width], f.frame(x, t-1), f.frame(x, t), f.frame(x, t+1))
	}
}
