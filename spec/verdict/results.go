package verdict

import "github.com/statespec/statespec/spec"

// Schema is the version of results.json that this package writes and reads.
const Schema = 1

// Results is one run, folded: the content of results.json, and the only source
// of every other report. SCHEMA.md of package report describes it field by
// field.
type Results struct {
	Schema       int         `json:"schema"`
	Suite        string      `json:"suite"` // version of the suite that asked
	Subject      Subject     `json:"subject"`
	SubjectError string      `json:"subject_error,omitempty"` // why the subject could not be run, or not any longer
	Environment  Environment `json:"environment"`
	Seed         uint64      `json:"seed"`
	Device       string      `json:"device"`     // where specs made tensors that they put nowhere: "cpu", "cuda:0"
	Selection    string      `json:"selection"`  // the expression; empty: everything
	Shard        Shard       `json:"shard"`      // "2/8"; empty: the whole
	Incomplete   bool        `json:"incomplete"` // interrupted: some rows were not run
	Verdicts     []Verdict   `json:"verdicts"`   // one a guarantee, in catalogue order
	Unused       []Unused    `json:"unused"`     // expectations that this run says nothing about
	Faults       []string    `json:"faults"`     // of the harness, that belong to no row
	Summary      Summary     `json:"summary"`
}

// A Subject is what results keep of a subject's Hello.
type Subject struct {
	Name           string            `json:"name"`
	Implementation string            `json:"implementation"`
	Version        string            `json:"version"`
	Language       string            `json:"language"`
	Layers         []spec.Layer      `json:"layers"`
	Devices        []string          `json:"devices"`
	Can            []spec.Capability `json:"can"`
}

// Rows lists every row's verdict, a guarantee's own before those of its cases.
func (r Results) Rows() []Verdict {
	var rows []Verdict
	for _, v := range r.Verdicts {
		rows = append(append(rows, v), v.Cases...)
	}
	return rows
}
