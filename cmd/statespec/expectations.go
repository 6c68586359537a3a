package main

import (
	"fmt"

	"github.com/statespec/statespec/spec/expect"
	"github.com/statespec/statespec/spec/verdict"
)

// writable says why a file could not be written in the end.
func writable(path string, whole bool) error {
	return canReplace(path, func(path string) error { return ours(path, whole) })
}

// ours says why a file that is there may not be replaced: it is not ours, or a
// run of part of the catalogue knows nothing of its other entries.
func ours(path string, whole bool) error {
	file, err := expect.Read(path)
	if err != nil {
		return fmt.Errorf("it is there, and no expectation file to be replaced: %w", err)
	}
	if !whole && len(file.Entries) > 0 {
		return fmt.Errorf("%s has %d entries, and those of rows that this run does not ask would be lost: write a new file, or run without --only and --shard", path, len(file.Entries))
	}
	return nil
}

// writeExpectations writes an expectation file of what a run found broken: whole,
// or not at all.
func writeExpectations(path string, r verdict.Results) error {
	text, err := expect.Write(r)
	if err == nil {
		err = writeWhole(path, content(text))
	}
	if err != nil {
		return fmt.Errorf("--write-expect: %w", err)
	}
	return nil
}
