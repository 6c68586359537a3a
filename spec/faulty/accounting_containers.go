package faulty

import (
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
)

// byteContainers holds faults of looking into what an attribute holds.
func byteContainers() []Fault {
	return []Fault{
		{
			Name: "does not look into tuples", Breaks: []string{"ACC-11"},
			Parts: blindTo(spec.KindTuple),
		}, {
			Name: "does not look into a list inside a map", Breaks: []string{"ACC-11"},
			Parts: notInto(func(w *way) bool { return w.kind == spec.KindList && w.up.kind == spec.KindMap }),
		}, {
			Name: "counts one entry of a map", Breaks: []string{"ACC-11"}, Follows: []string{"ACC-20"},
			Parts: leavingOut(func(s sight) bool { return s.kind == spec.KindMap && s.at >= 2 }),
		}, {
			Name: "counts the first thing in a tuple", Breaks: []string{"ACC-11"},
			Parts: leavingOut(func(s sight) bool { return s.kind == spec.KindTuple && s.at > 0 }),
		}, {
			Name: "looks five containers deep", Breaks: []string{"ACC-11"},
			Parts: counted(func() naive {
				return naive{into: func(w *way) (bool, string) { return w.deep <= 5, "what is deeper" }}
			}),
		},
		{
			Name: "counts a hundred things of a container at most", Breaks: []string{"ACC-11"},
			Parts: leavingOut(func(s sight) bool { return s.kind != "" && s.at >= 100 }),
		}, {
			Name: "counts the first thing in an attribute's list", Breaks: []string{"ACC-11"}, Follows: []string{"ACC-05", "ACC-13.overlap", "ACC-14.opaque", "ACC-20"},
			Parts: leavingOut(func(s sight) bool { return s.kind == spec.KindList && s.deep == 1 && s.at > 0 }),
		},
		{
			Name: "does not look into sets", Breaks: []string{"ACC-11.set"}, Met: "the real manager counts nothing in a set",
			Parts: blindTo(spec.KindSet),
		}, {
			Name: "does not look into a set inside a list", Breaks: []string{"ACC-11.set"},
			Parts: notInto(func(w *way) bool { return w.kind == spec.KindSet && w.up.kind == spec.KindList }),
		}, {
			Name: "does not count the keys of a map", Breaks: []string{"ACC-11.map-key"}, Met: "the real manager counts the values alone",
			Parts: leavingOut(func(s sight) bool { return s.in(spec.KindMapKey) > 0 }),
		}, {
			Name: "does not look into records", Breaks: []string{"ACC-11.record"}, Met: "the real manager counts nothing in a record",
			Parts: blindTo(spec.KindRecord),
		}, {
			Name: "counts the tensors of a record and not its lists", Breaks: []string{"ACC-11.record"},
			Parts: notInto(func(w *way) bool { return w.kind == spec.KindList && w.up.kind == spec.KindRecord }),
		}, {
			Name: "does not look into the attributes of an object", Breaks: []string{"ACC-11.instance"}, Met: "the real manager counts nothing in an object or a module",
			Parts: blindTo(spec.KindInstance),
		}, {
			Name: "does not look into an object inside a list", Breaks: []string{"ACC-11.instance"},
			Parts: notInto(func(w *way) bool { return w.kind == spec.KindInstance && w.up.kind == spec.KindList }),
		}, {
			Name: "does not count a state object that is in an attribute", Breaks: []string{"ACC-11.stored"}, Met: "the real manager counts nothing of a buffer in an attribute",
			Parts: blindTo(spec.KindStored),
		}, {
			Name: "does not count an encode-once object that is in an attribute", Breaks: []string{"ACC-11.stored"},
			Parts: notInto(func(w *way) bool { _, once := w.is.(*object.EncodeOnce); return once }),
		},
	}
}

// blindTo is a subject that does not look into a kind of container.
func blindTo(kind spec.ValueKind) func() subject.Parts {
	return notInto(func(w *way) bool { return w.kind == kind })
}
