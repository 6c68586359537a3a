package op

import "slices"

// Relevant lists the calls of a transcript without those that had been done with
// before anything existed that the last call can depend on: the control that a spec
// began with, the rounds of a loop before the one that failed. Handles that meet in
// a call belong together, and so does whatever they lead to. Calls that are about no
// handle stay where they stand beside those that are kept.
//
// A shorter list that gives the same last answer may well be found by trying. It
// would often be one whose answer is right: that no bytes are counted is true of a
// manager that nothing was put into.
func Relevant(calls []Call) []Call {
	last := len(calls) - 1
	for last >= 0 && (calls[last].Method == "release" || len(handles(calls[last])) == 0) {
		last--
	}
	if last < 0 {
		return calls
	}
	belongs := groups{}
	for _, c := range calls {
		belongs.join(handles(c))
	}
	own := belongs.of(handles(calls[last])[0])
	first := slices.IndexFunc(calls, func(c Call) bool {
		hs := handles(c)
		return len(hs) > 0 && belongs.of(hs[0]) == own
	})
	later := map[Handle]bool{} // groups that something was done with since
	for _, c := range calls[first:] {
		if hs := handles(c); len(hs) > 0 && c.Method != "release" {
			later[belongs.of(hs[0])] = true
		}
	}
	var kept []Call
	for i, c := range calls {
		hs := handles(c)
		if len(hs) == 0 && i >= first || len(hs) > 0 && later[belongs.of(hs[0])] {
			kept = append(kept, c)
		}
	}
	return kept
}

// handles are those that a call names, the ones in a race's lists among them.
func handles(c Call) (hs []Handle) {
	p := c.Params
	for _, h := range slices.Concat([]Handle{p.On, p.As, p.Object, p.Manager}, p.Values, p.From) {
		if h != "" {
			hs = append(hs, h)
		}
	}
	for _, h := range p.Named {
		hs = append(hs, h)
	}
	for _, list := range p.Threads {
		for _, c := range list {
			hs = append(hs, handles(c)...)
		}
	}
	return hs
}

// groups finds which handles belong together: each points to another of its group,
// and one to none.
type groups map[Handle]Handle

func (g groups) of(h Handle) Handle {
	for {
		up, known := g[h]
		if !known || up == h {
			return h
		}
		h = up
	}
}

func (g groups) join(hs []Handle) {
	for i := 1; i < len(hs); i++ {
		if a, b := g.of(hs[0]), g.of(hs[i]); a != b {
			g[b] = a
		}
	}
}
