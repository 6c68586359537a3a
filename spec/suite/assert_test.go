package suite_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/suite"
)

func TestOnlyARefusalIsARefusal(t *testing.T) {
	for name, row := range map[string]struct {
		err  error
		want bool
	}{
		"success":                   {nil, false},
		"a kind":                    {spec.Refuse(spec.OverRead, "too far"), true},
		"raised for reasons unsaid": {errors.New("ValueError"), true},
		"no such operation":         {spec.Refuse(spec.Unsupported, "drop"), false},
		"the driver's own failure":  {spec.Refuse(spec.Internal, "lost"), false},
		"an edit of the immutable":  {spec.Refuse(spec.Immutable, "a tuple"), false},
	} {
		got, err := suite.BeRefused().Match(row.err)
		if err != nil || got != row.want {
			t.Errorf("%s: BeRefused matches %v (%v), want %v", name, got, err, row.want)
		}
	}
}

func TestARefusalIsOfAKind(t *testing.T) {
	err := spec.Refuse(spec.OverRead, "too far")
	if got, _ := suite.BeRefusedAs(spec.NotReady, spec.OverRead).Match(err); !got {
		t.Error("an over-read is none of not_ready, over_read")
	}
	if got, _ := suite.BeRefusedAs(spec.NotReady).Match(err); got {
		t.Error("an over-read is not_ready")
	}
}

// reading is a value that reads as it is told.
type reading spec.Reading

func (r reading) Read() (spec.Reading, error) { return spec.Reading(r), nil }
func (reading) Edit(spec.Edit) error          { return nil }
func (reading) Release() error                { return nil }

func TestBitsAreCompared(t *testing.T) {
	one := spec.Reading{Kind: spec.KindTensor, DType: "float32", Shape: []int{2}, Device: "cpu", SHA256: "aa"}
	for name, change := range map[string]func(*spec.Reading){
		"bits":   func(r *spec.Reading) { r.SHA256 = "ab" },
		"dtype":  func(r *spec.Reading) { r.DType = "int32" },
		"shape":  func(r *spec.Reading) { r.Shape = []int{1, 2} },
		"device": func(r *spec.Reading) { r.Device = "cuda:0" },
		"kind":   func(r *spec.Reading) { r.Kind = spec.KindArray },
		"whole": func(r *spec.Reading) {
			*r = spec.Reading{Kind: spec.KindList, Items: []spec.Reading{one}}
		},
	} {
		other := one
		change(&other)
		if got, err := suite.HaveBits(one).Match(spec.Value(reading(other))); err != nil || got {
			t.Errorf("with other %s, HaveBits = %v, %v, want false", name, got, err)
		}
	}
	if got, err := suite.HaveBits(one).Match(spec.Value(reading(one))); err != nil || !got {
		t.Errorf("HaveBits of itself = %v, %v, want true", got, err)
	}
	if got, _ := suite.HaveBits(one).Match(spec.Value(nil)); got {
		t.Error("nothing has the bits of a tensor")
	}
}

// Texts that differ where a digest would be cut have to differ.
func TestAnOutlineTellsTextsApart(t *testing.T) {
	a := suite.Outline(spec.Reading{Kind: spec.KindText, Text: "a\x00"})
	b := suite.Outline(spec.Reading{Kind: spec.KindText, Text: "a"})
	if a == b {
		t.Errorf("two texts have one outline, %s", a)
	}
}

func TestAPromiseOfNoRowPanicsWhenItIsRegistered(t *testing.T) {
	g := gomega.NewWithT(t)
	g.Expect(func() { suite.Promise("EVI-99") }).To(gomega.PanicWith(gomega.ContainSubstring("EVI-99")))
	labels := suite.Promise("ACC-11.set")
	if row, ok := suite.RowOf(labels); !ok || row.ID != "ACC-11.set" || !strings.Contains(strings.Join(labels, " "), "SHOULD") {
		t.Errorf("RowOf(%v) = %v, %v", labels, row.ID, ok)
	}
	if _, ok := suite.RowOf(append(labels, suite.Promise("EVI-05")...)); ok {
		t.Error("a spec of two rows has one")
	}
	if _, ok := suite.RowOf([]string{"ACC-11.set"}); ok {
		t.Error("a spec of somebody else's, with a label that looks like ours, has a row")
	}
}
