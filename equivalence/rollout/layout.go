package rollout

// cacheFrames is how many input frames a causal convolution of three taps in
// time keeps for its next chunk.
const cacheFrames = 2

// An Entry is one place of the encoder's feature map: the last input frames of
// one causal convolution, (1, Channels, frames, Height, Width) of bfloat16.
type Entry struct {
	Name     string
	Channels int
	Frames   int // from the second chunk on; after the seed it is one
	Height   int // rows
	Width    int // columns
}

// Shape returns the entry's shape while it holds so many frames.
func (e Entry) Shape(frames int) []int { return []int{1, e.Channels, frames, e.Height, e.Width} }

// Bytes returns the bytes of so many frames.
func (e Entry) Bytes(frames int) int { return 2 * e.Channels * frames * e.Height * e.Width }

// FramesAfter returns the frames held after so many chunks, the seed included.
func (e Entry) FramesAfter(chunks int) int { return min(chunks, e.Frames) }

// The places in the feature map, in the encoder's order.
const (
	entryStem    = 0
	entryLevel0  = 1 // four convolutions
	entryLevel1  = 5 // four, of which the first doubles the channels
	entryTime1   = 9
	entryLevel2  = 10 // the same
	entryTime2   = 14
	entryLevel3  = 15 // eight: four of the level, four in the middle
	entryHead    = 23
	Entries      = 24
	levels       = 4
	level3Layers = entryHead - entryLevel3
)

// Layout returns the 24 entries of the feature map of an encoder whose first
// level has so many channels, for stitched frames of a height and width. They
// are those of the public Wan encoder: two residual blocks of two convolutions
// a level, channels times 1, 2, 4 and 4, halving in time after the second and
// the third level, and two blocks in the middle.
func Layout(base, height, width int) []Entry {
	list := make([]Entry, 0, Entries)
	add := func(name string, channels, frames, scale int) {
		list = append(list, Entry{name, channels, frames, height / scale, width / scale})
	}
	blocks := func(place string, in, out, scale int) {
		add(place+".res0.conv1", in, cacheFrames, scale)
		add(place+".res0.conv2", out, cacheFrames, scale)
		add(place+".res1.conv1", out, cacheFrames, scale)
		add(place+".res1.conv2", out, cacheFrames, scale)
	}
	add("conv_in", ColourChannels, cacheFrames, 1)
	blocks("down0", base, base, 1)
	blocks("down1", base, 2*base, 2)
	add("down1.time_conv", 2*base, 1, 4)
	blocks("down2", 2*base, 4*base, 4)
	add("down2.time_conv", 4*base, 1, 8)
	blocks("down3", 4*base, 4*base, 8)
	blocks("mid", 4*base, 4*base, 8)
	add("conv_out", 4*base, cacheFrames, 8)
	return list
}

// Layout returns the profile's feature map.
func (p Profile) Layout() []Entry { return Layout(p.Base, p.Height(), p.Width()) }

// FeatureMapBytes returns the bytes of the whole map after so many chunks, the
// seed included: from the second on it stays what it is.
func (p Profile) FeatureMapBytes(chunks int) int {
	total := 0
	for _, e := range p.Layout() {
		total += e.Bytes(e.FramesAfter(chunks))
	}
	return total
}
