package search

import (
	"context"
	"fmt"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	"github.com/statespec/statespec/spec/search/history"
)

// A stage is where histories are played: a subject, and another in its stead when
// it has failed.
type stage struct {
	open    Open
	process spec.Process

	c      *op.Client
	plays  int // of this subject
	starts int
}

// play plays a history. The error is that of a subject that could not be started.
func (s *stage) play(ctx context.Context, h history.Operations, step func(Step)) (Played, error) {
	if s.c == nil {
		c, err := s.open(ctx, s.process)
		if err != nil {
			return Played{}, err
		}
		s.c, s.plays = c, 0
		s.starts++
	}
	s.plays++
	out := Play(ctx, s.c, h, fmt.Sprintf("%d/", s.plays), step)
	if s.c.Failure() != nil {
		s.renew()
	}
	return out, nil
}

// renew has the next history played on a new subject.
func (s *stage) renew() {
	if s.c != nil {
		s.c.Close()
		s.c = nil
	}
}
