package run

import (
	"time"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/verdict"
)

// WorkerVar asks a binary to be a worker.
const WorkerVar = "STATESPEC_WORKER"

// The descriptors of a worker, the first of exec.Cmd's ExtraFiles: standard
// input and output belong to the subject. The job's end is never reached while
// the parent lives.
const (
	eventsFD = 3
	jobFD    = 4
)

// job is what a worker is to do.
type job struct {
	Rows    []string      `json:"rows"`           // the IDs whose specs are to run
	Done    []string      `json:"done,omitempty"` // keys of specs that an earlier worker ended
	Seed    uint64        `json:"seed"`
	Device  string        `json:"device,omitempty"` // where tensors are made; the subject's choice when empty
	Timeout time.Duration `json:"timeout"`          // of one request
	Keep    keeping       `json:"keep,omitempty"`
}

// Kinds of event, in the order in which a worker's first ones come.
const (
	starting  = "starting"   // the subject is about to be started
	hello     = "hello"      // it said who it is
	noSubject = "no-subject" // it could not be started
	planned   = "planned"    // the tree of specs was read
	begin     = "begin"      // of a spec
	ended     = "end"        // of a spec
	leaving   = "leaving"    // a hung subject may be running still: another worker goes on
	fault     = "fault"      // of the harness
	finished  = "finished"   // every spec ended
)

// An event is one line of a worker's stream.
type event struct {
	Event   string           `json:"event"`             // one of those below
	Hello   *spec.Hello      `json:"hello,omitempty"`   // of hello
	Planned map[string]int   `json:"planned,omitempty"` // of planned: how many specs a row has
	Key     string           `json:"key,omitempty"`     // of begin and end: names one spec in every worker
	Spec    string           `json:"spec,omitempty"`    // of begin: its text
	Row     string           `json:"row,omitempty"`     // of begin
	Place   string           `json:"place,omitempty"`   // of begin: where the spec is written
	Outcome *verdict.Outcome `json:"outcome,omitempty"` // of end
	Files   []file           `json:"files,omitempty"`   // of end: what the spec kept
	Text    string           `json:"text,omitempty"`    // of no-subject and fault
}
