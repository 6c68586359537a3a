package model

import (
	"fmt"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/catalogue"
)

// An Aspect is what of an answer was compared. It tells failures apart where the
// row cannot: a failure may name another guarantee once its history is shorter.
type Aspect string

// Aspects of answers.
const (
	Membership Aspect = "membership" // who is retained
	Counters   Aspect = "counters"
	Bytes      Aspect = "bytes"
	Attribute  Aspect = "attribute"
	Names      Aspect = "names" // of what a session holds
	Content    Aspect = "content"
	Residency  Aspect = "residency"
	Held       Aspect = "held value" // what a caller or reader still holds
	Refusal    Aspect = "refusal"    // done, or refused
	Answer     Aspect = "answer"     // any other answer
	Alive      Aspect = "alive"      // storages after a collection
)

// A Problem is a promise that was not kept.
type Problem struct {
	Row    string // of the catalogue; empty where no guarantee is known for it
	Aspect Aspect
	Call   string // what was asked
	Want   string
	Got    string
}

func (p *Problem) String() string { return fmt.Sprintf("%s = %s, want %s", p.Call, p.Got, p.Want) }

// asked says whether a row is to be asked of a subject. What is no row is.
func asked(h spec.Hello, row string) bool {
	r, known := catalogue.Lookup(row)
	return !known || r.Unclaimed(h) == ""
}

// A trail is what has happened to a thing since it was last seen to be right: the
// rows that would be broken if that had changed it, the latest last.
type trail []string

// add notes an event.
func (t *trail) add(row string) {
	if n := len(*t); n == 0 || (*t)[n-1] != row {
		*t = append(*t, row)
	}
}

// last is the latest event; empty when there is none.
func (t trail) last() string {
	if len(t) == 0 {
		return ""
	}
	return t[len(t)-1]
}

// culprit is the latest event whose row is asked of the subject. In a history of
// which nothing can be left out, that is what broke it.
func (t trail) culprit(h spec.Hello, otherwise string) string {
	for i := len(t) - 1; i >= 0; i-- {
		if t[i] != "" && asked(h, t[i]) {
			return t[i]
		}
	}
	return otherwise
}
