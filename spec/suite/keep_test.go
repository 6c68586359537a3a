package suite_test

import (
	"io"
	"testing"

	"github.com/statespec/statespec/spec/suite"
)

func TestAFileIsKeptUnderAPlainNameOnly(t *testing.T) {
	for _, name := range []string{"", ".", "..", "a/b.html", "../a", `a\b`, "-a", ".hidden", "a b", "é"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Keep(%q) = success, want a panic: it is no plain file name", name)
				}
			}()
			suite.Keep(name, func(io.Writer) error { return nil })
		}()
	}
}
