package equivalence

import (
	. "github.com/onsi/ginkgo/v2"

	. "github.com/statespec/statespec/spec/suite"
)

// expectUnlikeControls has both paths of new pairs make the moves of a body, and
// has them agree on each of which they agree without what the spec is about: two
// paths that pad frames otherwise do so before a reset as well, and another row
// says so. Controls are the body, in which it does not happen, and others whose
// moves are the last ones of the body.
func expectUnlikeControls(pairs func() *pair, body func(p *pair), controls ...func(p *pair)) {
	GinkgoHelper()
	excused := map[int]bool{} // by their number from the last move on
	length := 0
	for i, control := range append([]func(p *pair){body}, controls...) {
		agreed := recorded(pairs(), control)
		if i == 0 {
			length = len(agreed)
		}
		for k, same := range agreed {
			if !same {
				excused[len(agreed)-k] = true
			}
		}
	}
	p, at, differed := pairs(), 0, ""
	p.judge = func(same bool, say func() string) {
		GinkgoHelper()
		from := length - at
		at++
		switch {
		case same:
		case excused[from]:
			differed = say()
		default:
			Fail(say())
		}
	}
	body(p)
	p.letGo()
	if differed != "" {
		CannotTell("the paths differ without it too: %s", differed)
	}
}

// recorded is on which moves of a control both paths agree.
func recorded(p *pair, control func(p *pair)) (agreed []bool) {
	GinkgoHelper()
	p.judge = func(same bool, _ func() string) { agreed = append(agreed, same) }
	p.event = func(func()) {}
	control(p)
	p.letGo()
	return agreed
}
