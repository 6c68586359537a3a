package eviction

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// identity is which ids are one session.
func identity(open Open) {
	ways := map[string][]string{"no id": nil, "an empty id": {""}, `the id "default"`: {"default"}}

	for _, first := range []string{"no id", "an empty id", `the id "default"`} {
		It("has one session for a missing, an empty and the default id, first asked for with "+first, Promise("EVI-12"), func(ctx SpecContext) {
			s := open.Subject(ctx)
			m := manager(s, 4)
			mark(s, Must(m.Session(ways[first]...)), 1)
			for _, way := range []string{"no id", "an empty id", `the id "default"`} {
				Expect(markOf(Must(m.Session(ways[way]...)))).To(Equal(1),
					"the mark of the session asked for with %s, when that asked for with %s was marked 1", way, first)
			}
		})
	}

	It("takes ids byte for byte", Promise("EVI-12.bytes"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		// With places to spare: a session that was evicted is none that was folded.
		roomy := 2 * len(lookalikes)
		kept(s, roomy, names(len(lookalikes)))
		m := manager(s, roomy)
		asked := map[int]string{} // by mark
		for i, id := range lookalikes {
			session, err := m.Session(id)
			// An id that it cannot be asked for, or will not have, is not folded.
			if spec.KindOf(err) == spec.Unsupported || Refused(err) {
				Note("session(%q): %v", id, err)
				continue
			}
			if other := markOf(session); other != 0 {
				Fail(fmt.Sprintf("session(%q), new = the session of %q, want one of its own", id, asked[other]))
			}
			mark(s, session, i+1)
			asked[i+1] = id
		}
		if len(asked) < 2 {
			CannotTell("%d of %d ids were accepted", len(asked), len(lookalikes))
		}
		for i, id := range lookalikes {
			if _, accepted := asked[i+1]; !accepted {
				continue
			}
			switch got := markOf(Must(m.Session(id))); {
			case got == 0:
				Fail(fmt.Sprintf("session(%q), asked for again = a session that was never marked, want the session of %q, marked %d", id, id, i+1))
			case got != i+1:
				Fail(fmt.Sprintf("session(%q), asked for again = the session of %q, marked %d, want that of %q, marked %d", id, asked[got], got, id, i+1))
			}
		}
	})
}

// lookalikes are ids of which some program or other would take two for one.
var lookalikes = []string{
	"default", "Default", "DEFAULT", "default ", " default", "default\x00", "default\n", "\u200bdefault", "\ufeffdefault",
	" ", "\t", "\x00", "0", "00", "-0", "0.0", "None", "none", "null", "nil", "false", "False", "undefined",
	"client", "Client", "CLIENT", "client ", " client", "client\t", "client\x00", "client\x00a", "client/", "client//", "./client",
	"caf\u00e9", "cafe\u0301", "CAF\u00c9", "cafe", // composed, decomposed, other case, without the accent
	"\u212b", "\u00c5", "A\u030a", "A", "\uff21", "a", // Ångström sign, its forms, full width
	"stra\u00dfe", "strasse", "\ufb01n", "fin", "\u0130", "i", "\u0131", "I",
	"1", "01", "1.0", "\u0661", "\uff11", "1e0", "0x1",
	"a%20b", "a b", "a+b", "a\u00a0b", `"a"`, "'a'", "\U0001f600", "\U0001f601",
	lengthy, lengthy + "a", lengthy + "b", "b" + lengthy,
}

// lengthy is too long for who compares only so many bytes of ids.
var lengthy = strings.Repeat("x", 300)
