package run

import (
	"os"

	"github.com/statespec/statespec/spec/op"
)

// Turns is what workers that run side by side have in their environment, so that
// their races do not run at once, and how to clear up after them. Without a
// place for the file they race as they come.
func Turns() (env []string, done func()) {
	f, err := os.CreateTemp("", "statespec-turns-")
	if err != nil {
		return nil, func() {}
	}
	f.Close()
	return []string{op.TurnVar + "=" + f.Name()}, func() { os.Remove(f.Name()) }
}
