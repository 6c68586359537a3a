package op

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/statespec/statespec/spec"
)

// answers says what an operation's result has to have, by method. Operations of
// one name on several receivers answer alike.
var answers = func() map[string]Row {
	m := map[string]Row{}
	for _, r := range slices.Concat(Table(), Stream()) {
		m[r.Method] = r
	}
	return m
}()

// malformed says what is wrong with a result that is not of its operation's
// form; empty when nothing is.
func malformed(k Call, r *Result) string {
	row := answers[k.Method]
	switch {
	case r.None && !row.MayNone:
		return fmt.Sprintf("%s made nothing, and has to make a %s", k.Method, row.Makes)
	case row.Result == "":
		return ""
	}
	f := reflect.ValueOf(r).Elem().FieldByIndex(results[row.Result])
	if (f.Kind() == reflect.Pointer || f.Kind() == reflect.Slice) && f.IsNil() && len(k.Params.Threads) == 0 {
		return fmt.Sprintf("the result has no %q", row.Result)
	}
	if k.Method == "race" {
		return misshapen(k.Params.Threads, r.Events)
	}
	return ""
}

// misshapen says where a race's answers are not one for each call.
func misshapen(threads [][]Call, events [][]Answer) string {
	if len(events) != len(threads) {
		return fmt.Sprintf("answers of %d threads to a race of %d", len(events), len(threads))
	}
	for i, calls := range threads {
		if len(events[i]) != len(calls) {
			return fmt.Sprintf("%d answers to the %d calls of thread %d", len(events[i]), len(calls), i)
		}
		for j, call := range calls {
			a := events[i][j]
			if a.Error != nil {
				continue
			}
			if a.Result == nil {
				return fmt.Sprintf("call %d of thread %d has neither a result nor an error", j, i)
			}
			if wrong := malformed(call, a.Result); wrong != "" {
				return fmt.Sprintf("call %d of thread %d: %s", j, i, wrong)
			}
		}
	}
	return ""
}

// results finds a field of Result by its name in JSON.
var results = func() map[string][]int {
	m := map[string][]int{}
	for f := range reflect.TypeFor[Result]().Fields() {
		m[jsonName(f)] = f.Index
	}
	return m
}()

// Contradiction is the answer "unsupported" to an operation that the subject
// claims to have. It is neither a refusal nor a reason to call anything
// unclaimed.
type Contradiction struct{ Method, Claim string }

func (c *Contradiction) Error() string {
	return fmt.Sprintf("the subject claims %s, and answers %s with %q", c.Claim, c.Method, spec.Unsupported)
}

// Unwrap keeps it from reading as a refusal.
func (c *Contradiction) Unwrap() error { return spec.Internal }

// GomegaString is what a failed assertion shows.
func (c *Contradiction) GomegaString() string { return c.Error() }

// models are the capabilities that claim a model's state.
var models = map[string]spec.Capability{"dreamzero": spec.CanDreamZero, "cosmos3": spec.CanCosmos3}

// apart says whether a model is on a path that its capability does not claim: who
// has Cosmos3 may have it over the manager alone.
func apart(m spec.ModelSpec) bool { return m.Model == "cosmos3" && m.Path == spec.Bespoke }

// denied is what the subject claims and denies with an answer; empty for
// nothing.
func (c *Client) denied(k Call, e *spec.Error) string {
	if e.Kind != spec.Unsupported {
		return ""
	}
	row := answers[k.Method]
	if m := k.Params.ModelSpec; k.Method == "new_model" && m.Quant == "" && !apart(*m) {
		row.Needs = models[m.Model]
	}
	switch {
	case row.Floor != "" && slices.Contains(c.hello.Layers, row.Floor):
		return "layer " + string(row.Floor)
	case row.On != OnObject && row.Needs != "" && slices.Contains(c.hello.Can, row.Needs):
		// Of objects a capability may be that of one kind alone.
		return string(row.Needs)
	}
	return ""
}
