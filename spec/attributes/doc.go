// Package attributes holds the specs of the family ATT: values that a session
// only carries, from their assignment to the session's end, and the bucket in
// which each value of DreamZero sits.
//
// Not here: what attributes count (family ACC), and what eviction does to a
// session that somebody holds (family EVI).
package attributes

import (
	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// Specs registers the specs of ATT.
func Specs(open Open) {
	Describe("A session's attributes", func() {
		tensors(open)
		containers(open)
		scalars(open)
		defaults(open)
		holders(open)
		objectEviction(open)
		ends(open)
	})
	Describe("A DreamZero session", func() {
		coercion(open)
		dreamzeroAttributes(open)
		dreamzeroObjects(open)
		attentionKV(open)
	})
}

// declared is a manager with place for two sessions and attributes that read as
// nothing before they are written.
func declared(s *op.Client, attrs ...string) spec.Manager {
	GinkgoHelper()
	return Must(s.NewManager(spec.ManagerSpec{Cap: new(2), Attrs: Attrs(attrs...)}))
}

// values makes several values.
func values(s *op.Client, rs ...spec.Recipe) []spec.Value {
	GinkgoHelper()
	vs := make([]spec.Value, len(rs))
	for i, r := range rs {
		vs[i] = Must(s.Make(r))
	}
	return vs
}
