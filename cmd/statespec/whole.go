package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// canWrite says why a file could not be written in the end: better before a run than
// after it.
func canWrite(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return errors.New(path + " is a folder, want a file")
	}
	folder := filepath.Dir(path)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("%s: there is no folder %s, want one that is there", path, folder)
	}
	f, err := os.CreateTemp(folder, "."+filepath.Base(path)+"-*")
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// writeWhole writes a file beside its place and moves it there, so that nobody finds
// half of it.
func writeWhole(path string, write func(io.Writer) error) error {
	if target, err := filepath.EvalSymlinks(path); err == nil { // what a link leads to, not the link
		path = target
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := errors.Join(write(f), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// content writes what is there already.
func content(b []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	}
}
