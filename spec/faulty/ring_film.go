package faulty

import (
	"sync"
	"weak"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
)

// A take says what becomes of a chunk in the film of a ring of n frames.
type take = func(f *film, n int, chunk *tensor.Tensor)

// filmedRings is a subject whose latent buffers, bounded in frames, remember
// them in a film beside the reference's own ring, which still says what is
// refused. What else change replaces may use the film.
func filmedRings(rule take, change func(*alteredBuffer, *film)) func() subject.Parts {
	return buffers(func(b *alteredBuffer) {
		f := &film{}
		b.allocate = func(bound object.Bound) error {
			err := b.own.Allocate(bound)
			if err == nil {
				*f = film{axis: bound.Axis}
			}
			return err
		}
		b.commit = func(ps ...*tensor.Tensor) error {
			chunks := ps
			if len(chunks) == 0 {
				chunks = b.staged()
			}
			if err := b.own.Commit(ps...); err != nil {
				return err
			}
			if bound, _ := b.own.Bound(); bound.Unit == object.Frames {
				for _, c := range chunks {
					rule(f, bound.N, c)
				}
			}
			return nil
		}
		b.evict = func() (int64, error) { f.clear(); return b.own.Evict() }
		b.reset = func() error { f.clear(); return b.own.Reset() }
		change(b, f)
	})
}

// retaining is a subject whose rings hold what a rule leaves in their films: the
// latent buffers bounded in frames.
func retaining(rule take) func() subject.Parts {
	return filmedRings(rule, func(b *alteredBuffer, f *film) {
		b.last = func(n int) (*tensor.Tensor, error) {
			if _, err := b.own.Last(n); err != nil {
				return nil, err
			}
			if n > f.len() {
				return nil, fault.New(fault.ErrNotReady, "view last %d of %q: %d so far", n, b.own.Name(), f.len())
			}
			return f.last(n)
		}
		b.view = func(o object.ViewOptions) ([]*tensor.Tensor, error) {
			held, err := b.own.View(o)
			if err != nil || b.unit() != object.Frames || f.len() == 0 {
				return held, err
			}
			all, err := f.last(f.len())
			if err != nil {
				return nil, err
			}
			return append([]*tensor.Tensor{all}, held[1:]...), nil
		}
		b.len = func() int {
			if b.unit() == object.Frames {
				return f.len()
			}
			return b.own.Len()
		}
	})
}

// retainingStreams is the same of DreamZero's encoder streams, of which all
// adapters of a session have one film.
func retainingStreams(rule take) parts {
	return func() subject.Parts {
		var mu sync.Mutex
		films := map[weak.Pointer[manager.Session]]*film{}
		return streams(func(s *alteredStream) {
			mu.Lock()
			defer mu.Unlock()
			of := weak.Make(s.managed().Session())
			if films[of] == nil {
				films[of] = &film{axis: streamAxis}
			}
			s.film(films[of], rule)
			s.showing(films[of])
		})()
	}
}

// showing has the state show what is in a film, by way of its ring. Without the
// ring it has nothing to show.
func (s *alteredStream) showing(f *film) {
	there := func() bool { return resident(s.managed(), dreamzero.EncoderOut) }
	s.frames = func() int {
		if !there() {
			return 0
		}
		return f.len()
	}
	s.observe = func(n int) (*tensor.Tensor, error) {
		if there() && len(f.chunks) > 0 {
			held, err := f.last(s.managed().Window())
			if err != nil {
				return nil, err
			}
			if err := s.refill(held); err != nil {
				return nil, err
			}
		}
		return s.State.ObserveLatents(n)
	}
}
