package regular_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/statespec/statespec/spec/regular"
)

func TestAFileIsReadUpToItsBound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := regular.Read(path, 5); string(got) != "12345" || err != nil {
		t.Errorf("Read of 5 bytes, at most 5 = %q, %v", got, err)
	}
	if _, err := regular.Read(path, 4); err == nil || !strings.Contains(err.Error(), "has 5 bytes, want at most 4") {
		t.Errorf("Read of 5 bytes, at most 4 = %v", err)
	}
	if _, err := regular.Read(filepath.Dir(path), 5); !errors.Is(err, regular.ErrNoFile) {
		t.Errorf("Read of a folder = %v, want that it is no file", err)
	}
}
