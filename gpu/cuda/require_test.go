package cuda

import (
	"fmt"
	"testing"
)

// A heard keeps what a test was told.
type heard struct{ skipped, failed string }

func (h *heard) Helper()           {}
func (h *heard) Skip(args ...any)  { h.skipped = fmt.Sprint(args...) }
func (h *heard) Fatal(args ...any) { h.failed = fmt.Sprint(args...) }

func TestRequireSkipsOrFailsWithTheReason(t *testing.T) {
	for _, c := range []struct {
		why      string
		demanded bool
		want     heard
	}{
		{"", false, heard{}},
		{"", true, heard{}},
		{"no driver", false, heard{skipped: "no driver"}},
		{"no driver", true, heard{failed: "no driver; STATESPEC_REQUIRE_GPU demands one"}},
	} {
		var got heard
		require(&got, c.why, c.demanded)
		if got != c.want {
			t.Errorf("require(%q, %v) says %+v, want %+v", c.why, c.demanded, got, c.want)
		}
	}
}

func TestRequiredReadsTheEnvironment(t *testing.T) {
	for value, want := range map[string]bool{"": false, "0": false, "1": true, "yes": true} {
		t.Setenv(RequireVariable, value)
		if got := Required(); got != want {
			t.Errorf("Required with %q = %v, want %v", value, got, want)
		}
	}
}
