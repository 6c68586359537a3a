package verdict

import (
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/catalogue"
)

// Input is what a run knows when it ends.
type Input struct {
	Rows     []catalogue.Row            // the whole catalogue, a guarantee before its cases
	Selected func(r catalogue.Row) bool // in this run's selection and shard; nil: every row
	Outcomes []Outcome                  // in the order in which specs ended
	Specs    map[string]int             // how many specs a row has, by ID; one that is missing has one

	Expectations Expectations // what is known to be broken
	Policy       Policy       // what else fails the run

	SuiteVersion string      // of the suite that asked: catalogue.Suite
	Subject      *spec.Hello // nil: the subject never said hello
	Environment  Environment
	Seed         uint64
	Device       string // where specs made tensors that they put nowhere
	Selection    string // the expression that Selected is of; empty: everything
	Shard        Shard

	// Interrupted: the run was ended from outside. Specs without an outcome are
	// not-run instead of a fault.
	Interrupted bool
	// NoSubject says why the subject could not be run, or not any longer. Specs
	// without an outcome are driver errors with this reason.
	NoSubject string
	// Faults are the harness's own, that belong to no row.
	Faults []string
}
