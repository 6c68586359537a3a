package main

import (
	"io"

	"github.com/statespec/statespec/spec/report"
)

// keeper makes the files that specs keep, in a run's folder; nil for a run
// without one, which keeps nothing.
func keeper(folder *report.Folder) func(name string) (io.WriteCloser, error) {
	if folder == nil {
		return nil
	}
	return folder.Create
}
