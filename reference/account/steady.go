package account

import (
	"cmp"
	"slices"
	"sync"
	"unsafe"
)

// A Steady Holder can be kept still, so that what it holds, and what several
// of them hold together, is what they held at one moment. It changes only
// under its guard. The walk locks the guard, calls VisitHeld, which therefore
// locks nothing, and follows what that named before it unlocks. Types that are
// built around one another may have one guard in common, as an embedded
// pointer brings it along. The type that implements Steady is a pointer, and
// answers with the same guard each time.
//
// A walk locks no guard as soon as it meets one: it puts the Steady aside,
// and locks those that it met together (VisitSteady), whatever led to them.
type Steady interface {
	Holder
	Guard() *sync.Mutex
}

// An aside is a Steady that a walk has met and not visited.
type aside struct {
	steady Steady
	guard  *sync.Mutex
	place  place
}

// setAside notes a Steady for VisitSteady.
func (w *Walker) setAside(s Steady) {
	w.aside = append(w.aside, aside{s, s.Guard(), w.place})
}

// VisitSteady visits the Steady holders that were met so far, all of them kept
// still until the last is done. A Root calls it at the end of WalkHeld, while
// its own lock still keeps the rest of its content still. Those that a Steady
// leads to have their turn when the others are let go: they are counted as
// they are at a moment of their own.
func (w *Walker) VisitSteady() {
	for len(w.aside) > 0 {
		round := w.aside
		w.aside, w.spare = w.spare[:0], nil
		w.visitTogether(round)
		clear(round)
		w.spare = round[:0]
	}
}

// visitTogether locks each guard once, in one order, the same for all walks:
// two that lock several cannot wait for each other.
func (w *Walker) visitTogether(round []aside) {
	slices.SortFunc(round, func(a, b aside) int {
		return cmp.Compare(uintptr(unsafe.Pointer(a.guard)), uintptr(unsafe.Pointer(b.guard)))
	})
	locked := 0
	defer func() {
		for i := range locked {
			if first(round, i) {
				round[i].guard.Unlock()
			}
		}
	}()
	for i := range round {
		if first(round, i) {
			round[i].guard.Lock()
		}
		locked++
	}
	for i := range round {
		w.place = round[i].place
		round[i].steady.VisitHeld(w.note)
		w.drain()
	}
}

// first reports whether a sorted round has the guard of i nowhere before.
func first(round []aside, i int) bool { return i == 0 || round[i].guard != round[i-1].guard }
