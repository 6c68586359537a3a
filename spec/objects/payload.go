package objects

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// payload is a tensor of one frame, 24 bytes, whose bits the seed decides.
func payload(s *op.Client, seed uint64) spec.Value {
	GinkgoHelper()
	return Must(s.Make(spec.Tensor("float32", seed, 1, 2, 3)))
}

// payloads are n of them, with seeds from one on.
func payloads(s *op.Client, n int) []spec.Value {
	GinkgoHelper()
	ps := make([]spec.Value, n)
	for i := range ps {
		ps[i] = payload(s, uint64(i+1))
	}
	return ps
}

// lines are the contents of values, one line each.
func lines(vs ...spec.Value) []string {
	GinkgoHelper()
	ls := make([]string, len(vs))
	for i, v := range vs {
		ls[i] = Outline(Bits(v))
	}
	return ls
}

// due is what a view shows after commits of payloads, one after the other.
func (k kind) due(ps ...spec.Value) []string {
	GinkgoHelper()
	if !k.Appends {
		ps = ps[max(0, len(ps)-1):]
	}
	return lines(ps...)
}

// shows is what the object's view shows: a line a payload, oldest first.
func (k kind) shows(o spec.Object) []string {
	GinkgoHelper()
	return k.told(Must(o.View(spec.View{})))
}

// remains is shows where the object may be unable to show anything: what it
// refuses to show does not remain.
func (k kind) remains(o spec.Object) []string {
	GinkgoHelper()
	v, err := o.View(spec.View{})
	if Refused(err) {
		return nil
	}
	return k.told(v)
}

// told is what a view tells, and lets go of it.
func (k kind) told(v spec.Value) []string {
	GinkgoHelper()
	if v == nil {
		return nil
	}
	r := Bits(v)
	LetGo(v)
	switch {
	case r.Kind == spec.KindNone:
		return nil
	case k.Appends && (r.Kind == spec.KindList || r.Kind == spec.KindTuple):
		var ls []string
		for _, item := range r.Items {
			if onlyFrames(k.KindInfo) {
				ls = append(ls, frames(item)...)
			} else {
				ls = append(ls, Outline(item))
			}
		}
		return ls
	}
	return []string{Outline(r)}
}

// frames are a tensor's, one line each, as if each were a payload.
func frames(r spec.Reading) []string {
	if len(r.Shape) == 0 || r.Shape[0] < 1 || len(r.Bytes) == 0 {
		return []string{Outline(r)}
	}
	one := r
	one.Shape = append([]int{1}, r.Shape[1:]...)
	var ls []string
	for raw := range slices.Chunk(r.Bytes, len(r.Bytes)/r.Shape[0]) {
		sum := sha256.Sum256(raw)
		one.SHA256 = hex.EncodeToString(sum[:])
		ls = append(ls, Outline(one))
	}
	return ls
}
