package run

import (
	"time"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/verdict"
)

// WorkerVar asks a binary to be a worker: its job is on standard input, its
// events go to descriptor 3.
const WorkerVar = "STATESPEC_WORKER"

// eventsFD is the first of exec.Cmd's ExtraFiles. Standard output belongs to the
// subject.
const eventsFD = 3

// Job is what a worker is to do.
type Job struct {
	Rows    []string      `json:"rows"`           // the IDs whose specs are to run
	Done    []string      `json:"done,omitempty"` // keys of specs that an earlier worker ended
	Seed    uint64        `json:"seed"`
	Timeout time.Duration `json:"timeout"` // of one request
}

// An Event is one line of a worker's stream.
type Event struct {
	Event   string           `json:"event"`             // "hello", "no-subject", "planned", "begin", "end", "fault", "finished"
	Hello   *spec.Hello      `json:"hello,omitempty"`   // of hello
	Planned map[string]int   `json:"planned,omitempty"` // of planned: how many specs a row has
	Key     string           `json:"key,omitempty"`     // of begin and end: names one spec in every worker
	Spec    string           `json:"spec,omitempty"`    // of begin: its text
	Row     string           `json:"row,omitempty"`     // of begin
	Outcome *verdict.Outcome `json:"outcome,omitempty"` // of end
	Text    string           `json:"text,omitempty"`    // of no-subject and fault
}
