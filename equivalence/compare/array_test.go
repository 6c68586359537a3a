package compare_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/statespec/statespec/equivalence/compare"
)

// The same two latent frames, quantised as part of fifty and alone, by the real
// implementation.
func TestTheRecordedPairsAreToldApart(t *testing.T) {
	const dir = "../../fixtures/upstream/"
	f := paths(t, dir+"quant_fp32_ring.npy", dir+"quant_fp32_whole_history.npy", compare.Options{})
	a := f.Artefacts[0]
	if f.Equal || a.Different != 5967 || a.Elements != 9152 || a.Problem != "" {
		t.Errorf("float32: equal %v, %d of %d differ, %q, want 5967 of 9152", f.Equal, a.Different, a.Elements, a.Problem)
	}
	want := &compare.Divergence{Index: []int64{0, 0, 0, 0, 0}, A: "0.2066112", B: "0.20661114", BitsA: "0x3e5391e3", BitsB: "0x3e5391df", ULP: "4"}
	if diff := cmp.Diff(want, a.First); diff != "" {
		t.Errorf("float32: the first divergence, -want +got:\n%s", diff)
	}
	if a.ULP.Difference != "4.76837158203125e-07" || a.ULP.Typical != "2 to 3" {
		t.Errorf("float32: at most %s, typically %s ULP, want 4.76837158203125e-07, 2 to 3", a.ULP.Difference, a.ULP.Typical)
	}
	for _, o := range []compare.Options{{}, {BFloat16: []string{"*"}}} {
		b := paths(t, dir+"quant_bf16_ring.npy", dir+"quant_bf16_whole_history.npy", o)
		if !b.Equal || b.Artefacts[0].Different != 0 || b.Artefacts[0].Elements != 9152 {
			t.Errorf("bfloat16: %+v, want an equal pair of 9152 elements", b)
		}
	}
}

func TestBitsDecide(t *testing.T) {
	nan, other := math.Float32frombits(0x7fc00000), math.Float32frombits(0x7fc00001)
	zero := float32(math.Copysign(0, -1))
	got := pairOf(t, "a.npy", floats(nan, nan, 0, 1, nan), floats(nan, other, zero, 1, 2), compare.Options{ULP: 1 << 40, AbsTol: 1})
	if got.Equal || got.Different != 3 || got.First.Index[0] != 1 || got.First.ULP != "" || got.First.BitsB != "0x7fc00001" {
		t.Errorf("Paths = %+v, first %+v, want 3 that differ, the first at 1 without a distance", got, got.First)
	}
	want := &compare.Distances{Largest: "0", LargestIndex: []int64{2}, Difference: "0", Typical: "0", Histogram: []int64{1},
		SignedZeros: 1, NaNPayloads: 1, NaNAgainstNumber: 1}
	if diff := cmp.Diff(want, got.ULP); diff != "" {
		t.Errorf("distances, -want +got:\n%s", diff)
	}
	if *got.Beside.BeyondULP != 2 || *got.Beside.BeyondTolerance != 2 {
		t.Errorf("beyond the bounds: %d and %d, want the two with a NaN", *got.Beside.BeyondULP, *got.Beside.BeyondTolerance)
	}
}

func TestATolerableDifferenceIsOne(t *testing.T) {
	got := pairOf(t, "a.npy", floats(1, 1, 100), floats(1.5, 1.25, 100.5), compare.Options{ULP: 4_194_304, AbsTol: 0.25, RelTol: 0.0025})
	if got.Equal || got.Different != 3 {
		t.Errorf("Paths = equal %v, %d different, want 3", got.Equal, got.Different)
	}
	if *got.Beside.BeyondULP != 0 || *got.Beside.BeyondTolerance != 1 {
		t.Errorf("beyond the bounds: %d and %d, want 0 and 1", *got.Beside.BeyondULP, *got.Beside.BeyondTolerance)
	}
}

func TestArraysOfOtherFormsDifferAsSuch(t *testing.T) {
	data := make([]byte, 24)
	base := array("<f4", "False", "(2, 3)", data)
	for says, other := range map[string][]byte{
		"dtype differs: float32 against int32":     array("<i4", "False", "(2, 3)", data),
		"shape differs: [2 3] against [3 2]":       array("<f4", "False", "(3, 2)", data),
		"shape differs: [2 3] against [6]":         array("<f4", "False", "(6,)", data),
		"order differs: C against Fortran":         array("<f4", "True", "(2, 3)", data),
		"dtype differs: float32 against float64":   array("<f8", "False", "(3,)", data),
		"dtype differs: float32 against bfloat16":  array("<V2", "False", "(12,)", data),
		"dtype differs: float32 against complex64": array("<c8", "False", "(3,)", data),
	} {
		got := pairOf(t, "a.npy", base, other, compare.Options{})
		if got.Equal || got.Problem != says || got.Different != 0 || got.Elements != 6 {
			t.Errorf("Paths = %+v, want %q", got, says)
		}
	}
}

func TestAByteOrderIsNoDifference(t *testing.T) {
	for _, row := range []struct {
		code       string
		size, lane int
	}{{"i2", 2, 2}, {"f4", 4, 4}, {"f8", 8, 8}, {"c8", 8, 4}, {"c16", 16, 8}, {"V2", 2, 2}} {
		little := make([]byte, 12*row.size)
		for i := range little {
			little[i] = byte(i*37 + 5)
		}
		big := slices.Clone(little)
		for at := 0; at < len(big); at += row.lane {
			slices.Reverse(big[at : at+row.lane])
		}
		if got := pairOf(t, "a.npy", array("<"+row.code, "False", "(3, 4)", little), array(">"+row.code, "False", "(3, 4)", big), compare.Options{}); !got.Equal {
			t.Errorf("%s: Paths = %+v, want equal", row.code, got)
		}
		big[len(big)-1] ^= 1 // of the last element
		for _, fortran := range []string{"False", "True"} {
			got := pairOf(t, "a.npy", array("<"+row.code, fortran, "(3, 4)", little), array(">"+row.code, fortran, "(3, 4)", big), compare.Options{})
			if got.Different != 1 || !slices.Equal(got.First.Index, []int64{2, 3}) {
				t.Errorf("%s, fortran_order %s: %+v, first %+v, want one at [2 3]", row.code, fortran, got, got.First)
			}
		}
	}
}

// Element (i, j) of [2, 3] is 10i + j.
func TestOrdersAreComparedByIndex(t *testing.T) {
	c := floatBytes(0, 1, 2, 10, 11, 12)
	f := floatBytes(0, 10, 1, 11, 2, 12)
	off := floatBytes(0, 10, 1, 11, 3, 12)
	cOff := floatBytes(0, 1, 3, 10, 11, 12)
	for _, row := range []struct {
		name       string
		a, b       []byte
		different  int64
		problem    bool
		firstIndex []int64
	}{
		{"both Fortran", array("<f4", "True", "(2, 3)", f), array("<f4", "True", "(2, 3)", off), 1, false, []int64{0, 2}},
		{"C and Fortran, equal values", array("<f4", "False", "(2, 3)", c), array("<f4", "True", "(2, 3)", f), 0, true, nil},
		{"Fortran and C", array("<f4", "True", "(2, 3)", f), array("<f4", "False", "(2, 3)", cOff), 1, true, []int64{0, 2}},
		{"one long axis has one order", array("<f4", "True", "(6, 1)", c), array("<f4", "False", "(6, 1)", c), 0, false, nil},
		{"nothing has no order", array("<f4", "True", "(0, 3)", nil), array("<f4", "False", "(0, 3)", nil), 0, false, nil},
	} {
		got := pairOf(t, "a.npy", row.a, row.b, compare.Options{})
		if got.Different != row.different || strings.HasPrefix(got.Problem, "order differs") != row.problem || got.Equal == (row.problem || row.different > 0) {
			t.Errorf("%s: Paths = %+v, want %d different, a problem %v", row.name, got, row.different, row.problem)
		}
		if row.firstIndex != nil && !slices.Equal(got.First.Index, row.firstIndex) {
			t.Errorf("%s: the first at %v, want %v", row.name, got.First.Index, row.firstIndex)
		}
	}
}

func TestABFloat16IsOneHoweverItIsWritten(t *testing.T) {
	bits := []byte{0x80, 0x3f, 0x81, 0x3f}
	v, bar, u := array("<V2", "False", "(2,)", bits), array("|V2", "False", "(2,)", bits), array("<u2", "False", "(2,)", bits)
	if got := pairOf(t, "a.npy", v, bar, compare.Options{}); !got.Equal || got.DType != "bfloat16" {
		t.Errorf("<V2 and |V2 = %+v, want equal bfloat16", got)
	}
	if got := pairOf(t, "a.npy", v, u, compare.Options{}); got.Equal {
		t.Errorf("<V2 and <u2 = %+v, want other types: nobody says that they are one", got)
	}
	if got := pairOf(t, "a.npy", v, u, compare.Options{BFloat16: []string{"*.npy"}}); !got.Equal {
		t.Errorf("<V2 and <u2 that is said to be bfloat16 = %+v, want equal", got)
	}
	off := array("<u2", "False", "(2,)", []byte{0x80, 0x3f, 0x83, 0x3f})
	if got := pairOf(t, "a.npy", u, off, compare.Options{BFloat16: []string{"a.*"}}); got.First == nil || got.First.A != "1.0078125" || got.First.ULP != "2" {
		t.Errorf("the first of a bfloat16 = %+v, want its value", got.First)
	}
}

// Only time index 14 and later, of 15: the summary of the real divergence.
func TestAnAxisSaysWhereItDiffers(t *testing.T) {
	const shape = "(2, 15, 4, 5)"
	a := make([]byte, 2*15*4*5*4)
	b := slices.Clone(a)
	for channel := range 2 {
		for i := range 20 {
			b[4*((channel*15+14)*20+i)] = 1
		}
	}
	got := pairOf(t, "a.npy", array("<f4", "False", shape, a), array("<f4", "False", shape, b), compare.Options{})
	var summaries []string
	for _, x := range got.Axes {
		summaries = append(summaries, x.Summary)
	}
	want := []string{"every index", "only index 14", "every index", "every index"}
	if !slices.Equal(summaries, want) {
		t.Errorf("summaries = %q, want %q", summaries, want)
	}
	b[4*(13*20+7)] = 1
	b[4*(0*20+7)] = 1
	got = pairOf(t, "a.npy", array("<f4", "True", "(5, 4, 15, 2)", a), array("<f4", "True", "(5, 4, 15, 2)", b), compare.Options{})
	if got.Axes[2].Summary != "3 of 15 indices, from 0 to 14" || got.Axes[2].First != 0 || got.Axes[2].Last != 14 {
		t.Errorf("axis 2 = %+v, want 3 of 15 indices", got.Axes[2])
	}
}

func TestSummariesAreWhatAPersonWouldSay(t *testing.T) {
	for want, at := range map[string][]int{
		"only index 7 and later":       {7, 8, 9},
		"only index 2 and before":      {0, 1, 2},
		"only indices 3 to 5":          {3, 4, 5},
		"only index 4":                 {4},
		"every index":                  {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
		"2 of 10 indices, from 0 to 9": {0, 9},
	} {
		a, b := make([]float32, 10), make([]float32, 10)
		for _, i := range at {
			b[i] = 1
		}
		if got := pairOf(t, "a.npy", floats(a...), floats(b...), compare.Options{}); got.Axes[0].Summary != want {
			t.Errorf("indices %v: %q, want %q", at, got.Axes[0].Summary, want)
		}
	}
}

func TestALongAxisIsToldInBins(t *testing.T) {
	a := make([]byte, 1<<20)
	b := slices.Clone(a)
	b[5000], b[5001], b[1<<20-1] = 1, 1, 1
	got := pairOf(t, "a.npy", array("|u1", "False", "(1048576,)", a), array("|u1", "False", "(1048576,)", b), compare.Options{}).Axes[0]
	if got.First != 5000 || got.Last != 1<<20-1 || len(got.Bins) != 1024 || got.Width != 1024 || got.Bins[4] != 2 || got.Bins[1023] != 1 {
		t.Errorf("the axis = first %d, last %d, %d bins of %d, want 5000, 1048575, 1024 bins of 1024 with two and one", got.First, got.Last, len(got.Bins), got.Width)
	}
}

func TestOnlyCountsAreToldWhereOnlyTheyAreAskedFor(t *testing.T) {
	got := pairOf(t, "a.npy", floats(1, 2, 3), floats(1, 3, 4), compare.Options{CountOnly: true})
	if got.Different != 2 || got.First.Index[0] != 1 || got.ULP != nil || got.Axes != nil {
		t.Errorf("Paths = %+v, want the first and the count", got)
	}
}

func TestIntegersAreAsFarApartAsTheirDifference(t *testing.T) {
	data := func(values ...int64) (b []byte) {
		for _, v := range values {
			b = binary.LittleEndian.AppendUint64(b, uint64(v))
		}
		return b
	}
	got := pairOf(t, "a.npy", array("<i8", "False", "(2,)", data(math.MinInt64, 5)), array("<i8", "False", "(2,)", data(math.MaxInt64, 2)), compare.Options{})
	if got.First.ULP != "18446744073709551615" || got.First.A != "-9223372036854775808" || got.ULP.Largest != got.First.ULP || got.ULP.Typical != "2 to 3" {
		t.Errorf("Paths = first %+v, distances %+v, want the whole range", got.First, got.ULP)
	}
}

func TestOfEqualDistancesTheFirstIsNamed(t *testing.T) {
	for _, code := range []string{"f2", "f4", "f8", "i4", "c8"} {
		a, b := make([]byte, 64), make([]byte, 64)
		b[16], b[32], b[48] = 1, 1, 1
		size := int64(code[1] - '0')
		shape := fmt.Sprintf("(%d,)", 64/size)
		got := pairOf(t, "a.npy", array("<"+code, "False", shape, a), array("<"+code, "False", shape, b), compare.Options{})
		if want := []int64{16 / size}; got.Different != 3 || !slices.Equal(got.ULP.LargestIndex, want) || got.ULP.Largest != "1" {
			t.Errorf("%s: %+v, want three at distance 1, the first at %v", code, got.ULP, want)
		}
	}
}
