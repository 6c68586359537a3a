package report

import (
	"bytes"
	"fmt"
	"io"

	"github.com/statespec/statespec/spec/verdict"
)

// Write writes every report of a run into a folder that is not committed yet.
func Write(f *Folder, r verdict.Results) error {
	for _, file := range []struct {
		name  string
		write func(io.Writer, verdict.Results) error
	}{
		{ResultsFile, JSON}, {"junit.xml", JUnit}, {"summary.md", Markdown}, {"badge.svg", Badge},
	} {
		var b bytes.Buffer
		if err := file.write(&b, r); err != nil {
			return fmt.Errorf("%s: %w", file.name, err)
		}
		if err := f.WriteFile(file.name, b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
