package faulty

import (
	"math/bits"
	"strings"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
)

// byteDreamZero holds faults of what DreamZero's values take, and where.
func byteDreamZero() []Fault {
	return []Fault{
		{
			Name: "rounds the encoder ring up to a power of two", Breaks: []string{"ACC-17"},
			Parts: weighing(func(path string, _ int, n int64) int64 {
				if path == spec.Managed {
					n = int64(1) << bits.Len64(uint64(n-1))
				}
				return n
			}),
		}, {
			Name: "keeps the encoder ring in float32", Breaks: []string{"ACC-17"},
			Parts: weighing(func(path string, _ int, n int64) int64 {
				if path == spec.Managed {
					n *= 2
				}
				return n
			}),
		}, {
			Name: "makes room for two frames more when the encoder ring is seeded", Breaks: []string{"ACC-17"},
			Parts: weighing(func(path string, appended int, n int64) int64 {
				if path == spec.Managed && appended == 0 {
					n *= 2
				}
				return n
			}),
		}, {
			Name: "keeps a third frame once six chunks have come", Breaks: []string{"ACC-17"},
			Parts: weighing(func(path string, appended int, n int64) int64 {
				if path == spec.Managed && appended >= 6 {
					n += n / 2
				}
				return n
			}),
		}, {
			Name: "makes room for a frame more on the bespoke path", Breaks: []string{"ACC-17"},
			Parts: weighing(func(path string, appended int, n int64) int64 {
				if path == spec.Bespoke {
					n += n / int64(appended+1)
				}
				return n
			}),
		},
		{
			Name: "keeps video latents on the device", Breaks: []string{"ACC-19"},
			Parts: onDevice(dreamzero.VideoLatents),
		}, {
			Name: "keeps stitched frames on the device", Breaks: []string{"ACC-19"},
			Parts: onDevice(dreamzero.StitchedFrames),
		}, {
			Name: "keeps a copy of the stitched frames on the device", Breaks: []string{"ACC-19"},
			Parts: func() subject.Parts {
				return subject.Parts{Session: func(_ *subject.Subject, s spec.Session) spec.Session {
					return placedSession{s, dreamzero.StitchedFrames, func(on map[string]int64) { on["cuda:0"] = on["cpu"] }}
				}}
			},
		}, {
			Name: "keeps video latents on the host and counts them on the device", Breaks: []string{"ACC-19"},
			Parts: each(func(s *sight) { toDevice(s, dreamzero.VideoLatents) }),
		}, {
			Name: "does not count stitched frames", Breaks: []string{"ACC-19"},
			Parts: leavingOut(func(s sight) bool { return !s.attribute() && s.name == dreamzero.StitchedFrames }),
		},
	}
}

// weighing is a subject whose DreamZero reports other bytes for the encoder
// output: by the path, the chunks appended and the bytes that there are.
func weighing(bytes func(path string, appended int, n int64) int64) func() subject.Parts {
	return func() subject.Parts {
		return subject.Parts{State: func(s *subject.Subject, st spec.State) spec.State {
			return &weighedState{State: st, s: s, bytes: bytes}
		}}
	}
}

type weighedState struct {
	spec.State
	s        *subject.Subject
	bytes    func(path string, appended int, n int64) int64
	appended int
}

func (w *weighedState) Do(step spec.Step) (spec.Value, error) {
	out, err := w.State.Do(step)
	switch {
	case err != nil:
	case step.Do == "append_encoder_chunk":
		w.appended++
	case strings.HasPrefix(step.Do, "seed"):
		w.appended = 0
	case step.Do == "bytes" && step.Args["name"] == dreamzero.EncoderOut:
		if n := subject.Content(out).(int64); n > 0 {
			return w.s.Wrap(w.bytes(subject.DreamZero(w.State).Path(), w.appended, n)), nil
		}
	}
	return out, err
}

// onDevice is a subject in which an object's bytes are on a device.
func onDevice(name string) func() subject.Parts {
	return func() subject.Parts {
		parts := each(func(s *sight) { toDevice(s, name) })()
		parts.Session = func(_ *subject.Subject, s spec.Session) spec.Session {
			return placedSession{s, name, func(on map[string]int64) { on["cuda:0"], on["cpu"] = on["cpu"], 0 }}
		}
		return parts
	}
}

func toDevice(s *sight, name string) {
	if !s.attribute() && s.name == name {
		s.device = "cuda:0"
	}
}

type (
	placedSession struct {
		spec.Session
		name  string
		place func(on map[string]int64)
	}
	placedObject struct {
		spec.Object
		place func(on map[string]int64)
	}
)

func (p placedSession) Object(name string) (spec.Object, error) {
	o, err := p.Session.Object(name)
	if err != nil || name != p.name {
		return o, err
	}
	return placedObject{o, p.place}, nil
}

// Unwrap is the object for who is handed this one.
func (p placedObject) Unwrap() spec.Object { return p.Object }

func (p placedObject) State() (spec.ObjectState, error) {
	st, err := p.Object.State()
	if err == nil {
		p.place(st.Bytes)
	}
	return st, err
}
