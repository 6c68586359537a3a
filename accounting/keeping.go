package accounting

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// kept finds out, by writing through base, whether attributes are memory of base
// or copies that the session made of what it was given. Copies are storages of
// their own, of which a promise about views of base says nothing: one of them
// ends the spec. Where the language has no way to write, it is not told.
func kept(base spec.Value, in ...place) (told bool) {
	GinkgoHelper()
	return keptAll([]spec.Value{base}, in...)
}

// keptAll is kept for attributes that are memory of several.
func keptAll(bases []spec.Value, in ...place) (told bool) {
	GinkgoHelper()
	before := make([][]string, len(in))
	for i, p := range in {
		before[i] = contents(attribute(p.of, p.name))
		if len(before[i]) == 0 {
			CannotTell("attribute %s reads as no tensor or array: %s", p.name, Outline(attribute(p.of, p.name)))
		}
	}
	for _, base := range bases {
		if !overwritten(base) {
			return false
		}
	}
	for i, p := range in {
		after := contents(attribute(p.of, p.name))
		if len(after) != len(before[i]) {
			CannotTell("attribute %s reads as %d tensors or arrays, as %d before one was written into", p.name, len(after), len(before[i]))
		}
		for j := range after {
			if after[j] == before[i][j] {
				CannotTell("the session keeps a copy of what was assigned to %s: it shares no storage with anything", p.name)
			}
		}
	}
	return true
}

// contents are the tensors and arrays in a reading, a line each.
func contents(r spec.Reading) (lines []string) {
	if r.Kind == spec.KindTensor || r.Kind == spec.KindArray {
		return []string{Outline(r)}
	}
	for _, item := range r.Items {
		lines = append(lines, contents(item)...)
	}
	return lines
}

// place is an attribute of a session.
type place struct {
	of   spec.Session
	name string
}

// overwritten writes other bytes into a value, and says whether it could.
func overwritten(v spec.Value) bool {
	GinkgoHelper()
	switch err := v.Edit(spec.Refill(99)); spec.KindOf(err) {
	case spec.Immutable, spec.Unsupported:
		return false
	default:
		Do(err)
	}
	return true
}

// attribute is what an attribute reads as.
func attribute(of spec.Session, name string) spec.Reading {
	GinkgoHelper()
	v := Must(of.Attr(name))
	if v != nil {
		defer LetGo(v)
	}
	return Bits(v)
}

// expectBytes asks that statistics report so many bytes. Where it is not told
// whether sessions keep copies, other figures may be right as well.
func expectBytes(m spec.Manager, due int64, told bool, what string, args ...any) {
	GinkgoHelper()
	st := Must(m.Stats())
	if !told && bytesOf(st) != due {
		CannotTell("stats = %d bytes, %d if the session keeps no copies, which cannot be told where nothing can be written", bytesOf(st), due)
	}
	Expect(st).To(CountBytes(due), append([]any{what}, args...)...)
}
