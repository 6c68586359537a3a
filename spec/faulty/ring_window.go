package faulty

import (
	"sync"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
)

// encoderWindows are faults of what a model's window may be, and of two of them
// on one session.
func encoderWindows() []Fault {
	return []Fault{
		{
			Name: "takes a window of zero for the shipped one", Breaks: []string{"RNG-11"},
			Parts: windowed(func(w int) int {
				if w == 0 {
					return dreamzero.DefaultWindow
				}
				return w
			}),
		}, {
			Name: "takes a negative window for its amount", Breaks: []string{"RNG-11"},
			Parts: windowed(func(w int) int { return max(w, -w) }),
		}, {
			Name: "takes any window below one for one", Breaks: []string{"RNG-11"},
			Parts: windowed(func(w int) int { return max(w, 1) }),
		}, {
			Name: "reads a narrow ring through a wider window with padding", Breaks: []string{"RNG-12"},
			Met: "the real manager: a ring made at window 1 and read at window 4 returns padding",
			Parts: secondWindows(func(s *alteredStream, wanted int) {
				s.observe = func(n int) (*tensor.Tensor, error) {
					if window := s.managed().Window(); n > window && n <= wanted {
						return paddedTo(s.State, n, window)
					}
					return s.State.ObserveLatents(n)
				}
			}),
		}, {
			Name: "reads a narrow ring through a wider window as far as it goes", Breaks: []string{"RNG-12"},
			Parts: secondWindows(func(s *alteredStream, wanted int) {
				s.observe = func(n int) (*tensor.Tensor, error) {
					if n > wanted {
						return s.State.ObserveLatents(n)
					}
					return s.State.ObserveLatents(min(n, s.managed().Window()))
				}
			}),
		}, {
			Name: "gives a second window a ring of its own", Breaks: []string{"RNG-12"},
			Parts: ringsOfTheirOwn,
		},
	}
}

// windowed is a subject that makes another window of the one that a model is to
// have.
func windowed(window func(int) int) parts {
	return func() subject.Parts {
		return subject.Parts{ManagedStore: func(m dreamzero.Sessions, o dreamzero.Options) (dreamzero.Store, error) {
			o.Window = window(o.Window)
			return dreamzero.NewManagedStore(m, o)
		}}
	}
}

// secondWindows is a subject that opens a session whose ring has another window
// than is wanted, and reads it in another way.
func secondWindows(change func(s *alteredStream, wanted int)) parts {
	return func() subject.Parts {
		return subject.Parts{ManagedStore: func(m dreamzero.Sessions, o dreamzero.Options) (dreamzero.Store, error) {
			own, err := dreamzero.NewManagedStore(m, o)
			if err != nil {
				return nil, err
			}
			return &tolerant{own, m, o, change}, nil
		}}
	}
}

// tolerant is a store that opens a session of whatever window.
type tolerant struct {
	dreamzero.Store
	sessions dreamzero.Sessions
	options  dreamzero.Options
	change   func(s *alteredStream, wanted int)
}

func (t *tolerant) Open(id string) (dreamzero.State, error) {
	has := t.window(id)
	if has == 0 || has == t.options.Window {
		return t.Store.Open(id)
	}
	o := t.options
	o.Window = has
	own, err := dreamzero.NewManagedStore(t.sessions, o)
	if err != nil {
		return nil, err
	}
	st, err := own.Open(id)
	if err != nil {
		return nil, err
	}
	return altering(st, func(s *alteredStream) { t.change(s, t.options.Window) }), nil
}

// window is that of a session's ring, 0 where there is none.
func (t *tolerant) window(id string) int {
	session, retained := t.sessions.Peek(id)
	if !retained {
		return 0
	}
	o, err := session.Object(dreamzero.EncoderOut)
	if err != nil {
		return 0
	}
	ring, ok := o.(*object.LatentBuffer)
	if !ok {
		return 0
	}
	bound, _ := ring.Bound()
	return bound.N
}

// ringsOfTheirOwn is a subject that keeps the stream of a second window in a
// bespoke state beside the session, begun with what the session's ring holds.
func ringsOfTheirOwn() subject.Parts {
	var mu sync.Mutex
	return secondWindows(func(s *alteredStream, _ int) {
		mu.Lock()
		defer mu.Unlock()
		beside := dreamzero.NewBespoke(nil)
		if held, err := s.held(s.managed().Window()); err == nil && held != nil {
			beside.SeedEncoder(held)
		}
		s.seed, s.append = beside.SeedEncoder, beside.AppendEncoderChunk
		s.frames, s.observe = beside.EncoderFrames, beside.ObserveLatents
	})()
}
