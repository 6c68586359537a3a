package faulty

import (
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

// inChunks counts chunks where the bound is in frames.
func inChunks(f *film, n int, chunk *tensor.Tensor) {
	f.add(chunk)
	f.keepChunks(n)
}

// wholeChunks lets go of whole chunks until no frame is too many.
func wholeChunks(f *film, n int, chunk *tensor.Tensor) {
	newest, err := tail(chunk, f.axis, n)
	if err != nil {
		return
	}
	for f.add(newest); f.len() > n; {
		f.keepChunks(len(f.chunks) - 1)
	}
}

// itsHead keeps the last frames, but of a chunk that is longer than the ring the
// first.
func itsHead(f *film, n int, chunk *tensor.Tensor) {
	first, err := head(chunk, f.axis, n)
	if err != nil {
		return
	}
	f.add(first)
	f.keepFrames(n)
}

// itsNewest keeps the last frames, of which each chunk brings one.
func itsNewest(f *film, n int, chunk *tensor.Tensor) {
	newest, err := tail(chunk, f.axis, 1)
	if err != nil {
		return
	}
	f.add(newest)
	f.keepFrames(n)
}

// ofNoFrames is a rule that does something to the film when a chunk brings no
// frame, and otherwise what a ring should.
func ofNoFrames(do func(f *film)) take {
	return func(f *film, n int, chunk *tensor.Tensor) {
		if chunk.Dim(f.axis) == 0 {
			do(f)
			return
		}
		f.add(chunk)
		f.keepFrames(n)
	}
}

// ringChunks are faults of chunks that bring several frames, or none.
func ringChunks() []Fault {
	const met = "the real manager, whose rings count chunks: five frames and one stay six, and chunks of none push frames out"
	oneOut := func(f *film) { f.keepFrames(f.len() - 1) }
	return []Fault{
		{
			Name: "bounds a buffer's ring in chunks", Met: met, Breaks: []string{"RNG-01", "RNG-01.empty"},
			Parts: retaining(inChunks),
		}, {
			Name: "bounds the encoder ring in chunks", Met: met, Breaks: []string{"RNG-01", "RNG-01.empty"}, Follows: []string{"EQV-14.close"},
			Parts: retainingStreams(inChunks),
		}, {
			Name: "lets go of a buffer's frames by whole chunks", Breaks: []string{"RNG-01"},
			Parts: retaining(wholeChunks),
		}, {
			Name: "lets go of encoder frames by whole chunks", Breaks: []string{"RNG-01"}, Follows: []string{"EQV-03", "EQV-06", "EQV-14.close"},
			Parts: retainingStreams(wholeChunks),
		}, {
			Name: "keeps the first frames of a chunk longer than a buffer", Breaks: []string{"RNG-01"},
			Parts: retaining(itsHead),
		}, {
			Name: "keeps the first frames of a chunk longer than the encoder ring", Breaks: []string{"RNG-01"}, Follows: []string{"EQV-03", "EQV-06", "EQV-14.close"},
			Parts: retainingStreams(itsHead),
		}, {
			Name: "holds a frame more than a buffer's bound", Breaks: []string{"RNG-01"},
			Parts: buffers(func(b *alteredBuffer) {
				most := 0
				b.allocate = func(bound object.Bound) error {
					n := bound.N
					if bound.Unit == object.Frames && bound.N > 1 {
						bound.N++
					}
					err := b.own.Allocate(bound)
					if err == nil {
						most = n
					}
					return err
				}
				b.last = func(n int) (*tensor.Tensor, error) {
					if b.unit() == object.Frames && n > most {
						return nil, fault.New(fault.ErrOverRead, "view last %d of %q: ring retains %d", n, b.own.Name(), most)
					}
					return b.own.Last(n)
				}
			}),
		}, {
			Name: "takes the newest frame of a chunk alone", Breaks: []string{"RNG-01"},
			Parts: retaining(itsNewest),
		}, {
			Name: "pushes a frame out of a buffer by a chunk of none", Breaks: []string{"RNG-01.empty"},
			Parts: retaining(ofNoFrames(oneOut)),
		}, {
			Name: "empties the encoder ring by a chunk of none", Breaks: []string{"RNG-01.empty"}, Follows: []string{"EQV-14.close"},
			Parts: retainingStreams(ofNoFrames(func(f *film) { f.keepFrames(0) })),
		}, {
			Name: "refuses a chunk of no frames and is empty after it", Breaks: []string{"RNG-01.empty"},
			Parts: buffers(func(b *alteredBuffer) {
				b.commit = func(ps ...*tensor.Tensor) error {
					bound, _ := b.own.Bound()
					ringed := bound.Unit == object.Frames && len(ps) == 1 && bound.Axis < ps[0].Rank()
					if ringed && ps[0].Dim(bound.Axis) == 0 {
						b.own.Allocate(bound)
						return refused("a chunk of no frames")
					}
					return b.own.Commit(ps...)
				}
			}),
		},
	}
}
