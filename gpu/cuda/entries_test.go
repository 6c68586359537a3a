package cuda

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/statespec/statespec/gpu/kernels"
	"github.com/statespec/statespec/reference/fault"
)

func TestEntriesCountsParameters(t *testing.T) {
	found, err := entries(`
.version 7.0
// .entry commented(.param .u64 a)
/* .entry gone() */
.visible .entry none()
{ ret; }
.entry bare { ret; }
.visible .entry two(
	.param .u64 two_param_0,
	.param .b64 two_param_1 // the last, or so
)
.maxntid 256, 1, 1
{ ld.param.u64 %rd1, [two_param_0]; }
.entry aligned(.param .align 8 .u64 p, .param .u64 .ptr .global .align 4 q)`)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"none": 0, "bare": 0, "two": 2, "aligned": 2} {
		if n, ok := found[name]; !ok || n != want {
			t.Errorf("parameters of %s = %d, %v, want %d", name, n, ok, want)
		}
	}
	if len(found) != 4 {
		t.Errorf("entries = %v, want 4", found)
	}
}

func TestEntriesOfTheKernels(t *testing.T) {
	found, err := entries(kernels.PTX)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range kernels.Names() {
		if found[name] == 0 {
			t.Errorf("kernel %s has %d parameters, want some", name, found[name])
		}
	}
}

func TestEntriesRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"":                                    "without an .entry",
		"hello":                               "without an .entry",
		".entry f()\x00":                      "zero byte",
		".entry f(.param .u32 n)":             `".param .u32 n": each must be a 64-bit integer`,
		".entry f(.param .f64 x)":             "64-bit integer",
		".entry f(.param .align 8 .b8 s[16])": "64-bit integer",
	} {
		_, err := entries(text)
		if !errors.Is(err, fault.ErrInvalidArgument) || !strings.Contains(err.Error(), says) {
			t.Errorf("entries(%q) = %v, want it to say %q", text, err, says)
		}
	}
}

func TestGridCoversTheThreads(t *testing.T) {
	in := map[string]int{"f": 2}
	for threads, want := range map[int]int{0: 0, 1: 1, 255: 1, 256: 1, 257: 2, maxBlocks * block: maxBlocks} {
		if got, err := grid(in, "f", threads, 2); err != nil || got != want {
			t.Errorf("grid of %d threads = %d, %v, want %d", threads, got, err, want)
		}
	}
	for _, bad := range []struct {
		kernel        string
		threads, args int
		kind          error
	}{
		{"g", 1, 2, fault.ErrNotFound},
		{"f", 1, 1, fault.ErrInvalidArgument},
		{"f", 1, 3, fault.ErrInvalidArgument},
		{"f", -1, 2, fault.ErrInvalidArgument},
		{"f", math.MinInt, 2, fault.ErrInvalidArgument},
		{"f", maxBlocks*block + 1, 2, fault.ErrInvalidArgument},
		{"f", math.MaxInt, 2, fault.ErrInvalidArgument},
	} {
		if _, err := grid(in, bad.kernel, bad.threads, bad.args); !errors.Is(err, bad.kind) {
			t.Errorf("grid(%+v) = %v, want %v", bad, err, bad.kind)
		}
	}
}
