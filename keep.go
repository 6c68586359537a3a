package statespec

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// keeper makes the files that specs keep where go test keeps those of tests;
// nil without its -artifacts, when nothing is kept.
func keeper(t *testing.T) func(name string) (io.WriteCloser, error) {
	if lookup("test.artifacts") != "true" {
		return nil
	}
	dir := t.ArtifactDir()
	return func(name string) (io.WriteCloser, error) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	}
}
