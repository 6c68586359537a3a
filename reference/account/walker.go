package account

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/statespec/statespec/reference/tensor"
)

// A Walker counts what several values keep alive together. It keeps its room
// between walks, so a manager that counts often keeps one. It is for one
// goroutine at a time.
type Walker struct {
	seen    storageSet
	pools   []pool
	visited map[visit]struct{}
	work    []reflect.Value // values still to be opened
	roots   []Root          // met inside another root
	aside   []aside         // met, and not yet kept still and visited
	spare   []aside         // room for aside
	plans   map[reflect.Type]*plan
	note    func(any)

	place      place // what is being walked, for Unmeasured
	inRoot     bool
	unmeasured map[string]struct{}
}

// A place is how a value is found: where in what, `session "a": frames`.
type place struct{ kind, name, where string }

// A visit is an opened value. The length tells a slice from another that
// begins at the same address.
type visit struct {
	at unsafe.Pointer
	n  int
	t  reflect.Type
}

// manyVisits is where a walk was so large that its room is not worth keeping.
const manyVisits = 1 << 14

// room returns a list empty, and without its room when that is not worth
// keeping.
func room[T any](list []T) []T {
	if cap(list) > manyVisits {
		return nil
	}
	clear(list)
	return list[:0]
}

// emptied is room for a map.
func emptied[K comparable](m map[K]struct{}) map[K]struct{} {
	if len(m) > manyVisits {
		return map[K]struct{}{}
	}
	clear(m)
	return m
}

// NewWalker returns a Walker that has counted nothing.
func NewWalker() *Walker {
	w := &Walker{visited: map[visit]struct{}{}, plans: map[reflect.Type]*plan{}, unmeasured: map[string]struct{}{}}
	w.note = w.add
	return w
}

// Within says whose values a Root walks next, for what cannot be measured:
// `session "a": …`.
func (w *Walker) Within(kind, name string) { w.place.kind, w.place.name = kind, name }

// Walk counts v and everything that it keeps alive, however deep: it uses a
// list of work, not the stack. Where names v in Report.Unmeasured. Inside a
// Root, Steady holders and other Roots that are met wait for their turn.
func (w *Walker) Walk(where string, v any) {
	w.place.where = where
	w.add(v)
	w.drain()
	if !w.inRoot {
		w.VisitSteady()
		w.walkRoots()
	}
}

// WalkRoot walks a Root, and then the Roots that were met inside it.
func (w *Walker) WalkRoot(r Root) {
	w.Later(r)
	w.walkRoots()
}

// WalkTogether runs walk for each of some Roots that the caller keeps still
// together, and then visits the Steady holders of all of them together. One
// that holds another of them does not walk it again. Other Roots that they
// hold wait for WalkMet, when the caller has let go of these.
func WalkTogether[R Root](w *Walker, roots []R, walk func(R)) {
	for _, r := range roots {
		w.enter(visit{at: identity(r), t: reflect.TypeOf(r)})
	}
	w.inRoot = true
	for _, r := range roots {
		walk(r)
	}
	w.VisitSteady()
	w.inRoot = false
	w.Within("", "")
}

// WalkMet walks the Roots that were met in what was walked so far.
func (w *Walker) WalkMet() { w.walkRoots() }

// Count adds bytes that are known by their number alone, once for each who:
// what they overlap with cannot be known.
func (w *Walker) Count(who any, byDevice map[tensor.Device]int64) {
	if !w.enter(visit{at: identity(who), t: reflect.TypeOf(who)}) {
		return
	}
	for device, n := range byDevice {
		w.pool(device).owned += n
	}
}

// WalkSteady is Walk for what is known to be Steady.
func (w *Walker) WalkSteady(where string, s Steady) {
	w.place.where = where
	if w.enter(visit{at: identity(s), t: reflect.TypeOf(s)}) {
		w.setAside(s)
	}
	if !w.inRoot {
		w.VisitSteady()
		w.walkRoots()
	}
}

// Later notes a Root to be walked when the one being walked is done.
func (w *Walker) Later(r Root) {
	if w.enter(visit{at: identity(r), t: reflect.TypeOf(r)}) {
		w.roots = append(w.roots, r)
	}
}

// walkRoots walks one root after the other, those that they lead to included.
func (w *Walker) walkRoots() {
	for len(w.roots) > 0 {
		last := len(w.roots) - 1
		r := w.roots[last]
		w.roots[last], w.roots = nil, w.roots[:last]
		w.inRoot = true
		r.WalkHeld(w)
		w.VisitSteady() // unless the Root did
		w.inRoot = false
		w.Within("", "")
	}
}

// enter reports whether a value is met for the first time. Values without an
// address cannot lead back to themselves.
func (w *Walker) enter(v visit) bool {
	if v.at == nil {
		return true
	}
	if _, seen := w.visited[v]; seen {
		return false
	}
	w.visited[v] = struct{}{}
	return true
}

// identity is the address behind an interface that holds a pointer, else nil.
func identity(v any) unsafe.Pointer {
	if r := reflect.ValueOf(v); r.Kind() == reflect.Pointer {
		return r.UnsafePointer()
	}
	return nil
}

// add counts v when that takes one step, and notes it as work otherwise. The
// first cases are what sessions mostly hold; the rest of Go is in open.
func (w *Walker) add(v any) {
	switch v := v.(type) {
	case nil:
	case *tensor.Tensor:
		w.addTensor(v)
	case **tensor.Tensor:
		w.addTensor(*v)
	case []*tensor.Tensor:
		w.addTensors(v)
	case *[]*tensor.Tensor:
		w.addTensors(*v)
	case *tensor.Storage:
		w.addStorage(v)
	case []byte:
		w.addArray(unsafe.Pointer(unsafe.SliceData(v)), cap(v))
	case string, *string, bool, *bool, int, *int, int64, *int64, float64, *float64:
	default:
		w.work = append(w.work, unbox(v))
	}
}

func (w *Walker) addTensors(ts []*tensor.Tensor) {
	for _, t := range ts {
		w.addTensor(t)
	}
}

func (w *Walker) addTensor(t *tensor.Tensor) {
	if t != nil {
		w.addStorage(t.Storage())
	}
}

// addStorage counts a storage once. Those that may overlap others join the
// intervals; zero bytes have no address of their own and never count.
func (w *Walker) addStorage(st *tensor.Storage) {
	if st == nil || !w.seen.add(st) {
		return
	}
	if st.Owned() {
		w.pool(st.Device()).owned += int64(st.Len())
		return
	}
	if device, start, n := st.Span(); n > 0 {
		p := w.pool(device)
		p.met = append(p.met, interval{start: start, n: uintptr(n)})
	}
}

// addArray counts n bytes of host memory.
func (w *Walker) addArray(at unsafe.Pointer, n int) {
	if n > 0 {
		p := w.pool(tensor.CPU)
		p.met = append(p.met, interval{start: uintptr(at), n: uintptr(n), keep: at})
	}
}

// pool returns a device's memory. There are few devices: a search is fastest.
func (w *Walker) pool(device tensor.Device) *pool {
	for i := range w.pools {
		if w.pools[i].device == device {
			return &w.pools[i]
		}
	}
	w.pools = append(w.pools, pool{device: device})
	return &w.pools[len(w.pools)-1]
}

// cannotMeasure names something that holds what cannot be counted.
func (w *Walker) cannotMeasure(what string) {
	if w.place.where != "" {
		what = w.place.where + ": " + what
	}
	if w.place.kind != "" {
		what = fmt.Sprintf("%s %q: %s", w.place.kind, w.place.name, what)
	}
	w.unmeasured[what] = struct{}{}
}

// Report returns what was counted since the last Report, and forgets it.
func (w *Walker) Report() Report {
	r := Report{ByDevice: make(map[tensor.Device]int64, len(w.pools))}
	for i := range w.pools {
		if n := w.bytes(&w.pools[i]); n > 0 {
			r.ByDevice[w.pools[i].device] = n
			r.Total += n
		}
	}
	for what := range w.unmeasured {
		r.Unmeasured = append(r.Unmeasured, what)
	}
	slices.Sort(r.Unmeasured)
	w.forget()
	return r
}

// bytes is the size of the union: owned storages, intervals, less the part of
// the intervals that lies inside owned storages.
func (w *Walker) bytes(p *pool) int64 {
	if len(p.met) == 0 {
		return p.owned
	}
	total, merged := p.owned, union(p.met)
	for _, m := range merged {
		total += int64(m.n)
	}
	for _, st := range w.seen.slots {
		if st == nil || !st.Owned() || st.Device() != p.device {
			continue
		}
		_, start, n := st.Span()
		total -= int64(covered(merged, start, uintptr(n)))
	}
	return total
}

func (w *Walker) forget() {
	w.seen.clear()
	for i := range w.pools {
		w.pools[i].met, w.pools[i].owned = room(w.pools[i].met), 0
	}
	w.work, w.roots, w.aside, w.spare = room(w.work), room(w.roots), room(w.aside), room(w.spare)
	w.visited, w.unmeasured = emptied(w.visited), emptied(w.unmeasured)
	w.place = place{}
}

// typeName is how an unmeasured value is called.
func typeName(t reflect.Type) string { return fmt.Sprint(t) }
