package op

import (
	"encoding/json"
	"time"

	"github.com/statespec/statespec/spec"
)

// A Handle is the harness's name for something that a subject holds for it:
// "m1" for a manager, "s2" for a session.
type Handle = string

// Call is one operation: a row's method with its parameters. Lists of calls
// make races, batches and histories.
type Call struct {
	Method string `json:"method"`
	Params Params `json:"params,omitzero"`
}

// String is the call as one line of JSON: what a transcript shows.
func (c Call) String() string {
	b, err := json.Marshal(c)
	if err != nil {
		return c.Method + ": " + err.Error()
	}
	return string(b)
}

// Request is a call that asks for an answer of the same number.
type Request struct {
	ID int64 `json:"id"`
	Call
}

// Params are the parameters of all operations; the table says which belong to
// which.
type Params struct {
	On      Handle            `json:"on,omitempty"`      // the receiver
	As      Handle            `json:"as,omitempty"`      // the name of what is made
	Session *string           `json:"session,omitempty"` // a session's id; absent: a request that names none
	Name    string            `json:"name,omitempty"`    // of an object or attribute
	Values  []Handle          `json:"values,omitempty"`  // payloads, in order
	Named   map[string]Handle `json:"named,omitempty"`   // a step's values
	From    []Handle          `json:"from,omitempty"`    // what a recipe is made of
	Object  Handle            `json:"object,omitempty"`  // an object to put or store, or a source
	Manager Handle            `json:"manager,omitempty"` // a model's manager
	Cap     *int              `json:"cap,omitempty"`
	Device  string            `json:"device,omitempty"` // that a planner is to free
	Bytes   *int64            `json:"bytes,omitempty"`  // that it is to free there

	Config      *spec.Config      `json:"config,omitempty"`
	ManagerSpec *spec.ManagerSpec `json:"manager_spec,omitempty"`
	ObjectSpec  *spec.ObjectSpec  `json:"object_spec,omitempty"`
	ModelSpec   *spec.ModelSpec   `json:"model_spec,omitempty"`
	Recipe      *spec.Recipe      `json:"recipe,omitempty"`
	Edit        *spec.Edit        `json:"edit,omitempty"`
	View        *spec.View        `json:"view,omitempty"`
	Bound       *spec.Bound       `json:"bound,omitempty"`
	Step        *spec.Step        `json:"step,omitempty"`
	Threads     [][]Call          `json:"threads,omitempty"` // of a race

	// Of the stream, not of the port; see [Stream].
	Env   map[string]string `json:"env,omitempty"`   // the feature's variables: those that are not there are unset
	Cores int               `json:"cores,omitempty"` // threads that arithmetic may use; 0 is the subject's own choice
	Calls []Call            `json:"calls,omitempty"` // of a batch or a bench, in order
	Times int               `json:"times,omitempty"` // how often a bench makes its calls
}

// Response is what came of a request.
type Response struct {
	ID     int64         `json:"id"`
	Result *Result       `json:"result,omitempty"`
	Error  *spec.Error   `json:"error,omitempty"`
	Log    []spec.Record `json:"log,omitempty"` // logged since the last answer
}

// Result is the result of any operation; the table says which part belongs to
// which.
type Result struct {
	None       bool              `json:"none,omitempty"` // the result is nothing: no handle was made
	Is         bool              `json:"is,omitempty"`
	Int        int64             `json:"int,omitempty"`
	Text       string            `json:"text,omitempty"`
	Hello      *spec.Hello       `json:"hello,omitempty"`
	Resolution *spec.Resolution  `json:"resolution,omitempty"`
	Stats      *spec.Stats       `json:"stats,omitempty"`
	Contents   *spec.Contents    `json:"contents,omitempty"`
	State      *spec.ObjectState `json:"state,omitempty"`
	Reading    *spec.Reading     `json:"reading,omitempty"`
	Memory     *spec.Memory      `json:"memory,omitempty"`
	Events     [][]Answer        `json:"events,omitempty"` // of a race, by thread
	Freed      []spec.Freed      `json:"freed,omitzero"`   // by a planner; empty where it took nothing

	Answers []Answer `json:"answers,omitempty"` // of a batch
	Timing  *Timing  `json:"timing,omitempty"`  // of a bench
}

// Timing is how long a bench took.
type Timing struct {
	Times int           `json:"times"`    // how often its calls were made
	Took  time.Duration `json:"took_ns"`  // all of them
	Floor time.Duration `json:"floor_ns"` // as many calls that do nothing, by the same way
}

// Answer is what one call of a race or a batch answered, and when it began and
// ended on one monotonic clock.
type Answer struct {
	Start  time.Duration `json:"start_ns"`
	End    time.Duration `json:"end_ns"`
	Result *Result       `json:"result,omitempty"`
	Error  *spec.Error   `json:"error,omitempty"`
}
