package op

import (
	"time"

	"github.com/statespec/statespec/spec"
)

// The calls that a race needs, over handles of one client.

// GetSession is Manager.Session as a call of a race.
func GetSession(m spec.Manager, ids ...string) Call {
	p := Params{On: handleOf(m)}
	if len(ids) > 0 {
		p.Session = &ids[0]
	}
	return Call{"session", p}
}

// IsRetained is Manager.Contains.
func IsRetained(m spec.Manager, id string) Call {
	return Call{"contains", Params{On: handleOf(m), Session: &id}}
}

// ContinueSession is Manager.Continue.
func ContinueSession(m spec.Manager, id string) Call {
	return Call{"continue", Params{On: handleOf(m), Session: &id}}
}

// DropSession is Manager.Drop.
func DropSession(m spec.Manager, id string) Call {
	return Call{"drop", Params{On: handleOf(m), Session: &id}}
}

// ReadStats is Manager.Stats.
func ReadStats(m spec.Manager) Call { return Call{"stats", Params{On: handleOf(m)}} }

// WriteAttr is Session.SetAttr; a nil value clears.
func WriteAttr(s spec.Session, name string, v spec.Value) Call {
	p := Params{On: handleOf(s), Name: name}
	if v != nil {
		p.Values = []Handle{handleOf(v)}
	}
	return Call{"set_attr", p}
}

// CommitTo is Object.Commit.
func CommitTo(o spec.Object, vs ...spec.Value) Call {
	return Call{"commit", Params{On: handleOf(o), Values: handlesOf(vs)}}
}

// PutObject is Session.Put.
func PutObject(s spec.Session, name string, o spec.Object) Call {
	return Call{"put", Params{On: handleOf(s), Name: name, Object: handleOf(o)}}
}

// ResetSession is Session.Reset.
func ResetSession(s spec.Session) Call { return Call{"reset", Params{On: handleOf(s)}} }

// TakeStep is State.Do. Its output, if any, is let go with the subject.
func TakeStep(s spec.State, st spec.Step) Call {
	return Call{"do", Params{On: handleOf(s), Step: &st, Named: handlesByName(st.With)}}
}

// Event is what one call of a race answered, and when it began and ended on the
// race's one clock. The session that a session or continue call returned is held
// until it is released.
type Event struct {
	Start, End time.Duration
	Err        error
	Session    spec.Session
	Is         bool
	Stats      spec.Stats
}

// Race runs each list of calls on a thread of its own, all released at once.
// Lists are long, so that they overlap. More than one is for subjects that are
// safe for concurrent use [threads]; one alone is a stopwatch, which a subject
// without threads has too.
func (c *Client) Race(threads ...[]Call) ([][]Event, error) {
	sent := make([][]Call, len(threads))
	for i, calls := range threads {
		sent[i] = append([]Call(nil), calls...)
		for j := range sent[i] {
			if kind, makes := makers[sent[i][j].Method]; makes {
				sent[i][j].Params.As = c.name(kind)
			}
		}
	}
	r, err := c.call(Call{"race", Params{Threads: sent}})
	if err != nil {
		return nil, err
	}
	out := make([][]Event, len(threads))
	for i, answers := range r.Events {
		for j, a := range answers {
			out[i] = append(out[i], c.event(sent[i][j], a))
		}
	}
	return out, nil
}

// makers are the calls of a race that make a handle.
var makers = map[string]Receiver{"session": OnSession, "continue": OnSession, "do": OnValue}

func (c *Client) event(k Call, a Answer) Event {
	e := Event{Start: a.Start, End: a.End}
	if a.Error != nil {
		e.Err = a.Error
		return e
	}
	if a.Result == nil {
		e.Err = &Failure{Garbled, k, "the answer has neither a result nor an error"}
		return e
	}
	e.Is = a.Result.Is
	if a.Result.Stats != nil {
		e.Stats = *a.Result.Stats
	}
	if makers[k.Method] == OnSession {
		e.Session = &sessionHandle{remote{c, k.Params.As}}
	}
	return e
}

// Overlaps counts the calls of a race that ran while another thread's did. A
// race in which nothing overlapped proves nothing.
func Overlaps(race [][]Event) (n int) {
	for i, events := range race {
		for _, e := range events {
			if overlapped(e, i, race) {
				n++
			}
		}
	}
	return n
}

func overlapped(e Event, thread int, race [][]Event) bool {
	for i, others := range race {
		if i == thread {
			continue
		}
		for _, f := range others {
			if f.Start < e.End && e.Start < f.End {
				return true
			}
		}
	}
	return false
}
