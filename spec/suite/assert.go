package suite

import (
	"fmt"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"github.com/statespec/statespec/spec"
)

// Must is for a step that a spec takes for granted: its result, or the end of
// the spec. A step that the subject does not have makes the spec unclaimed.
func Must[T any](v T, err error) T {
	if err != nil {
		ginkgo.GinkgoHelper() // which takes longer than most steps
		Do(err)
	}
	return v
}

// Do is Must for a step without a result.
func Do(err error) {
	if err == nil {
		return
	}
	ginkgo.GinkgoHelper()
	if spec.KindOf(err) == spec.Unsupported {
		Unclaimed("%s", err)
	}
	gomega.Expect(err).NotTo(gomega.HaveOccurred(), "a step that the spec takes for granted")
}

// LetGo releases handles: from here on nobody but the subject holds these
// things.
func LetGo(hs ...spec.Handle) {
	for _, h := range hs {
		if err := h.Release(); err != nil {
			ginkgo.GinkgoHelper()
			Do(err)
		}
	}
}

// Error is the error of a call, for Expect(Error(call())).
func Error[T any](_ T, err error) error { return err }

// Bits is what a value reads as; nil reads as none.
func Bits(v spec.Value) spec.Reading {
	if v == nil {
		return spec.Reading{Kind: spec.KindNone}
	}
	r, err := v.Read()
	if err != nil {
		ginkgo.GinkgoHelper()
		Do(err)
	}
	return r
}

// HaveBits succeeds when a value reads as a reading does, bit for bit.
func HaveBits(want spec.Reading) types.GomegaMatcher {
	return gomega.WithTransform(func(v spec.Value) (string, error) {
		if v == nil {
			return Outline(spec.Reading{Kind: spec.KindNone}), nil
		}
		r, err := v.Read()
		return Outline(r), err
	}, gomega.Equal(Outline(want)))
}

// BeRefused succeeds when an error is the implementation's refusal, of any kind.
func BeRefused() types.GomegaMatcher {
	return gomega.WithTransform(func(err error) string { return refusal(err) }, gomega.Equal("a refusal"))
}

func refusal(err error) string {
	switch {
	case err == nil:
		return "success"
	case spec.IsRefusal(err):
		return "a refusal"
	}
	return "no refusal but " + err.Error()
}

// BeRefusedAs succeeds when an error is a refusal of one of the kinds.
func BeRefusedAs(kinds ...spec.Kind) types.GomegaMatcher {
	return gomega.WithTransform(spec.KindOf, gomega.BeElementOf(kinds))
}

// Refused says whether a call was refused, and lets the spec go on either way:
// for promises that allow both. An operation that the subject does not have makes
// the spec unclaimed; anything else that is no refusal ends it.
func Refused(err error) bool {
	if err == nil {
		return false
	}
	ginkgo.GinkgoHelper()
	if spec.KindOf(err) == spec.Unsupported {
		Unclaimed("%s", err)
	}
	gomega.Expect(err).To(BeRefused())
	return true
}

// Outline is a reading in one line: what a failure shows.
func Outline(r spec.Reading) string {
	switch r.Kind {
	case spec.KindTensor, spec.KindArray:
		return fmt.Sprintf("%s %s%v on %s, sha256 %s", r.Kind, r.DType, r.Shape, r.Device, r.SHA256)
	case spec.KindText, spec.KindFloat:
		return fmt.Sprintf("%s %q", r.Kind, r.Text)
	case spec.KindInt, spec.KindBool:
		return fmt.Sprintf("%s %d", r.Kind, r.Int)
	case spec.KindNone:
		return "none"
	}
	in := make([]string, len(r.Items))
	for i, item := range r.Items {
		in[i] = Outline(item)
		if i < len(r.Fields) {
			in[i] = r.Fields[i] + ": " + in[i]
		}
	}
	return fmt.Sprintf("%s(%s)", r.Kind, strings.Join(in, ", "))
}
