package attributes

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// objectEviction is what the release of a session's objects leaves.
func objectEviction(open Open) {
	It("stay when every object of the session is evicted", Promise("ATT-04"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		kinds := slices.DeleteFunc(slices.Clone(s.Hello().Kinds), func(k spec.KindInfo) bool { return k.Kind == spec.Spy })
		if len(kinds) == 0 {
			Unclaimed("no kind of state object")
		}
		session := Must(declared(s, "features", "cache", "count", "committed").Session("a"))
		parts := values(s, spec.Tensor("bfloat16", 2, 4), spec.Tensor("bfloat16", 3, 4))
		payload := Must(s.Make(spec.Tensor("float32", 4, 1, 2, 3)))
		written := map[string]spec.Value{
			"features":  Must(s.Make(spec.Tensor("float32", 1, 2, 3))),
			"cache":     Must(s.Make(spec.List(parts...))),
			"count":     Must(s.Make(spec.Int(3))),
			"committed": payload, // in both buckets at once
		}
		due := map[string]spec.Reading{}
		for _, name := range []string{"features", "cache", "count", "committed"} {
			Do(session.SetAttr(name, written[name]))
			v := Must(session.Attr(name))
			if due[name] = Bits(v); due[name].Kind == spec.KindNone {
				CannotTell("%s reads as nothing before anything was evicted", name)
			}
			LetGo(v)
		}
		for _, k := range kinds {
			Do(Must(session.Ensure(string(k.Kind), Roomy(k))).Commit(payload))
		}
		LetGo(parts[0], parts[1], written["features"], written["cache"], written["count"], payload)

		evictAll(session)
		for _, name := range []string{"features", "cache", "count", "committed"} {
			Expect(session.Attr(name)).To(HaveBits(due[name]), "%s, after every object of the session was evicted", name)
		}
	})
}

// evictAll evicts every object that a session lists.
func evictAll(session spec.Session) {
	GinkgoHelper()
	names := Must(session.Contents()).Objects
	if len(names) == 0 {
		CannotTell("the session lists no object that could be evicted")
	}
	for _, name := range names {
		o := Must(session.Object(name))
		Must(o.Evict())
		LetGo(o)
	}
}
