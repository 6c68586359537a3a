package model

import (
	"maps"

	"github.com/statespec/statespec/spec"
)

// A token stands for something that can be changed in place: a storage, or the
// value that is a container.
type token any

// A cell is something that holds a value: an attribute of a session, or a handle.
//
// Whether a session keeps what it is given or a copy of it is left free. So a
// cell remembers what it may share with others, and when one of those is changed
// through another handle it is unsettled: whatever it reads as next is followed.
// From then on it must read so, until something touches it again.
type cell struct {
	tree      *value // what it holds, as far as is known
	known     string // the line that it reads as
	unsettled bool
	own       bool // of a handle: the thing itself, made by its caller
	wild      bool // it comes from a session of which nothing is known: it may be anything's
	shares    map[token]bool

	// touched are storages written since it was last read, whole and each byte
	// changed; proven are those of which it was seen to follow such a write.
	touched, proven map[*storage]bool

	instead  *value  // what it may hold by now, if it is the very thing that was changed
	source   *place  // of a handle: the attribute whose default it was read as
	borrowed *object // whose view it comes from
	version  int     // of the object, then
	grown    bool    // it was changed in place since it was assigned
	trail    trail
}

// A place is an attribute of a session.
type place struct {
	of   *session
	name string
}

func newCell(v *value) *cell {
	c := &cell{tree: v, known: v.line(), shares: map[token]bool{}, proven: map[*storage]bool{}, touched: map[*storage]bool{}}
	c.share(v)
	return c
}

// share adds what a value is made of to what the cell may share.
func (c *cell) share(v *value) {
	v.walk(0, func(x *value) {
		if x.st != nil {
			c.shares[x.st] = true
		} else if x.keys != nil || x.items != nil || x.kind == spec.KindList {
			c.shares[x] = true
		}
	})
}

// assigned is a cell that was given what another holds.
func (c *cell) assigned() *cell {
	out := newCell(c.tree)
	out.known, out.unsettled, out.wild = c.known, c.unsettled, c.wild
	maps.Copy(out.shares, c.shares)
	out.borrowed, out.version = c.borrowed, c.version
	return out
}

// stale says whether what was borrowed from an object may have changed.
func (c *cell) stale(h spec.Hello) bool {
	return c.borrowed != nil && h.Views != "always" && (c.borrowed.version != c.version || c.borrowed.ghost)
}

// predictable says whether it is known what the cell reads as.
func (c *cell) predictable(h spec.Hello) bool { return !c.unsettled && !c.wild && !c.stale(h) }

// adopt follows what a cell reads as.
func (c *cell) adopt(r spec.Reading) {
	line := lineOf(r)
	if line == c.tree.line() {
		if line != c.known { // it followed what was written to the thing itself
			for st := range c.touched {
				c.proven[st] = true
			}
		}
	} else if c.instead != nil && line == c.instead.line() {
		c.tree = c.instead
	} else {
		c.tree, c.own = valueOf(r), false
	}
	c.instead = nil
	c.known, c.unsettled = line, false
	clear(c.touched)
}

// touch notes that a storage in the cell may have been changed through another
// handle, and each byte of it if all.
func (c *cell) touch(st *storage, all bool) {
	if !c.shares[st] {
		return
	}
	c.unsettled = true
	if all {
		c.touched[st] = true
	}
}

// mayBe says whether the cell may be, or be made of, a list that is changed
// through another cell.
func (c *cell) mayBe(by *cell, list *value) bool {
	if by.own {
		return c.shares[list]
	}
	for t := range by.shares {
		if c.shares[t] {
			return true
		}
	}
	return false
}
