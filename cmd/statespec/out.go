package main

import (
	"fmt"

	"github.com/statespec/statespec/spec/report"
)

// openOut makes the folder of --out ready. Where none is wanted it is nil, of
// which nothing has to be discarded.
func openOut(path string) (*report.Folder, error) {
	if path == "" {
		return nil, nil
	}
	folder, err := report.OpenFolder(path)
	if err != nil {
		return nil, usage(fmt.Errorf("--out: %w", err))
	}
	return folder, nil
}

// fill writes a run's reports and puts the folder in its place, where there is
// one.
func fill(folder *report.Folder, write func(*report.Folder) error) error {
	if folder == nil {
		return nil
	}
	if err := write(folder); err != nil {
		return err
	}
	return folder.Commit()
}
