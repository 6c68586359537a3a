package statespec_test

import (
	"context"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
)

// The conformance of one's manager stands beside whatever tests a package has, a
// Ginkgo suite among them. In a test file the two functions would be the tests
// TestOwn and TestConformance.
func ExampleRun() {
	_ = func(t *testing.T) { // TestOwn
		RegisterFailHandler(Fail)
		RunSpecs(t, "what we test ourselves")
	}
	_ = func(t *testing.T) { // TestConformance
		statespec.Run(t, newSubject,
			statespec.Only("!PRK"),                // what is asked
			statespec.Require("EVI && MUST"),      // what may not be unclaimed
			statespec.Expect("known-broken.yaml"), // what is known, and why
		)
	}
}

// newSubject starts one's manager behind the port. This one is the reference;
// package reference/subject shows how one is written.
func newSubject(ctx context.Context, p spec.Process) (spec.Subject, error) {
	return subject.New(ctx, p)
}
