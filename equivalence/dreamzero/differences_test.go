package dreamzero_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/fixtures/upstream"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/spec/catalogue"
)

// A difference is a class of recorded calls in which the recorded paths
// disagree, or from which one of ours departs on purpose.
type difference struct {
	class     string
	path      string // the path of ours that the row is about
	recorded  string // what the real implementation did there
	ours      string // what ours does
	guarantee string // the row of the catalogue that decides
	why       string
	calls     int // of rollout_refusals.json

	// is tells the class by the call and what came before it, never by what
	// was answered.
	is func(e exchange) bool
	// due is what ours answers.
	due func(e exchange) due
}

// differences are all of them: in every other call both recorded paths did the
// same, and ours do as well. Refusals are told from answers; what a refusal is
// called there and here is a mapping of its own, refusalKinds.
var differences = []difference{
	{
		class: "append to a stream that was never seeded", path: dreamzero.ManagedPath,
		recorded: "bespoke refuses, managed accepts", ours: "refuses, as bespoke does",
		guarantee: "EQV-11.unseeded", why: "It is how a lost session shows: the path that accepts it goes on with half a history.",
		calls: 268,
		is:    func(e exchange) bool { return e.call.Do == "append_encoder_chunk" && !e.stream.seeded },
		due:   func(exchange) due { return due{refusal: fault.ErrNotReady} },
	}, {
		class: "read of chunks that were appended to a stream never seeded", path: dreamzero.ManagedPath,
		recorded: "bespoke refuses, managed reads what it accepted", ours: "refuses, as bespoke does",
		guarantee: "EQV-11.unseeded", why: "Nothing was accepted, so there is nothing to read until a seed comes.",
		calls: 89,
		is: func(e exchange) bool {
			return e.call.Do == "observe_latents" && !e.stream.seeded && *e.call.Frames <= e.window && e.stream.ringFrames(e.window) > 0
		},
		due: func(exchange) due { return due{refusal: fault.ErrNotReady} },
	}, {
		class: "read past the window", path: dreamzero.ManagedPath,
		recorded: "bespoke answers out of its history, managed refuses", ours: "as recorded on each path",
		guarantee: "RNG-02", why: "The ring has no more by design, and padding would pass for history.",
		calls: 76,
		is: func(e exchange) bool {
			return e.call.Do == "observe_latents" && e.stream.seeded && *e.call.Frames > e.window
		},
		due: func(exchange) due { return due{refusal: fault.ErrOverRead} },
	}, {
		class: "read after so many chunks of no frame as the ring has places", path: dreamzero.ManagedPath,
		recorded: "bespoke answers out of its history, managed has lost its frames and fails", ours: "answers, as bespoke does",
		guarantee: "RNG-01.empty", why: "The ring retains frames, and a chunk of none pushes none out.",
		calls: 1,
		is: func(e exchange) bool {
			return e.call.Do == "observe_latents" && e.stream.seeded && *e.call.Frames <= e.window && e.stream.ringFrames(e.window) == 0
		},
		due: func(e exchange) due {
			bespoke, _ := e.call.Answers()
			return due{output: bespoke.OK}
		},
	},
}

// An exchange is a recorded call, and what it met.
type exchange struct {
	call   *upstream.StateCall
	window int
	stream *stream // of the held state, before the call
}

// differs finds the row of a call on one of our paths, nil when there is none.
func (e exchange) differs(t *testing.T, path string) *difference {
	t.Helper()
	var found *difference
	for i := range differences {
		d := &differences[i]
		if d.path != path || !d.is(e) {
			continue
		}
		if found != nil {
			t.Fatalf("%s is both %q and %q; classes exclude each other", e.call.Do, found.class, d.class)
		}
		found = d
	}
	return found
}

// due is what ours is to answer: an output, or a refusal of a kind.
type due struct {
	output  upstream.Output
	refusal error
}

// asRecorded is due where nothing is on purpose.
func (e exchange) asRecorded(t *testing.T, path string, want upstream.Outcome[upstream.Output]) due {
	t.Helper()
	if !want.Refused() {
		return due{output: want.OK}
	}
	kind, known := refusalKinds[[2]string{e.call.Do, want.Error}]
	if !known {
		t.Fatalf("%s was refused with %s, for which there is no kind of ours", e.call.Do, want.Error)
	}
	if path == dreamzero.ManagedPath && e.call.Do == "observe_latents" && *e.call.Frames > e.window {
		kind = fault.ErrOverRead // of a stream that holds nothing too, where the recording looks at that first
	}
	return due{refusal: kind}
}

// refusalKinds are our words for the exceptions of the recording, by the call
// that raised them. Messages are nobody's promise and are not compared.
var refusalKinds = map[[2]string]error{
	{"accumulate_frames", "ValueError"}:      fault.ErrInvalidArgument, // neither 3 nor 4 axes
	{"accumulate_frames", "IndexError"}:      fault.ErrNotReady,        // no frame, and none held
	{"append_video_latents", "ValueError"}:   fault.ErrInvalidArgument, // not 5 axes
	{"append_encoder_chunk", "RuntimeError"}: fault.ErrNotReady,        // never seeded
	{"observe_latents", "RuntimeError"}:      fault.ErrNotReady,        // no frame to read
	{"observe_latents", "ValueError"}:        fault.ErrOverRead,        // past the window
}

// departs says how an answer is not what is due, empty when it is.
func (d due) departs(got any, err error) string {
	switch {
	case d.refusal == nil && err != nil:
		return fmt.Sprintf("error %v, want %s", err, recorded(d.output))
	case d.refusal == nil:
		return departs(got, d.output)
	case err == nil:
		return fmt.Sprintf("%s, want a refusal: %v", told(got), d.refusal)
	case !errors.Is(err, d.refusal):
		return fmt.Sprintf("error %v, want a refusal: %v", err, d.refusal)
	}
	return ""
}

func TestEveryDifferenceIsDecidedByTheCatalogue(t *testing.T) {
	for _, d := range differences {
		if _, known := catalogue.Lookup(d.guarantee); !known {
			t.Errorf("%s: decided by %q, which is not in the catalogue", d.class, d.guarantee)
		}
		if d.why == "" || d.calls < 1 || d.recorded == "" || d.ours == "" {
			t.Errorf("%s: %d calls, recorded %q, ours %q, because %q, want all of it said", d.class, d.calls, d.recorded, d.ours, d.why)
		}
	}
}
