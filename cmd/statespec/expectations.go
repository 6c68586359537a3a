package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/statespec/statespec/spec/expect"
	"github.com/statespec/statespec/spec/verdict"
)

// writable says why a file could not be written in the end: better before a run
// than after it.
func writable(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// writeExpectations writes an expectation file of what a run found broken: whole,
// or not at all.
func writeExpectations(path string, r verdict.Results) error {
	content, err := expect.Write(r)
	if err != nil {
		return fmt.Errorf("--write-expect: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return fmt.Errorf("--write-expect: %w", err)
	}
	defer os.Remove(f.Name())
	if _, err = f.Write(content); err == nil {
		err = f.Chmod(0o644)
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("--write-expect: %w", err)
	}
	return nil
}
