package accounting

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// Sizes of the storages that specs make. An allocator may give more than it is
// asked for, and an honest count says so; multiples of 512 bytes are what the
// usual ones give as they are. They are powers of three times that, so that no
// two of them, and nothing counted twice, come to what is due.
const (
	small  = 512
	medium = 3 * small
	big    = 9 * small
)

// empty is a manager with one session, held, whose attributes are x, y and z.
func empty(s *op.Client) (spec.Manager, spec.Session) {
	GinkgoHelper()
	m := Must(s.NewManager(spec.ManagerSpec{Cap: new(8), Attrs: Attrs("x", "y", "z")}))
	return m, Must(m.Session("a"))
}

// retained is empty for a spec that takes for granted that attributes are
// counted at all. Where they are not, ACC-06 says so, and the spec decides
// nothing.
func retained(s *op.Client) (spec.Manager, spec.Session) {
	GinkgoHelper()
	control, c := empty(s)
	give(c, "x", storage(s, small))
	if count(control) == 0 {
		CannotTell("stats = 0 bytes for an attribute of %d: attributes are not counted at all", small)
	}
	return empty(s)
}

// storage is a tensor of n bytes with a storage of its own.
func storage(s *op.Client, n int) spec.Value {
	GinkgoHelper()
	return Must(s.Make(spec.Tensor("uint8", uint64(n), n)))
}

// exportable is a storage whose memory the host can lend.
func exportable(s *op.Client) spec.Value {
	GinkgoHelper()
	return Must(s.Make(spec.Tensor("uint8", big, big).On("cpu")))
}

// frame is a payload of one frame, n bytes, with a storage of its own. A buffer
// may be bounded in frames, which it counts along the first axis.
func frame(s *op.Client, n int) spec.Value {
	GinkgoHelper()
	return Must(s.Make(spec.Tensor("uint8", uint64(n), 1, n)))
}

// sheet is a tensor of 48 rows of 96 bytes: a big storage, to be viewed.
func sheet(s *op.Client) spec.Value {
	GinkgoHelper()
	return Must(s.Make(spec.Tensor("uint8", 1, 48, 96)))
}

// array is a host array of 64 rows of 40 bytes.
func array(s *op.Client) spec.Value {
	GinkgoHelper()
	return Must(s.Make(spec.Tensor("uint8", 1, 64, 40).AsHostArray()))
}

// arrayBytes is what an array takes.
const arrayBytes = 5 * small

// give writes an attribute and lets go of the value: the session alone holds it.
func give(to spec.Session, name string, v spec.Value) {
	GinkgoHelper()
	Do(to.SetAttr(name, v))
	LetGo(v)
}

// kinds are the kinds of object that a subject has, without the spy, which is
// one of the others.
func kinds(s *op.Client) []spec.KindInfo {
	GinkgoHelper()
	ks := slices.DeleteFunc(slices.Clone(s.Hello().Kinds), func(k spec.KindInfo) bool { return k.Kind == spec.Spy })
	if len(ks) == 0 {
		Unclaimed("no kind of state object")
	}
	return ks
}

// bytesOf is how many bytes statistics report: the sum over the devices, or the
// total where they name no device. That the two agree is asked by ACC-01, and a
// subject in which they do not should break that row alone.
func bytesOf(s spec.Stats) int64 {
	if on := byDevice(s); len(on) > 0 {
		return sum(on)
	}
	return s.Total()
}

// count is how many bytes the statistics report now.
func count(m spec.Manager) int64 {
	GinkgoHelper()
	return bytesOf(Must(m.Stats()))
}

// CountBytes succeeds when statistics report so many bytes.
func CountBytes(want int64) types.GomegaMatcher {
	told := func(n int64) string { return fmt.Sprintf("stats = %d bytes", n) }
	return WithTransform(func(s spec.Stats) string { return told(bytesOf(s)) }, Equal(told(want)))
}

// byDevice are the totals per device, by device.
func byDevice(s spec.Stats) map[string]int64 {
	on := map[string]int64{}
	for name, n := range s.Counts {
		if device, is := strings.CutPrefix(name, "nbytes:"); is {
			on[device] = n
		}
	}
	return on
}

// sum adds up bytes of several devices.
func sum(bytes map[string]int64) (n int64) {
	for b := range maps.Values(bytes) {
		n += b
	}
	return n
}
