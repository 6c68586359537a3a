package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

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
// one. It comes after the result was shown: a disk that is full costs the reports, and
// not what an hour of work found.
func fill(folder *report.Folder, write func(*report.Folder) error) error {
	if folder == nil {
		return nil
	}
	err := write(folder)
	if err == nil {
		err = folder.Commit()
	}
	if err == nil {
		return nil
	}
	// The name under which it was being written is a hidden one, and gone.
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s: %w", filepath.Base(at.Path), at.Err)
	}
	return fmt.Errorf("--out: no report was written: %w", err)
}

// sayReports says where the reports are, to whoever reads the text.
func sayReports(cmd *cobra.Command, path string, asJSON bool) {
	if path != "" && !asJSON {
		fmt.Fprintf(cmd.ErrOrStderr(), "reports: %s\n", line(path))
	}
}
