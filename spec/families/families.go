// Package families lists the families of specs, so that whoever runs all of them
// has one place to ask. It knows the topic folders; they do not know it.
package families

import (
	"github.com/statespec/statespec/accounting"
	"github.com/statespec/statespec/equivalence"
	"github.com/statespec/statespec/eviction"
	"github.com/statespec/statespec/spec/attributes"
	"github.com/statespec/statespec/spec/environment"
	"github.com/statespec/statespec/spec/objects"
	"github.com/statespec/statespec/spec/parking"
	"github.com/statespec/statespec/spec/ring"
	"github.com/statespec/statespec/spec/suite"
)

// Specs registers the specs of every family.
func Specs(open suite.Open) {
	environment.Specs(open)
	objects.Specs(open)
	attributes.Specs(open)
	eviction.Specs(open)
	accounting.Specs(open)
	parking.Specs(open)
	ring.Specs(open)
	equivalence.Specs(open)
}
