// Package generate makes histories from numbers: the same for the same seed and
// stream, on every machine and for every subject. What a subject does not claim is
// generated all the same, and passed over by whoever carries it out; so the list
// never depends on who is asked.
//
// The numbers are those of math/rand/v2's PCG, which are stable by contract. A
// change of anything here changes what a seed means: the golden file of the tests
// says so.
//
// Not here: what has to come of an operation (package model).
package generate

import (
	"math/rand/v2"

	"github.com/statespec/statespec/spec/search/history"
)

// Shortest and Longest are the lengths of histories, in operations.
const (
	Shortest = 40
	Longest  = 80
)

// History is one of a seed's, by its number.
func History(seed, stream uint64) history.History {
	g := &generator{r: rand.New(rand.NewPCG(seed, stream)), slots: map[history.Sort][]string{}}
	g.begin()
	length := Shortest + g.r.IntN(Longest-Shortest+1)
	for len(g.ops) < length-1 {
		g.step()
	}
	g.add(history.Operation{Verb: "observe"})
	return history.History{Seed: seed, Stream: stream, Operations: g.ops}
}

// generator makes one history.
type generator struct {
	r       *rand.Rand
	ops     history.Operations
	slots   map[history.Sort][]string // that are there if every operation went well
	made    map[history.Sort]int
	tensors []string // values that are tensors, and whose they are
	lists   []string
	views   []string // values that an object showed
	shapes  map[string][]int
	ids     []string
	mode    mode
	payload recipe // of most payloads, so that rings fill
	seed    uint64
}

// recipe is what a tensor is made of.
type recipe struct {
	dtype string
	shape []int
}

// A mode is what a history has most of.
type mode int

const (
	tables  mode = iota // who is retained
	objects             // state objects
	carried             // attributes
	mixed
	modes
)

func (g *generator) add(o history.Operation) {
	if o.Make != "" {
		g.slots[history.SortOf(o.Make)] = append(g.slots[history.SortOf(o.Make)], o.Make)
	}
	g.ops = append(g.ops, o)
}

// slot is a new slot.
func (g *generator) slot(s history.Sort) string {
	if g.made == nil {
		g.made = map[history.Sort]int{}
	}
	g.made[s]++
	return history.Slot(s, g.made[s])
}

// chance is true once in n times.
func (g *generator) chance(n int) bool { return g.r.IntN(n) == 0 }

// any is one of some things; the later ones are likelier, since what is new is
// where faults show.
func (g *generator) any(of []string) (string, bool) {
	if len(of) == 0 {
		return "", false
	}
	return of[max(g.r.IntN(len(of)), g.r.IntN(len(of)))], true
}
