package search

import (
	"context"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/search/history"
)

// Replay plays a saved history once, on a subject of its own. The error is that
// of a subject that could not be started. Step is told of each operation; it may
// be nil.
func Replay(ctx context.Context, open Open, p spec.Process, h history.History, step func(Step)) (Played, error) {
	s := &stage{open: open, process: p}
	defer s.renew()
	return s.play(ctx, h.Operations, step)
}
