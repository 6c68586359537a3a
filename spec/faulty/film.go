package faulty

import (
	"github.com/statespec/statespec/reference/tensor"
)

// A film is frames kept in the plainest way: the chunks that brought them, one
// behind the other along an axis.
type film struct {
	axis   int
	chunks []*tensor.Tensor
	came   int // chunks, for a rule that counts them
}

// add copies a chunk to the end.
func (f *film) add(chunk *tensor.Tensor) { f.chunks = append(f.chunks, chunk.Clone()) }

func (f *film) clear() { f.chunks, f.came = nil, 0 }

// len counts the frames.
func (f *film) len() (n int) {
	for _, c := range f.chunks {
		n += c.Dim(f.axis)
	}
	return n
}

// last joins the last n frames, fewer where there are no more.
func (f *film) last(n int) (*tensor.Tensor, error) {
	all, err := tensor.Cat(f.axis, f.chunks...)
	if err != nil {
		return nil, err
	}
	return tail(all, f.axis, n)
}

// keepChunks lets go of all but the last n chunks.
func (f *film) keepChunks(n int) { f.chunks = f.chunks[max(0, len(f.chunks)-n):] }

// keepFrames lets go of all but the last n frames: of none, a chunk is left.
func (f *film) keepFrames(n int) {
	if held, err := f.last(max(0, n)); err == nil {
		f.chunks = []*tensor.Tensor{held.Clone()}
	}
}

// bytes are those of the chunks.
func (f *film) bytes() (n int64) {
	for _, c := range f.chunks {
		n += int64(c.NumBytes())
	}
	return n
}

// tail is a view of the last n frames, of all where there are no more.
func tail(t *tensor.Tensor, axis, n int) (*tensor.Tensor, error) {
	n = min(n, t.Dim(axis))
	return t.Narrow(axis, t.Dim(axis)-n, n)
}

// head is a view of the first n frames, of all where there are no more.
func head(t *tensor.Tensor, axis, n int) (*tensor.Tensor, error) {
	return t.Narrow(axis, 0, min(n, t.Dim(axis)))
}

// padded is n frames: those of a tensor, with one of them repeated in front.
func padded(t *tensor.Tensor, axis, n, repeated int) (*tensor.Tensor, error) {
	if t.Dim(axis) >= n {
		return t, nil
	}
	one, err := t.Narrow(axis, repeated, 1)
	if err != nil {
		return nil, err
	}
	joined := []*tensor.Tensor{t}
	for range n - t.Dim(axis) {
		joined = append([]*tensor.Tensor{one}, joined...)
	}
	return tensor.Cat(axis, joined...)
}
