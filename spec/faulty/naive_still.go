package faulty

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"unsafe"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
)

// A content is what a session holds under one name: an object's payloads, or an
// attribute's value.
type content struct {
	session *manager.Session
	object  object.StateObject // nil for an attribute
	name    string
	holds   []any
}

// stillContents are the contents of sessions at one moment, objects before
// attributes, in the order of their names. The sessions are locked together,
// and then the guards of all their objects, so that a naive count is a
// consistent one. A table holds no two sessions of one id.
func stillContents(sessions []*manager.Session) (all []content) {
	ordered := slices.SortedFunc(slices.Values(sessions), func(a, b *manager.Session) int { return cmp.Compare(a.ID(), b.ID()) })
	var lock func(locked int)
	lock = func(locked int) {
		if locked == len(ordered) {
			visitObjects(all)
			return
		}
		s := ordered[locked]
		s.Update(func(e *manager.Edit) {
			for _, name := range e.Names() {
				o, _ := e.Object(name)
				all = append(all, content{session: s, object: o, name: name})
			}
			for _, name := range e.AttrNames() {
				v, _ := e.Attr(name)
				all = append(all, content{session: s, name: name, holds: []any{v}})
			}
			lock(locked + 1)
		})
	}
	lock(0)
	return all
}

// visitObjects fills in what objects hold, all of them kept still.
func visitObjects(all []content) {
	guards := map[*sync.Mutex]bool{}
	for i := range all {
		if steady, ok := all[i].object.(account.Steady); ok {
			guards[steady.Guard()] = true
		}
	}
	for _, g := range slices.SortedFunc(maps.Keys(guards), func(a, b *sync.Mutex) int {
		return cmp.Compare(uintptr(unsafe.Pointer(a)), uintptr(unsafe.Pointer(b)))
	}) {
		g.Lock()
		defer g.Unlock()
	}
	for i := range all {
		if steady, ok := all[i].object.(account.Steady); ok {
			steady.VisitHeld(func(v any) { all[i].holds = append(all[i].holds, v) })
		}
	}
}
