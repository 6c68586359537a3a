package eviction

import (
	"io"
	"time"

	"github.com/anishathalye/porcupine"

	. "github.com/statespec/statespec/spec/suite"
)

// patience is how long a spec's histories may take to be judged, all together:
// the problem is hard, and a wrong history can be the hardest.
const patience = 10 * time.Second

// judge asks for orders of calls, for as long as its patience lasts.
type judge struct{ left time.Duration }

// of asks for an order of operations in which a model explains each.
func (j *judge) of(m porcupine.Model, ops []porcupine.Operation) porcupine.CheckResult {
	if j.left <= 0 { // which to the checker means for ever
		return porcupine.Unknown
	}
	began := time.Now()
	defer func() { j.left -= time.Since(began) }()
	return porcupine.CheckOperationsTimeout(m, ops, j.left)
}

// picture keeps a page that shows operations, how far an order explains them,
// and where none goes on.
func picture(name string, m porcupine.Model, ops []porcupine.Operation) {
	Keep(name, func(w io.Writer) error {
		_, info := porcupine.CheckOperationsVerbose(m, ops, patience)
		return porcupine.Visualize(m, info, w)
	})
}
