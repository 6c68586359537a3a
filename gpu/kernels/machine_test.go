package kernels_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/statespec/statespec/fixtures/fill"
	"github.com/statespec/statespec/gpu/kernels"
)

// A machine runs kernels: host twins, or a device.
type machine interface {
	// allocate returns the address of so many bytes, which are unlike zero.
	allocate(t testing.TB, contents []byte) uintptr
	read(t testing.TB, address uintptr, nbytes int) []byte
	// launch runs the threads of a call to their end.
	launch(call kernels.Call) error
	// clear frees every allocation.
	clear(t testing.TB)
}

// everything is what holds on every machine.
func everything(t *testing.T, m machine) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, machine)
	}{
		{"conversions are the Go code's, of every bit pattern", testConversions},
		{"the quantiser is dreamzero's", testPointwise},
		{"the quantiser reads channels that lie apart", testPointwiseStep},
		{"the quantiser's fixed order does not depend on the length", testFixedOrder},
		{"the quantiser by length is its definition", testByLength},
		{"the quantiser by length depends on the length", testByLengthDiffers},
		{"the causal convolution is its definition", testCausal},
		{"the causal convolution works in place", testCausalInPlace},
		{"the causal convolution is the rollout's encoder", testEncoder},
		{"a difference has the first index and the count", testDifference},
		{"several calls add to one difference", testDifferenceAdds},
		{"a checksum is the host's", testChecksum},
		{"a chunk's digest is XXH64", testXXH64Chunks},
		{"no elements touch no memory", testNothing},
		{"the number of threads means nothing", testThreads},
	} {
		t.Run(strings.ReplaceAll(test.name, " ", "_"), func(t *testing.T) {
			defer m.clear(t)
			test.run(t, m)
		})
	}
}

// required reports whether a test that cannot run has to fail.
func required() bool {
	v := os.Getenv("STATESPEC_REQUIRE_GPU")
	return v != "" && v != "0"
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// launch runs what a method of a shape returned.
func launch(t testing.TB, m machine) func(kernels.Call, error) {
	return func(call kernels.Call, err error) {
		t.Helper()
		if err == nil {
			err = m.launch(call)
		}
		if err != nil {
			t.Fatalf("launch of %s%v: %v", call.Kernel, call.Args, err)
		}
	}
}

// noise returns n bytes of a seed. A result's memory has it before a launch, so
// that what a kernel leaves out is seen.
func noise(seed uint64, n int) []byte {
	b := make([]byte, n)
	_, _ = fill.Seeded(seed).Read(b) // never fails
	return b
}

// wantBytes compares a result in elements of so many bytes.
func wantBytes(t testing.TB, what string, got, want []byte, size int) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d bytes, want %d", what, len(got), len(want))
	}
	if bytes.Equal(got, want) {
		return
	}
	differ, i := 0, -1
	for at := 0; at < len(want); at += size {
		if !bytes.Equal(got[at:at+size], want[at:at+size]) {
			if i < 0 {
				i = at / size
			}
			differ++
		}
	}
	t.Fatalf("%s: element %d is %x, want %x; %d of %d elements differ", what, i, got[i*size:(i+1)*size], want[i*size:(i+1)*size], differ, len(want)/size)
}
