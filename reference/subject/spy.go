package subject

import (
	"slices"
	"sync"

	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

// spy is a latent buffer that records the calls of its lifecycle.
type spy struct {
	*object.LatentBuffer
	mu    sync.Mutex
	calls []string
}

func (s *spy) called(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, name)
}

// Calls returns what was called so far, in order.
func (s *spy) Calls() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

func (s *spy) Allocate(b object.Bound) error { s.called("allocate"); return s.LatentBuffer.Allocate(b) }

func (s *spy) Commit(ts ...*tensor.Tensor) error {
	s.called("commit")
	return s.LatentBuffer.Commit(ts...)
}

func (s *spy) Stage(t *tensor.Tensor) error { s.called("stage"); return s.LatentBuffer.Stage(t) }
func (s *spy) Discard() error               { s.called("discard"); return s.LatentBuffer.Discard() }
func (s *spy) Evict() (int64, error)        { s.called("evict"); return s.LatentBuffer.Evict() }
func (s *spy) Reset() error                 { s.called("reset"); return s.LatentBuffer.Reset() }
