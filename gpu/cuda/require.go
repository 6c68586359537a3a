package cuda

import "os"

// RequireVariable names the environment variable that turns a skip into a
// failure. It is set where a GPU or simulated CUDA is meant to be there: a set-up
// that broke would pass in silence otherwise.
const RequireVariable = "STATESPEC_REQUIRE_GPU"

// Required reports whether the environment demands a device.
func Required() bool {
	v := os.Getenv(RequireVariable)
	return v != "" && v != "0"
}

// SkipReason is what a test says that needs a device and has none; "" when there
// is one.
func SkipReason() string {
	if why := Unavailable(); why != "" {
		return "no CUDA device: " + why
	}
	return ""
}

// TB is the part of testing.TB, and of Ginkgo's GinkgoT, that [Require] uses.
type TB interface {
	Helper()
	Skip(args ...any)
	Fatal(args ...any)
}

// Require skips a test where there is no device, with the reason, and fails it
// where the environment demands one.
func Require(t TB) {
	t.Helper()
	require(t, SkipReason(), Required())
}

func require(t TB, why string, demanded bool) {
	t.Helper()
	switch {
	case why == "":
	case demanded:
		t.Fatal(why + "; " + RequireVariable + " demands one")
	default:
		t.Skip(why)
	}
}
