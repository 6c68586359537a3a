package eviction

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// marker names the instances behind the sessions that a race answered with: the
// first handle of one that is met leaves a mark in it, by which the others are
// known. Nothing in the port says of two handles that they are of one thing. It
// comes when the race is over, and some instances have left the table.
type marker struct {
	s     *op.Client
	drops bool // some of them may have been dropped
	last  int  // instance, from 1
}

func (m *marker) of(session spec.Session) int {
	GinkgoHelper()
	if n := m.read(session); n > 0 {
		return n
	}
	m.last++
	if Refused(tryMark(m.s, session, m.last)) || m.read(session) != m.last {
		m.untold("takes no mark")
	}
	return m.last
}

func (m *marker) read(session spec.Session) int {
	GinkgoHelper()
	v, err := session.Attr("mark")
	if Refused(err) {
		m.untold("is not read")
	}
	return int(Bits(v).Int)
}

// untold ends the spec: instances are not to be told apart. A holder may have
// nothing of a session that was dropped, a place for a mark included, where that
// is declared.
func (m *marker) untold(why string) {
	GinkgoHelper()
	if m.drops && m.s.Hello().Drop == "nothing" {
		Unclaimed("a session that was returned %s, and so is not told from others; declared: a drop leaves its holder with nothing", why)
	}
	CannotTell("a session that was returned %s, and so is not told from others", why)
}

// drops says whether there is a drop among calls.
func drops(threads [][]op.Call) bool {
	return slices.ContainsFunc(slices.Concat(threads...), func(c op.Call) bool { return c.Method == "drop" })
}
