package parking

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

const (
	host = "cpu"

	// Sizes of storages, in bytes: no two come to what a third is.
	small = 4608
	big   = 3 * small
)

// devices are those beside the host; the spec ends as unclaimed when there is none.
func devices(s *op.Client) []string {
	GinkgoHelper()
	ds := slices.DeleteFunc(slices.Clone(s.Hello().Devices), func(d string) bool { return d == host })
	if len(ds) == 0 {
		Unclaimed("the subject names no device other than the host")
	}
	return ds
}

// session is a manager with one session, held, whose attributes are x, y and z.
func session(s *op.Client) (spec.Manager, spec.Session) {
	GinkgoHelper()
	m := Must(s.NewManager(spec.ManagerSpec{Cap: new(8), Attrs: Attrs("x", "y", "z")}))
	return m, Must(m.Session("a"))
}

// give writes an attribute and lets go of the value: the session alone holds it.
func give(to spec.Session, name string, v spec.Value) {
	GinkgoHelper()
	Do(to.SetAttr(name, v))
	LetGo(v)
}

// on is a storage of n bytes on a device.
func on(s *op.Client, device string, seed uint64, n int) spec.Value {
	GinkgoHelper()
	return Must(s.Make(spec.Tensor("uint8", seed, 1, n).On(device)))
}

// attr is what an attribute reads as, and is let go of.
func attr(of spec.Session, name string) spec.Reading {
	GinkgoHelper()
	v := Must(of.Attr(name))
	if v == nil {
		return spec.Reading{Kind: spec.KindNone}
	}
	defer LetGo(v)
	return Bits(v)
}

// shown is what an object shows: of a kind that appends, a list.
func shown(of spec.Session, name string) spec.Reading {
	GinkgoHelper()
	o := Must(of.Object(name))
	defer LetGo(o)
	v := Must(o.View(spec.View{}))
	defer LetGo(v)
	return Bits(v)
}

// bits is a reading without where it lies.
func bits(r spec.Reading) spec.Reading {
	r.Device = ""
	for i, item := range r.Items {
		if i == 0 {
			r.Items = slices.Clone(r.Items)
		}
		r.Items[i] = bits(item)
	}
	return r
}

// kinds are the kinds of object that a subject has, without the spy, which is one
// of the others.
func kinds(s *op.Client) []spec.KindInfo {
	return slices.DeleteFunc(slices.Clone(s.Hello().Kinds), func(k spec.KindInfo) bool { return k.Kind == spec.Spy })
}

// filled puts an object of a kind into a session, with one payload from a device.
func filled(s *op.Client, into spec.Session, name string, k spec.KindInfo, device string, seed uint64, source spec.Object) {
	GinkgoHelper()
	want := Roomy(k)
	want.Source = source
	o := Must(into.Ensure(name, want))
	payload := on(s, device, seed, small)
	Do(o.Commit(payload))
	LetGo(payload, o)
}

// places is where a manager's bytes are.
type places struct{ device, host, total int64 }

func placesOf(m spec.Manager, device string) places {
	GinkgoHelper()
	st := Must(m.Stats())
	return places{st.Bytes(device), st.Bytes(host), st.Total()}
}

// expectMoved asks that n bytes are on the host that were on a device, and that
// nothing else changed.
func expectMoved(m spec.Manager, device string, before places, n int64, what string) {
	GinkgoHelper()
	Expect(placesOf(m, device)).To(Equal(places{before.device - n, before.host + n, before.total}),
		"bytes on %s, on the host and in all, with %s parked, of %+v before", device, what, before)
}
