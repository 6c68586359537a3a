package bench

import (
	"fmt"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// A Benchmark is a list of calls that are made over and over, and what has to be
// there before.
type Benchmark struct {
	Name  string
	Doc   string
	Needs []spec.Capability // beside the layer manager
	Kinds []spec.ObjectKind

	setUp func() []op.Call
	loop  []op.Call
}

func call(method string, p op.Params) op.Call { return op.Call{Method: method, Params: p} }

func release(h string) op.Call { return call("release", op.Params{On: h}) }

func newManager(limit int, attrs ...string) op.Call {
	s := spec.ManagerSpec{Cap: &limit}
	for _, name := range attrs {
		s.Attrs = append(s.Attrs, spec.AttrDecl{Name: name, Default: spec.Nothing()})
	}
	return call("new_manager", op.Params{As: "m", ManagerSpec: &s})
}

func session(id, as string) op.Call {
	return call("session", op.Params{On: "m", As: as, Session: &id})
}

// full is a manager at its cap, whose sessions nobody holds.
func full(sessions int) []op.Call {
	calls := []op.Call{newManager(sessions, "x")}
	for i := range sessions {
		calls = append(calls, session(fmt.Sprintf("session %d", i), "s"), release("s"))
	}
	return calls
}

// Shapes of the benchmarks: the shipped cap, DreamZero's values, and its latent frame.
const (
	sessions = 64
	values   = 12
	tensors  = 41
	frames   = 2
)

var latentFrame = []int{1, 32, 1, 44, 80} // bfloat16, time is axis 2

// Benchmarks lists all of them.
func Benchmarks() []Benchmark {
	ring := func() []op.Call {
		bound := spec.Bound{Unit: spec.Frames, N: frames, Axis: 2}
		frame := spec.Tensor("bfloat16", 1, latentFrame...)
		return []op.Call{newManager(1), session("a", "s"),
			call("ensure", op.Params{On: "s", As: "o", Name: "ring", ObjectSpec: &spec.ObjectSpec{Kind: spec.LatentBuffer, Bound: bound}}),
			call("make", op.Params{As: "v", Recipe: &frame}),
			call("commit", op.Params{On: "o", Values: []string{"v"}}), call("commit", op.Params{On: "o", Values: []string{"v"}})}
	}
	attribute := func() []op.Call {
		n := spec.Int(1)
		return []op.Call{newManager(1, "x"), session("a", "s"), call("make", op.Params{As: "v", Recipe: &n}),
			call("set_attr", op.Params{On: "s", Name: "x", Values: []string{"v"}})}
	}
	last := frames
	return []Benchmark{
		{Name: "Hit", Doc: "get-or-create of a session that is retained, at a cap of 64",
			setUp: func() []op.Call { return full(sessions) }, loop: []op.Call{session("session 7", "s"), release("s")}},
		{Name: "MissWithEviction", Doc: "get-or-create of one of two sessions in turn, at a cap of 1",
			setUp: func() []op.Call { return full(1) },
			loop:  []op.Call{session("a", "s"), release("s"), session("b", "s"), release("s")}},
		{Name: "AttributeRead", Doc: "an attribute that holds an int",
			setUp: attribute, loop: []op.Call{call("attr", op.Params{On: "s", As: "r", Name: "x"}), release("r")}},
		{Name: "AttributeWrite", Doc: "the same, written",
			setUp: attribute, loop: []op.Call{call("set_attr", op.Params{On: "s", Name: "x", Values: []string{"v"}})}},
		{Name: "Stats", Doc: "statistics of 64 sessions with 12 attributes, each a list of 41 tensors",
			setUp: manyValues, loop: []op.Call{call("stats", op.Params{On: "m"})}},
		{Name: "RingPush", Doc: "a latent frame of the shipped shape into a ring of two frames", Kinds: []spec.ObjectKind{spec.LatentBuffer},
			setUp: ring, loop: []op.Call{call("commit", op.Params{On: "o", Values: []string{"v"}})}},
		{Name: "RingPushAndView", Doc: "the same, and the last two frames as one tensor", Kinds: []spec.ObjectKind{spec.LatentBuffer},
			setUp: ring, loop: []op.Call{call("commit", op.Params{On: "o", Values: []string{"v"}}),
				call("view", op.Params{On: "o", As: "w", View: &spec.View{Last: &last}}), release("w")}},
	}
}

// manyValues is a full manager whose sessions hold as much as DreamZero's do, of
// small tensors.
func manyValues() []op.Call {
	var names []string
	for i := range values {
		names = append(names, fmt.Sprintf("value %d", i))
	}
	calls := []op.Call{newManager(sessions, names...)}
	list, tensor := spec.List(), spec.Tensor("float32", 1, 16)
	for i := range sessions {
		calls = append(calls, session(fmt.Sprintf("session %d", i), "s"))
		for _, name := range names {
			var from []string
			for t := range tensors {
				h := fmt.Sprintf("t%d", t)
				from = append(from, h)
				calls = append(calls, call("make", op.Params{As: h, Recipe: &tensor}))
			}
			calls = append(calls, call("make", op.Params{As: "l", Recipe: &list, From: from}),
				call("set_attr", op.Params{On: "s", Name: name, Values: []string{"l"}}), release("l"))
			for _, h := range from {
				calls = append(calls, release(h))
			}
		}
		calls = append(calls, release("s"))
	}
	return calls
}
