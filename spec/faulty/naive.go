package faulty

import (
	"cmp"
	"slices"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// A naive counter lists every way that leads from a session to a storage, and
// adds up the union of what is at the ends. As it stands it counts right; a
// fault sets one of its rules. It keeps nothing between two counts but what
// rules remember.
type naive struct {
	// into says whether to look into a container and, where it says no, what is
	// to be named as not measured instead. Nil looks into all of them.
	into func(*way) (look bool, instead string)

	// again is told of a container that is met on a way that comes through it.
	// One that is met again is not looked into a second time, whatever the rule.
	again func(*way)

	// blind is told of what cannot be measured, and says whether to name it.
	blind func(*way) bool

	// over changes the list of all sights before they are added up.
	over func([]sight) []sight
}

// A sight is one way that leads to a storage, and the memory that it counts as.
type sight struct {
	*way
	t     *tensor.Tensor // nil where an object names a storage without one
	array *subject.HostArray
	st    *tensor.Storage

	device tensor.Device
	start  uintptr
	bytes  int64

	// apart is in whose sum it counts: memory is counted once in each. Nil is
	// everybody's.
	apart any
}

// whole reports whether a sight shows all elements of its storage.
func (s sight) whole() bool { return s.t == nil || s.elements() >= int64(s.st.Len()) }

// elements is the bytes of the elements that a sight shows.
func (s sight) elements() int64 {
	if s.t == nil {
		return s.bytes
	}
	return int64(s.t.NumBytes())
}

// staged reports whether an object holds the storage and does not show it.
func (s sight) staged() bool {
	shown, _ := s.object.View(object.ViewOptions{})
	return !slices.ContainsFunc(shown, func(t *tensor.Tensor) bool { return t.Storage() == s.st })
}

// attribute reports whether a sight is in an attribute: no object's of the session.
func (s sight) attribute() bool { return s.object == nil }

// counted is a subject whose bytes are counted by a naive counter, a fresh one
// each time.
func counted(by func() naive) func() subject.Parts {
	return func() subject.Parts {
		return subject.Parts{Measure: func(of ...*manager.Session) account.Report { return by().count(of...) }}
	}
}

// counting is counted for a counter that changes the list of sights.
func counting(over func([]sight) []sight) func() subject.Parts {
	return counted(func() naive { return naive{over: over} })
}

// leavingOut is counting that leaves out some sights.
func leavingOut(unseen func(sight) bool) func() subject.Parts {
	return counting(func(ss []sight) []sight { return slices.DeleteFunc(ss, unseen) })
}

// each is counting that changes sights one by one.
func each(change func(*sight)) func() subject.Parts {
	return counting(func(ss []sight) []sight {
		for i := range ss {
			change(&ss[i])
		}
		return ss
	})
}

// notInto is counted for a counter that does not look into some containers.
func notInto(skips func(*way) bool) func() subject.Parts {
	return counted(func() naive {
		return naive{into: func(w *way) (bool, string) { return !skips(w), "" }}
	})
}

// A failure is what a count panics with that is to end as an error of stats.
type failure string

// failing is counted for counters that fail: stats, and the contents of a
// session, are refused then.
func failing(by func() naive) func() subject.Parts {
	return func() subject.Parts {
		parts := counted(by)()
		parts.Manager = func(_ *subject.Subject, m spec.Manager) spec.Manager { return failingManager{m} }
		parts.Session = func(_ *subject.Subject, s spec.Session) spec.Session { return failingSession{s} }
		return parts
	}
}

type (
	failingManager struct{ spec.Manager }
	failingSession struct{ spec.Session }
)

func (m failingManager) Stats() (st spec.Stats, err error) {
	defer failed(&err)
	return m.Manager.Stats()
}

func (s failingSession) Contents() (c spec.Contents, err error) {
	defer failed(&err)
	return s.Session.Contents()
}

// failed makes an error of a failure. Any other panic goes on.
func failed(err *error) {
	switch v := recover().(type) {
	case nil:
	case failure:
		*err = spec.Refuse(spec.InvalidArgument, "count: %s", string(v))
	default:
		panic(v)
	}
}

// count counts what sessions keep alive together.
func (n naive) count(sessions ...*manager.Session) account.Report {
	w := walker{naive: n}
	for _, c := range stillContents(sessions) {
		w.content(c)
	}
	if n.over != nil {
		w.sights = n.over(w.sights)
	}
	r := account.Report{ByDevice: union(w.sights), Unmeasured: w.unmeasured}
	for _, bytes := range r.ByDevice {
		r.Total += bytes
	}
	slices.Sort(r.Unmeasured)
	return r
}

// union is the size of the memory that sights count as, by device.
func union(ss []sight) map[tensor.Device]int64 {
	type sum struct {
		device tensor.Device
		of     any
	}
	sums := map[sum][]sight{}
	for _, s := range ss {
		if s.bytes > 0 {
			in := sum{s.device, s.apart}
			sums[in] = append(sums[in], s)
		}
	}
	total := map[tensor.Device]int64{}
	for in, ss := range sums {
		slices.SortFunc(ss, func(a, b sight) int { return cmp.Compare(a.start, b.start) })
		end := uintptr(0)
		for _, s := range ss {
			from, to := max(end, s.start), s.start+uintptr(s.bytes)
			if to > from {
				total[in.device] += int64(to - from)
				end = to
			}
		}
	}
	return total
}
