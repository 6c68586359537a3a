package attributes

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// carries asks whether values, assigned one after the other to one attribute,
// read back as what they are. Nobody but the session holds them by then.
func carries(s *op.Client, vs ...spec.Value) {
	GinkgoHelper()
	session := Must(declared(s, "value").Session("a"))
	for i, v := range vs {
		due := content(Bits(v))
		Do(session.SetAttr("value", v))
		LetGo(v)
		for _, when := range []string{"read", "read again"} {
			got := Must(session.Attr("value"))
			Expect(content(Bits(got))).To(Equal(due), "the attribute, %s after assignment %d of %d", when, i+1, len(vs))
			if got != nil {
				LetGo(got)
			}
		}
	}
}

// content is a reading in one line. A set has no order.
func content(r spec.Reading) string {
	if r.Kind == spec.KindSet {
		r.Items = slices.SortedFunc(slices.Values(r.Items), func(a, b spec.Reading) int {
			return slices.Compare([]byte(Outline(a)), []byte(Outline(b)))
		})
	}
	return Outline(r)
}

// exactly makes a value of known content. A subject that makes another one of
// the recipe cannot be asked what becomes of it.
func exactly(s *op.Client, r spec.Recipe, want spec.Reading) spec.Value {
	GinkgoHelper()
	v := Must(s.Make(r))
	if got := Outline(Bits(v)); got != Outline(want) {
		CannotTell("make: the subject made %s, want %s", got, Outline(want))
	}
	return v
}

// bits is a tensor of given bytes, exactly.
func bits(s *op.Client, dtype string, raw []byte, shape ...int) spec.Value {
	GinkgoHelper()
	sum := sha256.Sum256(raw)
	return exactly(s, spec.Bits(dtype, raw, shape...), spec.Reading{
		Kind: spec.KindTensor, DType: dtype, Shape: shape, Device: s.Device(), SHA256: hex.EncodeToString(sum[:])})
}

// canHold ends the spec as unclaimed unless an attribute can hold a kind.
func canHold(s *op.Client, kind spec.ValueKind) {
	GinkgoHelper()
	if !slices.Contains(s.Hello().Holds, kind) {
		Unclaimed("an attribute cannot hold a %s", kind)
	}
}
