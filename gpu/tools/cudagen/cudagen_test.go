package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// A header after the preprocessor, with a declaration over two lines and one twice.
const header = `
typedef enum cudaError_enum { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1, CUDA_ERROR_A = 2, CUDA_ERROR_B = 3,
 CUDA_ERROR_C = 4, CUDA_ERROR_D = 5, CUDA_ERROR_E = 6, CUDA_ERROR_F = 7, CUDA_ERROR_G = 8, CUDA_ERROR_UNKNOWN = 999
} CUresult;
typedef CUresult (*cuCallback)(int);
CUresult cuInit(unsigned int Flags);
CUresult cuDeviceGetCount(int *count);
CUresult cuMemAlloc_v2(CUdeviceptr *dptr, size_t bytesize);
CUresult
 cuMemFree_v2(CUdeviceptr dptr);
CUresult cuMemAlloc_v2(CUdeviceptr *dptr, size_t bytesize);
`

func TestEveryDeclaredEntryPointHasAJumpButTheShimsOwn(t *testing.T) {
	var out strings.Builder
	if err := jumps(&out, []string{file(t, header)}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"entries = 2", "JUMP(cuMemAlloc_v2, 0)", "JUMP(cuMemFree_v2, 1)"} {
		if strings.Count(out.String(), want) != 1 {
			t.Errorf("jumps has %q %d times, want once, in\n%s", want, strings.Count(out.String(), want), out.String())
		}
	}
	if strings.Contains(out.String(), "cuInit") || strings.Contains(out.String(), "cuCallback") {
		t.Errorf("jumps has the shim's own cuInit, or what is no entry point:\n%s", out.String())
	}
}

func TestErrorsAreTheEnums(t *testing.T) {
	var out strings.Builder
	if err := errorNames(&out, []string{file(t, header)}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "E("); n != 10 || !strings.Contains(out.String(), "E(CUDA_ERROR_UNKNOWN)\n") {
		t.Errorf("%d errors, want 10 with CUDA_ERROR_UNKNOWN:\n%s", n, out.String())
	}
}

func TestTwinsAreCalledWithTheirOwnNumberOfParameters(t *testing.T) {
	var out strings.Builder
	kernels := "// KERNEL is no kernel here\nKERNEL one(u64 a) {\n}\nKERNEL three_2(u64 a, u64 b, u64 c) {\n}\nKERNEL none() {\n}\n"
	if err := twins(&out, []string{file(t, kernels)}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"void three_2(u64, u64, u64);\n", "three_2(a[0], a[1], a[2]); }\n",
		`{"one", 1, run_one},`, `{"three_2", 3, run_three_2},`, `{"none", 0, run_none},`, "void none(void);\n",
	} {
		if strings.Count(out.String(), want) != 1 {
			t.Errorf("twins has %q %d times, want once, in\n%s", want, strings.Count(out.String(), want), out.String())
		}
	}
}

func TestWithoutKernelsTheTableIsEmpty(t *testing.T) {
	var out strings.Builder
	if err := twins(&out, []string{""}); err != nil || !strings.Contains(out.String(), "cudasim_twins[] = {\n    {0}};") {
		t.Errorf("twins of no file = %v\n%s", err, out.String())
	}
}

func TestWhatCannotBeReadIsAnErrorThatSaysWhatIsWanted(t *testing.T) {
	for _, c := range []struct {
		name, want string
		err        error
	}{
		{"no header", "declares no cuInit", jumps(&strings.Builder{}, []string{file(t, "int x;")})},
		{"no errors", "no enum cudaError_enum", errorNames(&strings.Builder{}, []string{file(t, "int x;")})},
		{"no object", "bad magic number", stubs(&strings.Builder{}, []string{file(t, header), file(t, "text that is longer than a header")})},
		{"a kernel over two lines", "want a kernel on one line", twins(&strings.Builder{}, []string{file(t, "KERNEL k(u64 a,\n u64 b) {\n}")})},
		{"a parameter that is no u64", `parameter "u32 b": want a u64`, twins(&strings.Builder{}, []string{file(t, "KERNEL k(u64 a, u32 b) {\n}")})},
		{"a file that is missing", "no such file", twins(&strings.Builder{}, []string{"missing.cu"})},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, c.err, c.want)
		}
	}
}
