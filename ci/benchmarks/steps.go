package benchmarks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/statespec/statespec/ci/paired"
	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

// state is a new session on a path.
func state(path string) (dreamzero.State, error) {
	if path == dreamzero.BespokePath {
		return dreamzero.NewBespoke(nil), nil
	}
	return dreamzero.NewManaged(manager.NewSession("a"), dreamzero.DefaultWindow, nil)
}

// encoding is a managed session after so many latent frames of the shipped size, in
// which one more is encoded and the window read.
func encoding(frames int) func(context.Context) (*paired.Body, error) {
	return func(context.Context) (*paired.Body, error) {
		chunk, err := written(dtype.BFloat16, latentFrame...)
		if err != nil {
			return nil, err
		}
		s, err := state(dreamzero.ManagedPath)
		if err != nil {
			return nil, err
		}
		if err := s.SeedEncoder(chunk); err != nil {
			return nil, err
		}
		for range frames - 1 {
			if err := s.AppendEncoderChunk(chunk); err != nil {
				return nil, err
			}
		}
		return &paired.Body{
			Run: func(n int) error {
				for range n {
					if err := encode(s, chunk); err != nil {
						return err
					}
				}
				return nil
			},
			Units: func() (map[string]float64, error) {
				n, err := s.Bytes("vae_encoder_out")
				return held(n), err
			},
		}, nil
	}
}

// encode is one step of the encoder's part.
func encode(s dreamzero.State, chunk *tensor.Tensor) error {
	if err := s.AppendEncoderChunk(chunk); err != nil {
		return err
	}
	_, err := s.ObserveLatents(dreamzero.DefaultWindow)
	return err
}

// encodingAgain is the same on the bespoke path, where every step makes the history
// longer: before each it is made as long as it was, which is not timed.
func encodingAgain(frames int) func(context.Context) (*paired.Body, error) {
	return func(context.Context) (*paired.Body, error) {
		chunk, err := written(dtype.BFloat16, latentFrame...)
		if err != nil {
			return nil, err
		}
		shape := slices.Clone(latentFrame)
		shape[2] = frames
		history, err := written(dtype.BFloat16, shape...)
		if err != nil {
			return nil, err
		}
		s, err := state(dreamzero.BespokePath)
		if err != nil {
			return nil, err
		}
		return &paired.Body{
			Timed: func(n int) (took time.Duration, err error) {
				for range n {
					if err := s.SeedEncoder(history); err != nil {
						return 0, err
					}
					runtime.GC() // memory that is there is copied into, not memory that is new
					start := time.Now()
					if err := encode(s, chunk); err != nil {
						return 0, err
					}
					took += time.Since(start)
				}
				return took, nil
			},
			Units: func() (map[string]float64, error) {
				n, err := s.Bytes("vae_encoder_out")
				return held(n), err
			},
		}, nil
	}
}

// sessionLengths are the latent frames that a session has seen.
var sessionLengths = []int{3, 100, 400, 10_000}

func encoderStep() paired.Benchmark {
	b := paired.Benchmark{Name: "EncoderStep", Doc: "one managed encoder step at the shipped size, by the latent frames that the session has seen; the control is the step at 3"}
	b.Variants = append(b.Variants, paired.Variant{Name: controlled(""), SetUp: encoding(3)})
	for _, frames := range sessionLengths {
		b.Variants = append(b.Variants, paired.Variant{
			Name: fmt.Sprintf("path=managed/frames=%d", frames), Most: paired.AtMost(1.05), SetUp: encoding(frames),
		})
	}
	return b
}

// encoderStepCopies holds the step against what does not change with it: beside itself a
// step that became slower at every length is as fast as it was.
func encoderStepCopies() paired.Benchmark {
	return paired.Benchmark{
		Name: "EncoderStepCopies", Doc: "the managed encoder step after 3 latent frames; the control copies what it moves: the frame into a ring of two, which moves both, and as much as a frame into memory that is new, the latents that are returned",
		Variants: []paired.Variant{
			{Name: "path=managed/frames=3", SetUp: encoding(3)},
			{Name: controlled("/frames=3"), SetUp: stepCopied},
		},
	}
}

// stepCopied is the copies of a step.
func stepCopied(context.Context) (*paired.Body, error) {
	frame, err := written(dtype.BFloat16, latentFrame...)
	if err != nil {
		return nil, err
	}
	from, _ := frame.Bytes()
	window := bytes.Repeat(from, dreamzero.DefaultWindow)
	var returned []byte
	return &paired.Body{Run: func(n int) error {
		for range n {
			for i := range dreamzero.DefaultWindow {
				copy(window[i*len(from):], from)
			}
			returned = bytes.Clone(from)
		}
		if n > 0 && len(returned) != len(from) {
			return unlike("bytes returned", len(returned), len(from))
		}
		return nil
	}}, nil
}

// growthOfSteps is what the bespoke path comes to: every step copies the history.
func growthOfSteps() paired.Benchmark {
	b := paired.Benchmark{Name: "EncoderStepGrowth", Doc: "the same on the bespoke path, which keeps every frame; the control is the managed path"}
	b.Variants = append(b.Variants, paired.Variant{Name: controlled(""), SetUp: encoding(3)})
	for _, frames := range sessionLengths {
		b.Variants = append(b.Variants, paired.Variant{Name: fmt.Sprintf("path=bespoke/frames=%d", frames), SetUp: encodingAgain(frames)})
	}
	return b
}

// Frames as the camera stitches them: 352 × 640 × 3 bytes, four of which a call
// returns: 2.7 MB.
var cameraFrame = []int{1, 352, 640, 3}

func frames() paired.Benchmark {
	return paired.Benchmark{
		Name: "Frames", Doc: "a camera frame accumulated, and the last four written into the caller's buffer (stitched: where the producer writes the frame into the ring); the control copies as many bytes as that",
		Variants: []paired.Variant{
			{Name: ours("/frames=4"), Most: paired.AtMost(1.6), SetUp: func(context.Context) (*paired.Body, error) {
				s, err := dreamzero.NewManaged(manager.NewSession("a"), dreamzero.DefaultWindow, nil)
				if err != nil {
					return nil, err
				}
				frame, err := written(dtype.UInt8, cameraFrame...)
				if err != nil {
					return nil, err
				}
				into, err := s.AccumulateFrames(frame)
				if err != nil {
					return nil, err
				}
				for range 8 { // the window is full, and every header has been made
					if into, err = s.AccumulateFrames(frame); err != nil {
						return nil, err
					}
				}
				return &paired.Body{
					Run: func(n int) error {
						for range n {
							if err := s.AccumulateFramesInto(into, frame); err != nil {
								return err
							}
						}
						return nil
					},
					Units: func() (map[string]float64, error) {
						bytes, err := s.Bytes("stitched_buffer")
						return held(bytes), err
					},
				}, nil
			}},
			{Name: "impl=stitched/frames=4", Most: paired.AtMost(1.1), SetUp: stitched},
			{Name: controlled("/frames=4"), SetUp: func(context.Context) (*paired.Body, error) {
				shape := slices.Clone(cameraFrame)
				shape[0] = dreamzero.FramesPerChunk
				frames, err := written(dtype.UInt8, shape...)
				if err != nil {
					return nil, err
				}
				from, _ := frames.Bytes()
				to := slices.Clone(from)
				return &paired.Body{Run: func(times int) error {
					for range times {
						copy(to, from)
					}
					return nil
				}}, nil
			}},
		},
	}
}

// stitched is the same where the producer writes the frame into the ring, which is its
// own affair and not timed here.
func stitched(context.Context) (*paired.Body, error) {
	frame, err := written(dtype.UInt8, cameraFrame...)
	if err != nil {
		return nil, err
	}
	shape := slices.Clone(cameraFrame)
	shape[0] = dreamzero.FramesPerChunk
	into, err := tensor.New(dtype.UInt8, shape...)
	if err != nil {
		return nil, err
	}
	b := object.NewLatentBuffer("stitched_buffer")
	if err := b.Allocate(object.Bound{Unit: object.Frames, N: dreamzero.FramesPerChunk}); err != nil {
		return nil, err
	}
	for range 2 * dreamzero.FramesPerChunk {
		if err := b.Append(frame); err != nil {
			return nil, err
		}
	}
	there := func(*tensor.Tensor) error { return nil }
	return &paired.Body{
		Run: func(n int) error {
			for range n {
				if err := errors.Join(b.Stitch(there), b.CopyLast(into)); err != nil {
					return err
				}
			}
			return nil
		},
		Units: func() (map[string]float64, error) { return held(b.BytesByDevice()["cpu"]), nil },
	}, nil
}

// SessionBytes is the unit of a session's memory divided by the control's.
const SessionBytes = "bytes/control"

// lived is the next step of a session after so many, and the memory the session takes.
func lived(steps int) (step func() error, bytes float64, err error) {
	const few = 22 // lines of a camera frame: its size is not what might grow
	chunk, err := written(dtype.BFloat16, latentFrame...)
	if err != nil {
		return nil, 0, err
	}
	frame, err := written(dtype.UInt8, 1, few, 40, 3)
	if err != nil {
		return nil, 0, err
	}
	before := heap()
	s, err := state(dreamzero.ManagedPath)
	if err != nil {
		return nil, 0, err
	}
	if err := s.SeedEncoder(chunk); err != nil {
		return nil, 0, err
	}
	step = func() error {
		if _, err := s.AccumulateFrames(frame); err != nil {
			return err
		}
		if err := s.AppendEncoderChunk(chunk); err != nil {
			return err
		}
		_, err := s.ObserveLatents(dreamzero.DefaultWindow)
		return err
	}
	for range steps {
		if err := step(); err != nil {
			return nil, 0, err
		}
	}
	return step, float64(heap()) - float64(before), nil
}

// sessionBytes has no control but itself, after fewer steps. What would slow down every
// step alike is found by EncoderStepCopies and Frames, of which the step is made and whose
// controls are copies, and what would hold more in every session by their bytes-held.
func sessionBytes() paired.Benchmark {
	living := func(steps int) func(context.Context) (*paired.Body, error) {
		return func(context.Context) (*paired.Body, error) {
			_, control, err := lived(100)
			if err != nil {
				return nil, err
			}
			step, bytes, err := lived(steps)
			return &paired.Body{
				Run: func(n int) error {
					for range n {
						if err := step(); err != nil {
							return err
						}
					}
					return nil
				},
				Units: func() (map[string]float64, error) {
					return map[string]float64{"heap-bytes": bytes, SessionBytes: bytes / control}, nil
				},
			}, err
		}
	}
	return paired.Benchmark{
		Name: "Session", Doc: "a step of a managed session: a frame, a chunk, the window; its memory on the heap beside that of a session of 100 steps; the control is such a step after 100",
		Variants: []paired.Variant{
			{Name: ours("/steps=10000"), Most: map[string]float64{SessionBytes: 1.02}, SetUp: living(10_000)},
			{Name: controlled(""), SetUp: living(100)},
		},
	}
}
