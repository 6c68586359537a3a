package objects

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

func commits(open Open) {
	It("shows what was appended, in commit order", Promise("OBJ-02"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			ps := payloads(k.s, 6)
			o := k.allocated(k.widest())
			for i, p := range ps[:3] {
				Do(o.Commit(p))
				Expect(k.shows(o)).To(Equal(lines(ps[:i+1]...)), "%s: the view after %d appends", k, i+1)
			}
			Do(o.Commit(ps[3:]...))
			Expect(k.shows(o)).To(Equal(lines(ps...)), "%s: the view after 3 appends and an extend by 3", k)
		}, appends)
	})

	It("shows the newest payload where a commit replaces", Promise("OBJ-02"), func(ctx SpecContext) {
		each(open.Subject(ctx), func(k kind) {
			o := k.allocated(k.widest())
			for i, p := range payloads(k.s, 3) {
				Do(o.Commit(p))
				Expect(k.shows(o)).To(Equal(lines(p)), "%s: the view after %d commits", k, i+1)
			}
		}, replaces)
	})

	callerWrites(open)
}

// callerWrites is what becomes of a payload that its caller goes on using, as
// that of a static output buffer does.
func callerWrites(open Open) {
	It("keeps what was committed when its caller writes into it", Promise("OBJ-20"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		references := 0
		each(s, func(k kind) {
			for _, b := range k.copying() {
				for n := range k.atOnce() {
					ps := payloads(s, n+1)
					o := k.allocated(b)
					Do(o.Commit(ps...))
					before := k.shows(o)
					if n == 0 && !slices.Equal(before, lines(ps...)) {
						k.cannotTell("%s: the view after one commit is not of the payload", unit(b))
						return
					}

					for i, p := range ps {
						overwrite(p, uint64(11+i))
					}
					if k.Keeps != "reference" {
						Expect(k.shows(o)).To(Equal(before), "%s, %s: the view of %d payloads after their caller wrote into them", k, unit(b), n+1)
						continue
					}
					Expect(k.shows(o)).To(Equal(lines(ps...)), "%s, %s: the view of %d payloads, where references are declared", k, unit(b), n+1)
					references++
				}
			}
		})
		if references > 0 {
			Unclaimed("declared: payloads are kept by reference")
		}
	})
}

// atOnce is how many payloads a commit may bring: of a replacing kind, one.
func (k kind) atOnce() int {
	if k.Appends {
		return 2
	}
	return 1
}

// copying are the bounds under which the kind does with a payload what it
// declares. A ring of frames has reasons to copy whatever is declared.
func (k kind) copying() []spec.Bound {
	bs := []spec.Bound{k.widest()}
	for _, u := range k.Bounds {
		if u == spec.Payloads || u == spec.Frames && k.Keeps != "reference" {
			bs = append(bs, spec.Bound{Unit: u, N: 2})
		}
	}
	return bs
}

func unit(b spec.Bound) string {
	if b.Unit == spec.Unbounded {
		return "unbounded"
	}
	return "bounded in " + string(b.Unit)
}

// overwrite writes other bits into a tensor, as its caller can.
func overwrite(v spec.Value, seed uint64) {
	GinkgoHelper()
	before := lines(v)
	err := v.Edit(spec.Refill(seed))
	if spec.KindOf(err) == spec.Immutable {
		Unclaimed("a caller cannot write into a payload: %s", err.Error())
	}
	Do(err)
	if slices.Equal(lines(v), before) {
		CannotTell("the caller's write left the payload as it was")
	}
}
