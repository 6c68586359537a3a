package statespec_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/statespec/statespec"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor/devicetest"
)

// The Go reference keeps every promise.
func TestConformance(t *testing.T) { statespec.Run(t, subject.New, statespec.Strict()) }

// On a device it keeps them, too: what is asked then of tensors in a memory that
// the host cannot address, with a second such device beside it. Package gpu asks it
// of CUDA.
func TestConformanceOnADevice(t *testing.T) {
	onDevice := subject.Assemble(func() subject.Parts {
		return subject.Parts{Devices: []subject.Device{devicetest.New("cuda:0", 1<<31), devicetest.New("cuda:1", 1<<31)}}
	})
	statespec.Run(t, onDevice, statespec.Strict(), statespec.Device("cuda:0"), statespec.Require("EQV-09 || ACC-19"))
}

// owner is the test binary of testdata/owner.
var owner = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "statespec-owner-")
	if err != nil {
		return "", err
	}
	binary := filepath.Join(dir, "owner.test")
	out, err := exec.Command("go", "test", "-c", "-o", binary, "./testdata/owner").CombinedOutput()
	if err != nil {
		os.Stderr.Write(out)
	}
	return binary, err
})

func TestMain(m *testing.M) {
	code := m.Run()
	if binary, err := owner(); err == nil {
		os.RemoveAll(filepath.Dir(binary))
	}
	os.Exit(code)
}

// runs runs the owner's tests, and says whether they passed.
func runs(t *testing.T, env string, args ...string) (output string, passed bool) {
	t.Helper()
	binary, err := owner()
	if err != nil {
		t.Fatalf("build testdata/owner: %v", err)
	}
	cmd := exec.Command(binary, args...)
	cmd.Dir = t.TempDir()
	if env != "" { // of entries between semicolons
		cmd.Env = append(os.Environ(), strings.Split(env, ";")...)
	}
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

func TestOneGuaranteeRunsAsOftenAsAsked(t *testing.T) {
	out, passed := runs(t, "", "-test.v", "-test.run=TestConformance/EVI-05", "-test.count=3")
	if !passed {
		t.Fatalf("it failed:\n%s", out)
	}
	if n := strings.Count(out, "--- PASS: TestConformance/EVI-05 "); n != 3 {
		t.Errorf("EVI-05 passed %d times, want 3:\n%s", n, out)
	}
	if strings.Contains(out, "TestConformance/EVI-06") {
		t.Errorf("EVI-06 ran too:\n%s", out)
	}
}

func TestACaseIsASubTestOfItsGuarantee(t *testing.T) {
	out, passed := runs(t, "", "-test.v", "-test.run=TestConformance/ACC-11/set")
	if !passed || !strings.Contains(out, "--- PASS: TestConformance/ACC-11/set") || strings.Contains(out, "ACC-11/record") {
		t.Errorf("passed %v:\n%s", passed, out)
	}
}

func TestSkippedGuaranteesAreLeftOut(t *testing.T) {
	out, passed := runs(t, "OWNER_FAULT=forgets the budget", "-test.v", "-test.run=TestConformance/EVI-2", "-test.skip=TestConformance/EVI-20")
	if !passed || !strings.Contains(out, "TestConformance/EVI-21") || strings.Contains(out, "TestConformance/EVI-20") {
		t.Errorf("passed %v:\n%s", passed, out)
	}
}

func TestABrokenPromiseFailsItsSubTestAlone(t *testing.T) {
	out, passed := runs(t, "OWNER_FAULT=forgets the budget", "-test.v", "-test.run=TestConformance/EVI-2")
	if passed {
		t.Fatalf("it passed:\n%s", out)
	}
	for _, want := range []string{"--- FAIL: TestConformance/EVI-20", "--- PASS: TestConformance/EVI-21", "MUST broken",
		"go test -run '^TestConformance$/^EVI-20$'", "eviction/"} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
	if n := strings.Count(out, "--- FAIL: TestConformance/"); n != 1 {
		t.Errorf("%d sub-tests failed, want 1:\n%s", n, out)
	}
}

func TestABrokenShouldFailsWhenStrict(t *testing.T) {
	const fault = "OWNER_FAULT=takes a zero cap"
	if out, passed := runs(t, fault, "-test.run=TestConformance/EVI-11"); !passed {
		t.Errorf("a broken SHOULD failed:\n%s", out)
	}
	if out, passed := runs(t, fault+";OWNER_STRICT=1", "-test.run=TestConformance/EVI-11"); passed {
		t.Errorf("under Strict it passed:\n%s", out)
	}
}

func TestASubjectThatEndsTheProcessIsNamed(t *testing.T) {
	out, passed := runs(t, "OWNER_FAULT=exits", "-test.v", "-test.run=TestConformance/EVI-2")
	if passed || !strings.Contains(out, "crashed") || !strings.Contains(out, "--- PASS: TestConformance/EVI-21") {
		t.Errorf("passed %v:\n%s", passed, out)
	}
}

// A dry run of the owner's Ginkgo suite reports every spec as passed. It must
// not reach ours.
func TestFlagsOfTheOwnersSuiteDoNotReachOurs(t *testing.T) {
	for _, flag := range []string{"-ginkgo.dry-run", "-ginkgo.focus=nothing", "-ginkgo.label-filter=nothing"} {
		out, passed := runs(t, "OWNER_FAULT=forgets the budget", flag, "-test.run=TestConformance/EVI-20")
		if passed {
			t.Errorf("%s: it passed:\n%s", flag, out)
		}
	}
}

func TestTheOwnersFlagsReachEveryProcess(t *testing.T) {
	out, passed := runs(t, "OWNER_FAULT=forgets the budget;OWNER_ONLY=EVI-20", "-own=mine", "-test.v", "-test.run=TestConformance")
	if passed || !strings.Contains(out, "owned mine") {
		t.Errorf("passed %v:\n%s", passed, out)
	}
}

func TestTheOwnersSuiteRunsBesideOurs(t *testing.T) {
	// Ginkgo ends the process after a suite with a focus, so ours goes first.
	out, _ := runs(t, "OWNER_FOCUS=1", "-test.v", "-test.run=TestConformance/EVI-20|TestOwn")
	for _, want := range []string{"--- PASS: TestConformance/EVI-20", "Ran 1 of 3 Specs"} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
}

func TestTheOwnersBrokenSetUpIsNotAVerdict(t *testing.T) {
	out, passed := runs(t, "OWNER_BEFORE_SUITE=1", "-test.run=TestConformance/EVI-20")
	if passed || !strings.Contains(out, "the owner's own set-up") {
		t.Errorf("passed %v:\n%s", passed, out)
	}
}

func TestExpectationsAndSelectionsAreRead(t *testing.T) {
	known := filepath.Join(t.TempDir(), "known.yaml")
	content := "suite: \"0.1\"\nexpectations:\n  - id: EVI-20\n    reason: it is known\n"
	if err := os.WriteFile(known, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	const only = "OWNER_ONLY=EVI-20,EVI-21;OWNER_EXPECT="
	if out, passed := runs(t, "OWNER_FAULT=forgets the budget;"+only+known, "-test.run=TestConformance"); !passed {
		t.Errorf("what is known failed:\n%s", out)
	}
	if out, passed := runs(t, only+known, "-test.run=TestConformance"); passed || !strings.Contains(out, "stale") {
		t.Errorf("a stale expectation: passed %v:\n%s", passed, out)
	}
	if out, passed := runs(t, only+"/nonexistent.yaml", "-test.run=TestConformance"); passed || !strings.Contains(out, "/nonexistent.yaml") {
		t.Errorf("an expectation file that is not there: passed %v:\n%s", passed, out)
	}
	if out, passed := runs(t, "OWNER_ONLY=EVI-99", "-test.run=TestConformance"); passed || !strings.Contains(out, "EVI-99") {
		t.Errorf("an unknown ID: passed %v:\n%s", passed, out)
	}
}
