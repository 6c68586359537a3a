package model

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/statespec/statespec/spec"
)

// open is a figure of which there is no upper bound.
const open = math.MaxInt64 / 4

// grain is what the usual allocators round up to: an honest count of smaller
// storages may be larger than what was asked for.
const grain = 512

func rounded(n int64) int64 { return (n + grain - 1) / grain * grain }

// A figure is what sessions hold, between two bounds.
type figure struct {
	lo, hi int64

	// Of how it comes about, for the row of a wrong one.
	views, containers, grown, betweenSessions, betweenNames bool
	apart                                                   int64 // where shared storages count at each place
	elements                                                int64 // where elements count and not storages
	flat                                                    int64 // where containers are not looked into
}

// use is where a storage is held by attributes.
type use struct {
	places           int
	shows            int64 // bytes, at most
	most             int64 // bytes of a copy, at most: of a broadcast, more than the storage
	whole, partial   bool  // somewhere all of it shows, or less
	proven           bool  // everywhere: it is the storage itself and not a copy
	cells            map[*cell]bool
	sessions         map[*session]bool
	container, plain bool
}

// attributes is what the attributes of sessions hold.
func (w *World) attributes(ss []*session) (f figure) {
	uses, order := map[*storage]*use{}, []*storage{}
	for _, s := range ss {
		if s.lost || s.dropped {
			f.hi = open
			continue
		}
		for _, c := range s.attrs {
			if c == nil || c.tree == nil && c.predictable(w.hello) {
				continue
			}
			f.grown = f.grown || c.grown
			if !w.countable(c) {
				f.hi = open
				continue
			}
			c.tree.leaves(func(v *value) {
				u := uses[v.st]
				if u == nil {
					u = &use{proven: true, cells: map[*cell]bool{}, sessions: map[*session]bool{}}
					uses[v.st] = u
					order = append(order, v.st)
				}
				u.add(s, c, v)
			})
		}
	}
	for _, st := range order {
		f.count(uses[st], st)
	}
	f.hi = min(f.hi, open)
	return f
}

func (u *use) add(s *session, c *cell, v *value) {
	shows := int64(elements(v.shape) * v.size())
	u.places++
	u.shows = max(u.shows, min(shows, int64(len(v.st.raw))))
	u.most = max(u.most, int64(len(v.st.raw)), shows)
	u.partial = u.partial || shows < int64(len(v.st.raw))
	u.whole = u.whole || shows >= int64(len(v.st.raw))
	u.proven = u.proven && c.proven[v.st]
	u.cells[c], u.sessions[s] = true, true
	u.container = u.container || !c.tree.isTensor()
	u.plain = u.plain || c.tree.isTensor()
}

// count adds a storage.
func (f *figure) count(u *use, st *storage) {
	size := int64(len(st.raw))
	f.views = f.views || u.partial
	f.containers = f.containers || u.container
	f.betweenSessions = f.betweenSessions || len(u.sessions) > 1
	f.betweenNames = f.betweenNames || u.places > 1
	f.apart += size * int64(u.places)
	f.elements += u.shows
	if u.plain {
		f.flat += size
	}
	switch {
	case u.proven || u.places == 1 && u.whole && u.most == size:
		f.lo, f.hi = f.lo+size, f.hi+rounded(size)
	case u.whole:
		f.lo, f.hi = f.lo+size, f.hi+rounded(u.most)*int64(u.places)
	default:
		f.lo, f.hi = f.lo+u.shows, f.hi+rounded(u.most)*int64(u.places)
	}
}

// countable says whether the bytes of a cell can be told.
func (w *World) countable(c *cell) bool {
	fine := c.predictable(w.hello) && c.borrowed == nil
	c.tree.walk(0, func(v *value) {
		fine = fine && v.other == "" && !(v.st != nil && v.st.foreign) && !slices.Contains(w.hello.Blind, v.kind)
	})
	return fine
}

// stored is what the objects of sessions hold: at the least, whether more than
// nothing, and which they are, with their versions.
func (w *World) stored(ss []*session) (lo, staged int64, any bool, as map[*object]int) {
	as = map[*object]int{}
	for _, s := range ss {
		for _, o := range s.objects {
			if _, seen := as[o]; seen || !o.ghost && o.empties() {
				continue
			}
			any = true
			as[o] = o.version
			if o.kind.Keeps != "copy" {
				continue // it may be what an attribute has
			}
			c, st := o.payload()
			lo += c
			if w.hello.Staged == "counted" {
				staged += st
			}
		}
	}
	return lo, staged, any, as
}

// lent is the bytes of what objects are declared to have copied, and attributes
// have too: so much less there is where they kept it.
func (w *World) lent(ss []*session) (n int64) {
	has := map[token]bool{}
	for _, s := range ss {
		for _, c := range s.attrs {
			if c != nil {
				maps.Copy(has, c.shares)
			}
		}
	}
	for _, s := range ss {
		for _, o := range s.objects {
			for _, e := range slices.Concat(o.content, o.staged) {
				if e.from != nil && has[e.from.st] {
					n += int64(len(e.raw))
				}
			}
		}
	}
	return n
}

// empties says whether an object holds no byte: it is not allocated, and nothing
// is staged.
func (o *object) empties() bool {
	return !o.allocated && !o.committed && len(o.staged) == 0 && !o.adrift && !o.unknown
}

// A baseline is what the objects of a manager came to when they were last
// counted.
type baseline struct {
	valid  bool
	as     map[*object]int
	lo     map[*object]int64
	total  int64
	events trail
}

// weighs compares the bytes that a manager reports.
func (w *World) weighs(m *manager, total int64) *Problem {
	attrs := w.attributes(m.table)
	lo, staged, any, as := w.stored(m.table)
	due := attrs
	due.lo += lo + staged
	if any {
		due.hi = open
	}
	exact := attrs.lo == attrs.hi
	b := &m.bytes
	events := b.events
	if exact && b.valid && any {
		w.against(&due, b, attrs.lo, as)
	}
	if total < due.lo || total > due.hi {
		return &Problem{Row: w.weightRow(m, total, due, attrs, lo, staged, events), Aspect: Bytes, Want: due.String(), Got: fmt.Sprintf("%d bytes", total)}
	}
	b.events, b.valid = nil, exact
	b.as, b.total, b.lo = as, total-attrs.lo, map[*object]int64{}
	for o := range as {
		if o.kind.Keeps == "copy" {
			b.lo[o], _ = o.payload()
		}
	}
	return nil
}

// against tightens a figure by what the same objects came to before: as much, and
// less where one of them is gone.
func (w *World) against(due *figure, b *baseline, attrs int64, as map[*object]int) {
	gone := int64(0)
	for o, v := range as {
		if was, there := b.as[o]; !there || was != v || o.ghost || o.unknown || o.kind.Keeps != "copy" {
			return
		}
	}
	for o := range b.as {
		if _, still := as[o]; !still {
			if o.ghost { // what it held may be another's by now
				return
			}
			gone += b.lo[o]
		}
	}
	if len(as) == len(b.as) {
		due.lo = max(due.lo, attrs+b.total)
	}
	due.hi = attrs + b.total - gone
}

func (f figure) String() string {
	switch {
	case f.hi >= open:
		return fmt.Sprintf("%d bytes or more", f.lo)
	case f.hi == f.lo:
		return fmt.Sprintf("%d bytes", f.lo)
	}
	return fmt.Sprintf("%d to %d bytes", f.lo, f.hi)
}

// weightRow is the row that a wrong figure breaks: that of the mistake that would
// come to it, else of what happened since the last right one.
func (w *World) weightRow(m *manager, total int64, due, attrs figure, lo, staged int64, events trail) string {
	last := events.culprit(w.hello, "ACC-10")
	if total < due.lo {
		switch {
		case attrs.grown:
			return "ACC-20"
		case len(events) == 0:
			return "ACC-10"
		case staged > 0 && total >= due.lo-staged:
			return "ACC-16"
		case total >= due.lo-w.lent(m.table):
			return "OBJ-20"
		case lo > 0 && total >= attrs.lo && total < attrs.lo+lo:
			return "ACC-06.object"
		case attrs.grown:
			return "ACC-20"
		case attrs.containers && total == attrs.flat+due.lo-attrs.lo:
			return "ACC-11"
		case attrs.views && total <= attrs.elements+due.lo-attrs.lo && total > 0:
			return "ACC-02"
		}
		return "ACC-06"
	}
	switch {
	case due.hi == 0 && len(m.table) == 0:
		return "ACC-01"
	case attrs.grown && len(events) == 0:
		return "ACC-20"
	case attrs.betweenNames && total-due.hi <= attrs.apart-attrs.lo && !strings.HasPrefix(last, "OBJ"):
		switch {
		case attrs.betweenSessions:
			return "ACC-07"
		case attrs.views:
			return "ACC-03"
		}
		return "ACC-05"
	case last == "ACC-06" || last == "ACC-06.object" || last == "EVI-07":
		return "ACC-03"
	}
	return last
}

// sharing says whether a session may share a storage with another.
func (w *World) sharing(s *session) bool {
	for _, x := range w.everySession {
		if x == s {
			continue
		}
		for _, c := range x.attrs {
			for _, own := range s.attrs {
				for t := range own.shares {
					if _, is := t.(*storage); is && c.shares[t] {
						return true
					}
				}
			}
		}
		for _, o := range x.objects {
			for _, own := range s.objects {
				if o == own {
					return true
				}
			}
		}
	}
	return false
}

// ownBytes compares the bytes that a session reports of itself.
func (w *World) ownBytes(s *session, got spec.Contents) *Problem {
	if !w.claims(spec.CanSessionBytes) {
		return nil
	}
	total := int64(0)
	for _, n := range got.Bytes {
		total += n
	}
	due := w.attributes([]*session{s})
	lo, staged, any, _ := w.stored([]*session{s})
	due.lo += lo + staged
	if any {
		due.hi = open
	}
	if total >= due.lo && total <= due.hi {
		return nil
	}
	row := "ACC-07.session" // of what it has alone, the figure is wrong for another reason
	if !w.sharing(s) {
		row = w.weightRow(s.of, total, due, w.attributes([]*session{s}), lo, staged, append(trail{"ACC-06"}, s.of.bytes.events...))
	}
	return &Problem{Row: row, Aspect: Bytes, Want: due.String() + " of its own", Got: fmt.Sprintf("%d bytes", total)}
}
