// Package plan reads the tree of specs without running any: which specs a row of
// the catalogue has. A row without a spec, and a spec without a row, are found
// here.
package plan

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/families"
	"github.com/statespec/statespec/spec/op"
	"github.com/statespec/statespec/spec/run"
	"github.com/statespec/statespec/spec/suite"
)

// Spec is one spec of a row.
type Spec struct {
	Text     string
	Location string // file:line within the module
	Labels   []string
}

// Specs lists the specs of every row, by ID, in the order of their text. Specs
// that are tied to no one row are under the empty ID. It registers the suite in
// this process, which can do so once and run no other.
func Specs() map[string][]Spec { return read() }

var read = sync.OnceValue(func() map[string][]Spec {
	families.Specs(func(context.Context, spec.Process) (*op.Client, error) {
		return nil, errors.New("this process only reads the tree")
	})
	config, reporter := types.NewDefaultSuiteConfig(), types.NewDefaultReporterConfig()
	out := map[string][]Spec{}
	for _, s := range ginkgo.PreviewSpecs("statespec", config, reporter).SpecReports {
		if s.LeafNodeType != types.NodeTypeIt {
			continue
		}
		row, ok := suite.RowOf(s.Labels())
		if !ok {
			row.ID = ""
		}
		out[row.ID] = append(out[row.ID], Spec{strings.TrimSpace(s.FullText()), run.Place(s.LeafNodeLocation), s.Labels()})
	}
	for _, specs := range out {
		slices.SortFunc(specs, func(a, b Spec) int { return strings.Compare(a.Text, b.Text) })
	}
	return out
})
