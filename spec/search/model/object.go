package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statespec/statespec/spec"
)

// An entry is one payload, or one frame of a ring, as an object keeps it.
type entry struct {
	dtype string
	shape []int
	raw   []byte
	from  *value // what was handed over
}

func entryOf(v *value) entry {
	return entry{v.dtype, v.shape, slices.Clone(v.bytes()), v}
}

func (e entry) line() string { return tensorLine(spec.KindTensor, e.dtype, e.shape, digest(e.raw)) }

// frames cuts an entry along an axis.
func (e entry) frames(axis int) (fs []entry) {
	if axis >= len(e.shape) || elements(e.shape) == 0 {
		return nil
	}
	n, size := e.shape[axis], len(e.raw)/elements(e.shape)
	after := elements(e.shape[axis+1:]) * size // bytes of one index of the axis
	before := elements(e.shape[:axis])
	shape := slices.Clone(e.shape)
	shape[axis] = 1
	for i := range n {
		var raw []byte
		for b := range before {
			at := (b*n + i) * after
			raw = append(raw, e.raw[at:at+after]...)
		}
		fs = append(fs, entry{e.dtype, shape, raw, e.from})
	}
	return fs
}

func linesOf(es []entry) []string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.line()
	}
	return lines
}

// An object is a state object.
type object struct {
	kind      spec.KindInfo
	allocated bool
	bound     spec.Bound
	content   []entry // payloads; frames of a ring
	staged    []entry

	committed bool // something was, since it was allocated: of a kind that replaces, it is resident
	unknown   bool // what it holds cannot be told until it is emptied
	adrift    bool // nor can what is staged
	ghost     bool // it may be another object by now: nothing is asked of it
	version   int  // how often it was written to

	given   []*storage // of every payload since it was empty: what it may pin
	readers int        // handles of what it showed that are still held
	sticky  string     // the row of an allocate that may show only in later commits
	unstage string     // the row by which what was staged went
	figure  int64      // bytes that it reported last
	fresh   int        // the version at which it did; -1: never
	source  *object    // what it can be made from again
	calls   int        // evict and reset that a spy recorded, when last looked at
	own     int        // of those that the history asked for since
	trail   trail
}

func newObject(k spec.KindInfo) *object { return &object{kind: k, fresh: -1} }

// wrote notes a write, and the row that it would be the fault of.
func (o *object) wrote(row string) {
	o.version++
	o.trail.add(row)
}

// empty makes it hold nothing.
func (o *object) empty() {
	o.content, o.committed, o.unknown = nil, false, false
}

// forget makes it an object of which nothing is known and nothing asked.
func (o *object) forget() {
	o.ghost = true
	o.version++
}

// resident says whether it has to be; known is false where that cannot be told.
func (o *object) resident() (is, known bool) {
	if o.ghost || o.unknown {
		return false, false
	}
	if o.kind.Resident == "first-commit" {
		return o.committed, true
	}
	return o.allocated, true
}

func (o *object) ring() bool { return o.bound.Unit == spec.Frames }

// takes says what is known of whether a commit of a payload has to be accepted.
// Plain is a payload like those before it: it has to be.
func (o *object) takes(v *value) (plain, fits bool) {
	if !v.isPayload() || elements(v.shape) == 0 {
		return false, v.isPayload() && o.ring() && o.bound.Axis < len(v.shape) && v.shape[o.bound.Axis] == 0
	}
	if o.ring() && o.bound.Axis >= len(v.shape) {
		return false, false
	}
	if len(o.content) == 0 {
		return v.whole(), true
	}
	last := o.content[len(o.content)-1]
	same := last.dtype == v.dtype && len(last.shape) == len(v.shape)
	for i := range v.shape {
		same = same && (last.shape[i] == v.shape[i] || o.ring() && i == o.bound.Axis)
	}
	return same && v.whole(), same || !o.ring()
}

// misfit says whether a payload is a frame of another shape than the ring's.
func (o *object) misfit(v *value) bool {
	if !o.ring() || len(o.content) == 0 || !v.isPayload() || elements(v.shape) == 0 {
		return false
	}
	last := o.content[0]
	if last.dtype != v.dtype || len(last.shape) != len(v.shape) {
		return false // another dtype or rank is not spoken of
	}
	for i := range v.shape {
		if i != o.bound.Axis && last.shape[i] != v.shape[i] {
			return true
		}
	}
	return false
}

// add commits payloads that were accepted.
func (o *object) add(vs ...*value) {
	for _, v := range vs {
		o.given = append(o.given, v.st)
		e := entryOf(v)
		switch {
		case !o.kind.Appends:
			o.content = []entry{e}
		case o.ring():
			o.content = append(o.content, e.frames(o.bound.Axis)...)
		default:
			o.content = append(o.content, e)
		}
	}
	o.committed = true
	if o.kind.Appends && o.bound.Unit != spec.Unbounded {
		over := max(0, len(o.content)-max(0, o.bound.N))
		o.content = slices.Clone(o.content[over:])
	}
}

// row is the guarantee that says what a commit of several payloads leaves.
func (o *object) row(n int) string {
	switch {
	case !o.kind.Appends:
		return "OBJ-02"
	case o.bound.Unit != spec.Unbounded && o.bound.N == 0:
		return "OBJ-11.zero"
	case o.bound.Unit == spec.Frames:
		return "RNG-01"
	case o.bound.Unit == spec.Payloads && o.bound.N == 1:
		return "OBJ-11"
	case o.bound.Unit == spec.Payloads && n > o.bound.N:
		return "OBJ-12"
	case o.kind.Kind != spec.LatentBuffer, o.bound.Unit == spec.Unbounded && n > 1:
		return "OBJ-02"
	case o.bound.Unit == spec.Payloads:
		return "OBJ-04"
	}
	return "OBJ-03"
}

// overflows says whether so many more payloads or frames push something out.
func (o *object) overflows(n int) bool {
	return o.kind.Appends && o.bound.Unit != spec.Unbounded && len(o.content)+n > o.bound.N
}

// blame is the row that is broken where an object is not as it should be.
func (o *object) blame(h spec.Hello, otherwise string) string {
	if o.sticky != "" && asked(h, o.sticky) {
		return o.sticky
	}
	return o.trail.culprit(h, otherwise)
}

// payload is the bytes that it holds at the least: of what is committed, and of
// what is staged.
func (o *object) payload() (committed, staged int64) {
	if o.ghost {
		return 0, 0
	}
	if !o.unknown {
		committed = weigh(o.content, o.kind.Keeps)
	}
	if !o.adrift {
		staged = weigh(o.staged, o.kind.Keeps)
	}
	return committed, staged
}

// weigh adds up entries. Of an object that keeps references, the same storage
// counts once, and at the least by what shows.
func weigh(es []entry, keeps string) (n int64) {
	seen := map[*storage]bool{}
	for _, e := range es {
		if keeps != "copy" && e.from != nil {
			if seen[e.from.st] {
				continue
			}
			seen[e.from.st] = true
		}
		n += int64(len(e.raw))
	}
	return n
}

// shown is what a view shows: lines of payloads, or of frames.
func (o *object) shown(r spec.Reading, axis int) []string {
	items := []spec.Reading{r}
	if o.kind.Appends && (r.Kind == spec.KindList || r.Kind == spec.KindTuple) {
		items = r.Items
	}
	if r.Kind == spec.KindNone {
		return nil
	}
	var lines []string
	for _, item := range items {
		lines = append(lines, shownItem(item, axis, o.ring())...)
	}
	return lines
}

func shownItem(r spec.Reading, axis int, split bool) []string {
	if split && r.Kind == spec.KindTensor && len(r.Bytes) > 0 {
		v := valueOf(r)
		if v.isTensor() && axis < len(v.shape) {
			return linesOf(entryOf(v).frames(axis))
		}
	}
	if split && r.Kind == spec.KindTensor && axis < len(r.Shape) && r.Shape[axis] == 0 {
		return nil
	}
	return []string{lineOf(r)}
}

// list is some lines for a message.
func list(lines []string) string {
	if len(lines) == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%d: %s", len(lines), strings.Join(lines, "; "))
}
