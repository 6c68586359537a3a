package run

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/statespec/statespec/spec/suite"
	"github.com/statespec/statespec/spec/verdict"
)

// outcome is what a spec's report says, in the words of verdicts. Whatever the
// words do not cover is a fault of the harness, never a pass.
func outcome(s ginkgo.SpecReport) verdict.Outcome {
	row, _ := suite.RowOf(s.Labels())
	told := suite.Told(s)
	o := verdict.Outcome{Spec: text(s), Row: row.ID, Notes: told.Notes, Location: Place(s.LeafNodeLocation)}
	switch s.State {
	case types.SpecStatePassed:
		o.Outcome = verdict.Held
	case types.SpecStateSkipped:
		o.Outcome, o.Message = told.Word, s.Failure.Message
		if told.Word == "" {
			o.Outcome, o.Message = verdict.HarnessError, "the spec was skipped without a word for it: "+s.Failure.Message
		}
	case types.SpecStateFailed:
		o.Outcome, o.Message, o.Location = verdict.Broken, s.Failure.Message, Place(s.Failure.Location)
	case types.SpecStatePanicked:
		o.Outcome = verdict.HarnessError
		o.Message = fmt.Sprintf("the spec panicked: %s\n%s", s.Failure.ForwardedPanic, s.Failure.Location.FullStackTrace)
	case types.SpecStatePending:
		o.Outcome, o.Message = verdict.HarnessError, "the spec is pending: it asks nothing"
	default:
		o.Outcome, o.Message = verdict.HarnessError, fmt.Sprintf("the spec ended as %s: %s", s.State, s.Failure.Message)
	}
	if told.Fate != "" { // whatever the spec made of it
		o.Outcome = told.Fate
		o.Message = cmp.Or(o.Message, "the spec passed on a subject that had failed: "+told.Failure)
	}
	if o.Outcome != verdict.Held && o.Outcome != verdict.Unclaimed {
		o.Requests = told.Requests
	}
	return o
}

// Place is a code location within the module, "eviction/recency.go:31".
func Place(l types.CodeLocation) string {
	if l.FileName == "" {
		return ""
	}
	file := filepath.ToSlash(l.FileName)
	file = strings.TrimPrefix(strings.TrimPrefix(file, root+"/"), "github.com/statespec/statespec/")
	if path.IsAbs(file) {
		file = path.Base(file)
	}
	return fmt.Sprintf("%s:%d", file, l.LineNumber)
}

// root is the module's folder as the compiler saw it.
var root = func() string {
	_, self, _, _ := runtime.Caller(0)
	return path.Dir(path.Dir(path.Dir(filepath.ToSlash(self))))
}()
