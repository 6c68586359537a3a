package search

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	"github.com/statespec/statespec/spec/search/history"
	"github.com/statespec/statespec/spec/search/model"
)

// Open starts a subject.
type Open func(context.Context, spec.Process) (*op.Client, error)

// A Mismatch is where a subject first did what it must not.
type Mismatch struct {
	At        int               // index of the operation in the history
	Operation history.Operation // that operation
	Row       string            // the guarantee that is broken; empty where none is known
	Fate      op.Fate           // how the subject failed, if it did; then there is no row
	Aspect    model.Aspect      // what was compared
	Call      string            // the request: the operation, or one that it came to
	Want, Got string
}

// Name is the row, else how the subject failed: what failures are told apart by.
func (m *Mismatch) Name() string {
	switch {
	case m.Fate != "":
		return string(m.Fate)
	case m.Row == "":
		return "no guarantee"
	}
	return m.Row
}

func (m *Mismatch) String() string {
	return fmt.Sprintf("%s: %s = %s, want %s", m.Name(), m.Call, m.Got, m.Want)
}

// alike says whether two mismatches are of one kind: the subject failed in the
// same way, or the same of an answer was wrong.
func (m *Mismatch) alike(x *Mismatch) bool {
	return m != nil && x != nil && m.Fate == x.Fate && m.Aspect == x.Aspect
}

// A Step is one operation of a history that was played.
type Step struct {
	At        int
	Operation history.Operation
	Skipped   bool   // its slots were not there, or the subject does not claim it
	Came      string // what came of it
}

// A Played history is how far it came.
type Played struct {
	Ran      int // operations, not counting those that were passed over
	Mismatch *Mismatch
}

// player plays one history.
type player struct {
	c       *op.Client
	world   *model.World
	handles map[string]spec.Handle
	tag     string
	tracked bool
	step    func(Step)
}

// Play carries out a history and stops at the first mismatch. It lets go of all
// that the history made. Step is told of each operation; it may be nil. Tag
// begins the names of tracked storages, and is another for each history of a
// subject.
func Play(ctx context.Context, c *op.Client, h history.Operations, tag string, step func(Step)) Played {
	p := &player{c: c, world: model.New(c.Hello()), handles: map[string]spec.Handle{}, tag: tag, step: step}
	p.tracked = slices.ContainsFunc(h, func(o history.Operation) bool { return o.Verb == "collect" })
	p.world.Tag = tag
	var out Played
	for i, o := range h {
		if ctx.Err() != nil {
			break
		}
		if !p.can(o) {
			p.tell(Step{At: i, Operation: o, Skipped: true})
			continue
		}
		out.Ran++
		came, m := p.carryOut(o)
		p.tell(Step{At: i, Operation: o, Came: came})
		if m != nil {
			m.At, m.Operation = i, o
			out.Mismatch = m
			break
		}
	}
	p.letGo()
	return out
}

func (p *player) tell(s Step) {
	if p.step != nil {
		p.step(s)
	}
}

// letGo releases what is held, so that the next history begins with nothing. A
// subject that fails over that has failed.
func (p *player) letGo() {
	if p.c.Failure() != nil {
		return
	}
	for _, slot := range slices.Sorted(maps.Keys(p.handles)) {
		p.handles[slot].Release()
	}
}

// can says whether an operation can be asked.
func (p *player) can(o history.Operation) bool {
	for _, slot := range o.Slots() {
		if p.handles[slot] == nil {
			return false
		}
	}
	return p.world.Can(o)
}

// carryOut asks for all that an operation comes to, and compares.
func (p *player) carryOut(o history.Operation) (came string, m *Mismatch) {
	if o.Verb == "members" {
		return p.members(o.On)
	}
	for _, request := range p.world.Expand(o) {
		if !p.can(request) {
			continue
		}
		var problem *model.Problem
		if came, problem, m = p.ask(request); m != nil {
			return came, m
		}
		if problem != nil {
			return came, p.mismatch(request, problem)
		}
	}
	if slot := p.world.Unsure(); slot != "" {
		if _, m := p.members(slot); m != nil {
			return came, m
		}
	}
	return came, nil
}

// ask makes one request.
func (p *player) ask(o history.Operation) (came string, problem *model.Problem, m *Mismatch) {
	out := p.request(o)
	if m := p.failed(o, out.Err); m != nil {
		return "", nil, m
	}
	return told(o, out), p.world.Apply(o, out), nil
}

// failed is the mismatch of a subject that did not answer, or not as a subject
// does.
func (p *player) failed(o history.Operation, err error) *Mismatch {
	failure := p.c.Failure()
	if failure == nil && spec.KindOf(err) == spec.Internal {
		failure = err
	}
	if failure == nil {
		return nil
	}
	fate := op.Garbled
	if f, is := errors.AsType[*op.Failure](failure); is {
		fate = f.Fate
	}
	return &Mismatch{Fate: fate, Call: o.String(), Want: "an answer", Got: failure.Error()}
}

// members asks who is retained, of all ids that were asked for.
func (p *player) members(slot string) (came string, m *Mismatch) {
	got := map[string]bool{}
	for _, request := range p.world.Expand(history.Operation{Verb: "members", On: slot}) {
		out := p.request(request)
		if m := p.failed(request, out.Err); m != nil {
			return "", m
		}
		if out.Err != nil {
			return "", p.mismatch(request, p.world.Apply(request, out))
		}
		got[*request.ID] = out.Is
	}
	return fmt.Sprint(in(got)), p.mismatch(history.Operation{Verb: "members", On: slot}, p.world.Members(slot, got))
}

func in(got map[string]bool) []string {
	ids := []string{}
	for id, is := range got {
		if is {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// mismatch is that of a problem. Where more is wrong that would explain it, that
// is what is wrong: another session than it should be, another object, what an
// object holds where its bytes are.
func (p *player) mismatch(o history.Operation, problem *model.Problem) *Mismatch {
	if problem == nil {
		return nil
	}
	p.world.Looking = true
	switch problem.Aspect {
	case model.Attribute, model.Names, model.Content, model.Residency, model.Refusal, model.Bytes:
		if deeper := p.table(); deeper != nil {
			return deeper
		}
	}
	for _, look := range p.world.Look(o, problem) {
		if !p.can(look) {
			continue
		}
		found, failed := p.look(look)
		if failed {
			break
		}
		if found != nil && found.Aspect != model.Bytes && found.Aspect != model.Refusal {
			o, problem = look, found
			break
		}
	}
	problem = p.beside(o, problem)
	return &Mismatch{Row: problem.Row, Aspect: problem.Aspect, Call: problem.Call, Want: problem.Want, Got: problem.Got}
}

// look makes a request for the sake of another that came to something wrong.
func (p *player) look(o history.Operation) (found *model.Problem, failed bool) {
	out := p.request(o)
	if p.failed(o, out.Err) != nil {
		return nil, true
	}
	return p.world.Apply(o, out), false
}

// beside looks through other handles of the same thing: where they are right, it
// is not the same.
func (p *player) beside(o history.Operation, problem *model.Problem) *model.Problem {
	slots, row := p.world.Beside(o)
	if row == "" || len(slots) == 0 || problem.Aspect != model.Content && problem.Aspect != model.Residency && problem.Aspect != model.Attribute {
		return problem
	}
	for _, slot := range slots {
		other := o
		other.Make, other.On = "", slot
		if !p.can(other) {
			return problem
		}
		if found, failed := p.look(other); found != nil || failed {
			return problem
		}
	}
	same := *problem
	same.Row = row
	return &same
}

// table compares the tables and counters of all managers alone.
func (p *player) table() *Mismatch {
	for _, slot := range slices.Sorted(maps.Keys(p.handles)) {
		if history.SortOf(slot) != history.Manager || !p.can(history.Operation{Verb: "stats", On: slot}) {
			continue
		}
		for _, request := range p.world.Expand(history.Operation{Verb: "members", On: slot}) {
			out := p.request(request)
			if p.failed(request, out.Err) != nil || out.Err != nil {
				return nil
			}
			if problem := p.world.Apply(request, out); problem != nil {
				return &Mismatch{Row: problem.Row, Aspect: problem.Aspect, Call: problem.Call, Want: problem.Want, Got: problem.Got}
			}
		}
		request := history.Operation{Verb: "stats", On: slot}
		out := p.request(request)
		if p.failed(request, out.Err) != nil || out.Err != nil {
			return nil
		}
		problem := p.world.Apply(request, out)
		if problem != nil && (problem.Aspect == model.Membership || problem.Aspect == model.Counters) {
			return &Mismatch{Row: problem.Row, Aspect: problem.Aspect, Call: problem.Call, Want: problem.Want, Got: problem.Got}
		}
	}
	return nil
}
