//go:build python

package artefact_test

import (
	"os"
	"testing"
)

// What numpy, torch and ml_dtypes write is read as they say. ci/python.sh runs
// their part, and this.
func TestFilesOfPythonHoldWhatPythonSays(t *testing.T) {
	dir := os.Getenv("STATESPEC_PYTHON_FILES")
	if dir == "" {
		t.Fatal("STATESPEC_PYTHON_FILES is not set: run ci/python.sh")
	}
	if n := checkWritten(t, dir); n < 400 {
		t.Errorf("%d values were read, want 400 or more", n)
	}
}
