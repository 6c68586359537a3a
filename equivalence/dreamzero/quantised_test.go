package dreamzero_test

import (
	"bytes"
	"io/fs"
	"math"
	"slices"
	"testing"

	"github.com/sbinet/npyio"

	"github.com/statespec/statespec/fixtures/upstream"
)

// quantised reads a recorded array of latents, (1, 32, 2, 13, 11).
func quantised[T float32 | uint16](t *testing.T, name, descr string) []T {
	t.Helper()
	r := must[*npyio.Reader](t)(npyio.NewReader(bytes.NewReader(must[[]byte](t)(fs.ReadFile(upstream.Files(), name)))))
	if got := r.Header.Descr; got.Type != descr || got.Fortran || !slices.Equal(got.Shape, []int{1, 32, 2, 13, 11}) {
		t.Fatalf("%s = %+v, want %s of shape 1×32×2×13×11 in C order", name, got, descr)
	}
	var elements []T
	do(t, r.Read(&elements))
	if len(elements) != 9152 {
		t.Fatalf("%s = %d elements, want 9152", name, len(elements))
	}
	return elements
}

func TestTheRecordedBFloat16LatentsOfRingAndWholeHistoryAreOne(t *testing.T) {
	ring, whole := quantised[uint16](t, "quant_bf16_ring.npy", "<u2"), quantised[uint16](t, "quant_bf16_whole_history.npy", "<u2")
	for i := range ring {
		if ring[i] != whole[i] {
			t.Fatalf("element %d of the ring = %#04x, want %#04x as of the whole history", i, ring[i], whole[i])
		}
	}
}

// With more than one thread the recorded library takes another float32 kernel
// for 50 frames than for two: a divergence of the two paths that is none of the
// state's doing.
func TestTheRecordedFloat32LatentsOfRingAndWholeHistoryDiffer(t *testing.T) {
	ring, whole := quantised[float32](t, "quant_fp32_ring.npy", "<f4"), quantised[float32](t, "quant_fp32_whole_history.npy", "<f4")
	different, worst := 0, 0.0
	for i := range ring {
		if math.Float32bits(ring[i]) != math.Float32bits(whole[i]) {
			different++
			worst = max(worst, math.Abs(float64(ring[i])-float64(whole[i])))
		}
	}
	if different != 5967 {
		t.Errorf("elements that differ = %d of %d, want 5967", different, len(ring))
	}
	if !(worst > 0 && worst <= 4.8e-7) {
		t.Errorf("largest difference = %g, want at most 4.8e-7", worst)
	}
	t.Logf("%d of %d elements differ, by at most %g", different, len(ring), worst)
}
