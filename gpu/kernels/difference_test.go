package kernels_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/statespec/statespec/gpu/kernels"
)

// differ returns the difference as a kernel has it.
func differ(t testing.TB, m machine, a, b uintptr, n, size int) kernels.Difference {
	t.Helper()
	result := m.allocate(t, kernels.DifferenceStart())
	launch(t, m)(kernels.CallDifference(result, a, b, n, size))
	return must[kernels.Difference](t)(kernels.DecodeDifference(m.read(t, result, kernels.DifferenceBytes)))
}

func testDifference(t *testing.T, m machine) {
	const longest = 40007
	for _, size := range []int{1, 2, 4, 8} {
		for _, n := range []int{1, 2, 3, 7, 8, 9, 255, 1000, longest} {
			a := noise(1, 8+n*size)
			for kind, at := range map[string][]int{"none": nil, "first": {0}, "last": {n - 1}, "both": {0, n - 1}, "middle": {n / 2, n / 2, (n + 1) / 2}, "all": nil} {
				for _, shift := range []int{0, 1, 4} { // from where the arrays begin, in bytes
					b := bytes.Clone(a)
					for k, i := range at {
						b[shift+i*size+k%size] ^= 0x80
					}
					if kind == "all" {
						for i := range b {
							b[i] ^= 0xff
						}
					}
					want := must[kernels.Difference](t)(kernels.Compare(a[shift:][:n*size], b[shift:][:n*size], size))
					got := differ(t, m, m.allocate(t, a)+uintptr(shift), m.allocate(t, b)+uintptr(shift), n, size)
					if got != want {
						t.Errorf("difference of %d elements of %d bytes from byte %d on, %s: %+v, want %+v", n, size, shift, kind, got, want)
					}
					m.clear(t)
				}
			}
		}
	}
}

func testDifferenceAdds(t *testing.T, m machine) {
	a := noise(1, 4096)
	b := bytes.Clone(a)
	b[100], b[101], b[4000] = ^b[100], ^b[101], ^b[4000]
	atA, atB, result := m.allocate(t, a), m.allocate(t, b), m.allocate(t, kernels.DifferenceStart())
	for range 3 {
		launch(t, m)(kernels.CallDifference(result, atA, atB, 2048, 2))
	}
	got := must[kernels.Difference](t)(kernels.DecodeDifference(m.read(t, result, kernels.DifferenceBytes)))
	if want := (kernels.Difference{First: 50, Count: 6}); got != want {
		t.Errorf("difference after three calls = %+v, want %+v", got, want)
	}
}

func TestCompareFindsTheFirstAndCounts(t *testing.T) {
	a := []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	b := bytes.Clone(a)
	b[3], b[9], b[8] = 0, 0, 0
	for size, want := range map[int]kernels.Difference{1: {3, 3}, 2: {1, 2}, 4: {0, 2}, 8: {0, 2}} {
		if got := must[kernels.Difference](t)(kernels.Compare(a, b, size)); got != want {
			t.Errorf("Compare in elements of %d = %+v, want %+v", size, got, want)
		}
	}
	if got := must[kernels.Difference](t)(kernels.Compare(a, a, 4)); got != (kernels.Difference{First: -1}) {
		t.Errorf("Compare of the same = %+v, want none", got)
	}
}

func TestADifferencesArgumentsAreChecked(t *testing.T) {
	for _, size := range []int{-1, 0, 3, 16} {
		_, err := kernels.CallDifference(8, 16, 24, 1, size)
		wantRefused(t, fmt.Sprintf("CallDifference of elements of %d bytes", size), err)
		_, err = kernels.Compare(make([]byte, 48), make([]byte, 48), size)
		wantRefused(t, fmt.Sprintf("Compare in elements of %d bytes", size), err)
	}
	_, err := kernels.CallDifference(8, 16, 24, -1, 1)
	wantRefused(t, "CallDifference of -1 elements", err)
	_, err = kernels.Compare(make([]byte, 4), make([]byte, 8), 4)
	wantRefused(t, "Compare of 4 bytes with 8", err)
	_, err = kernels.DecodeDifference(make([]byte, kernels.DifferenceBytes))
	wantRefused(t, "DecodeDifference of what no one prepared", err)
	_, err = kernels.DecodeDifference(make([]byte, 8))
	wantRefused(t, "DecodeDifference of 8 bytes", err)
}
