package objects

import (
	"fmt"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// kind is a kind of state object of the running spec's subject.
type kind struct {
	spec.KindInfo
	s *op.Client
	*asking
}

// asking is what became of the kinds that a spec was asked of.
type asking struct {
	answered           int
	lacking, undecided []string
}

func (k kind) String() string { return string(k.Kind) }

// A trait is what a spec asks of the kinds that it runs for.
type trait struct {
	name string
	of   func(spec.KindInfo) bool
}

var (
	appends  = trait{"appends", func(k spec.KindInfo) bool { return k.Appends }}
	replaces = trait{"replaces", func(k spec.KindInfo) bool { return !k.Appends }}
	stages   = trait{"stages", func(k spec.KindInfo) bool { return k.Staging }}
	lists    = trait{"shows payloads apart", func(k spec.KindInfo) bool { return k.Appends && !onlyFrames(k) }}
	buffers  = trait{"is a latent buffer", func(k spec.KindInfo) bool { return k.Kind == spec.LatentBuffer }}
)

// bounded is the trait of a kind that takes bounds of a unit.
func bounded(unit spec.BoundUnit) trait {
	name := "can be bounded in " + string(unit)
	if unit == spec.Unbounded {
		name = "can be unbounded"
	}
	return trait{name, func(k spec.KindInfo) bool { return slices.Contains(k.Bounds, unit) }}
}

// onlyFrames says whether every view of a kind joins its payloads into one.
func onlyFrames(k spec.KindInfo) bool {
	return len(k.Bounds) > 0 && !slices.ContainsFunc(k.Bounds, func(u spec.BoundUnit) bool { return u != spec.Frames })
}

// each asks something of every kind that the subject names and that has the
// traits. Spies are the harness's own, and not asked. A kind that lacks what is
// asked, or shows nothing that decides it, is passed over: the others are still
// asked, and the spec ends as unclaimed only when all of them lack it.
func each(s *op.Client, ask func(kind), traits ...trait) {
	GinkgoHelper()
	var a asking
	for _, info := range s.Hello().Kinds {
		if info.Kind == spec.Spy || slices.ContainsFunc(traits, func(t trait) bool { return !t.of(info) }) {
			continue
		}
		By("object of kind " + string(info.Kind))
		before := len(a.lacking) + len(a.undecided)
		ask(kind{info, s, &a})
		if len(a.lacking)+len(a.undecided) == before {
			a.answered++
		}
	}
	switch {
	case len(a.undecided) > 0:
		CannotTell("%s", strings.Join(a.undecided, "; "))
	case a.answered > 0 && len(a.lacking) > 0:
		Note("not asked of %s", strings.Join(a.lacking, "; "))
	case len(a.lacking) > 0:
		Unclaimed("%s", strings.Join(a.lacking, "; "))
	case a.answered == 0:
		Unclaimed("no kind of object that %s", all(traits))
	}
}

// lacks passes the kind over: it does not claim what is asked.
func (k kind) lacks(format string, args ...any) {
	k.lacking = append(k.lacking, fmt.Sprintf("%s: "+format, append([]any{k}, args...)...))
}

// cannotTell passes the kind over: what it showed decides nothing.
func (k kind) cannotTell(format string, args ...any) {
	k.undecided = append(k.undecided, fmt.Sprintf("%s: "+format, append([]any{k}, args...)...))
}

// has says whether the kind has an operation beyond the lifecycle, of which the
// error is one call's: where it has not, it is passed over.
func (k kind) has(err error) bool {
	GinkgoHelper()
	if k.without(err) {
		return false
	}
	Do(err)
	return true
}

// without passes the kind over when it has not the operation of which the error
// is a call's. Of those that it has to have, that is OBJ-21's to find.
func (k kind) without(err error) bool {
	if spec.KindOf(err) != spec.Unsupported {
		return false
	}
	k.lacks("%s", err.Error())
	return true
}

func all(traits []trait) string {
	text := "is no spy"
	for i, t := range traits {
		if i == 0 {
			text = t.name
		} else {
			text += " and " + t.name
		}
	}
	return text
}

// widest is a bound that keeps all that a spec commits.
func (k kind) widest() spec.Bound { return k.spec().Bound }

// object is one that is not allocated.
func (k kind) object() spec.Object {
	GinkgoHelper()
	return Must(k.s.NewObject(k.spec()))
}

func (k kind) spec() spec.ObjectSpec { return Roomy(k.KindInfo) }

// allocated is an empty object of a bound.
func (k kind) allocated(b spec.Bound) spec.Object {
	GinkgoHelper()
	o := k.object()
	Do(o.Allocate(b))
	return o
}

// holding is an object that holds payloads, each committed by itself.
func (k kind) holding(ps ...spec.Value) spec.Object {
	GinkgoHelper()
	o := k.allocated(k.widest())
	for _, p := range ps {
		Do(o.Commit(p))
	}
	return o
}

// works asks that an operation succeeds. That the kind has it at all is OBJ-21's
// to ask.
func works(err error, what string, args ...any) {
	GinkgoHelper()
	if spec.KindOf(err) == spec.Unsupported {
		Unclaimed("%s", err.Error())
	}
	Expect(err).NotTo(HaveOccurred(), append([]any{what}, args...)...)
}
