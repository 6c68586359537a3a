//go:build !cuda

package cuda

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWithoutTheTagThereIsNoDevice(t *testing.T) {
	d, err := Open(0)
	if d != nil || !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "built without -tags cuda") {
		t.Fatalf("Open = %v, %v, want %v with the reason", d, err, ErrUnavailable)
	}
	if n := Count(); n != 0 {
		t.Errorf("Count = %d, want 0", n)
	}
	Require(t)
}

func TestWithoutTheTagAGPUIsMentioned(t *testing.T) {
	node := filepath.Join(t.TempDir(), "nvidia0")
	if got, want := unavailable(node), "built without -tags cuda"; got != want {
		t.Errorf("unavailable = %q, want %q", got, want)
	}
	if err := os.WriteFile(node, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := unavailable(node); !strings.HasSuffix(got, "this machine has a GPU: there is "+node) {
		t.Errorf("unavailable = %q, want it to mention the node", got)
	}
}
