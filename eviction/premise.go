package eviction

import (
	"fmt"
	"slices"

	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// manager makes a manager of a cap, whose sessions have the attribute "mark" and
// those given.
func manager(s *op.Client, n int, attrs ...string) spec.Manager {
	GinkgoHelper()
	return Must(s.NewManager(spec.ManagerSpec{Cap: &n, Attrs: Attrs(append(attrs, "mark")...)}))
}

// visit asks for sessions, one after the other, and holds none of them.
func visit(m spec.Manager, ids ...string) {
	GinkgoHelper()
	for _, id := range ids {
		LetGo(Must(m.Session(id)))
	}
}

// retained lists those of some ids that a manager retains, in the order given.
func retained(m spec.Manager, ids ...string) []string {
	GinkgoHelper()
	in := []string{}
	for _, id := range ids {
		if Must(m.Contains(id)) {
			in = append(in, id)
		}
	}
	return in
}

// gone ends the spec unless ids were evicted. That they are is for other rows to
// ask; what is asked of an evicted session cannot be asked of another.
func gone(m spec.Manager, ids ...string) {
	GinkgoHelper()
	if still := retained(m, ids...); len(still) > 0 {
		CannotTell("%q should have been evicted by now and is retained", still)
	}
}

// kept ends the spec unless a manager of a cap, made for this alone, retains
// sessions that it has places for.
func kept(s *op.Client, n int, ids []string) {
	GinkgoHelper()
	control := manager(s, n)
	visit(control, ids...)
	if got := retained(control, ids...); len(got) < len(ids) {
		CannotTell("retained of %d sessions at a cap of %d = %q, with nothing to push them out", len(ids), n, got)
	}
}

// names are n session ids.
func names(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf("s%d", i)
	}
	return ids
}

// mark writes a number of ours into a session, so that it can be told from
// others.
func mark(s *op.Client, to spec.Session, n int) {
	GinkgoHelper()
	Do(tryMark(s, to, n))
}

// tryMark is mark where it may be refused.
func tryMark(s *op.Client, to spec.Session, n int) error {
	GinkgoHelper()
	return to.SetAttr("mark", Must(s.Make(spec.Int(int64(n)))))
}

// markOf is the number that a session was marked with, 0 for none.
func markOf(of spec.Session) int {
	GinkgoHelper()
	return int(Bits(Must(of.Attr("mark"))).Int)
}

// write gives a session an attribute of a new tensor of n bytes, which nobody
// else holds.
func write(s *op.Client, to spec.Session, name string, n int) {
	GinkgoHelper()
	v := Must(s.Make(spec.Tensor("uint8", 1, n)))
	Do(to.SetAttr(name, v))
	LetGo(v)
}

// stateKinds are the kinds of state object that a subject has, without spies.
func stateKinds(s *op.Client) []spec.KindInfo {
	GinkgoHelper()
	kinds := slices.DeleteFunc(slices.Clone(s.Hello().Kinds), func(k spec.KindInfo) bool { return k.Kind == spec.Spy })
	if len(kinds) == 0 {
		Unclaimed("no kind of state object")
	}
	return kinds
}

// filled makes a session's object of a kind, with one payload of one frame.
func filled(s *op.Client, in spec.Session, k spec.KindInfo, seed uint64) spec.Object {
	GinkgoHelper()
	o := Must(in.Ensure("state", Roomy(k)))
	commit(s, o, seed)
	return o
}

func commit(s *op.Client, to spec.Object, seed uint64) {
	GinkgoHelper()
	v := Must(s.Make(spec.Tensor("uint8", seed, 1, 16)))
	Do(to.Commit(v))
	LetGo(v)
}

// content is all that an object shows, in one line.
func content(o spec.Object) string {
	GinkgoHelper()
	v := Must(o.View(spec.View{}))
	r := Bits(v)
	if v != nil {
		LetGo(v)
	}
	return Outline(r)
}

// can says whether a subject claims a capability.
func can(s *op.Client, c spec.Capability) bool { return slices.Contains(s.Hello().Can, c) }
