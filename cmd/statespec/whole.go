package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// canReplace says why a file could not be written in the end: better before a run than
// after it. What is there is replaced only when it is a regular file, which a device
// and a pipe are not, and empty or ours.
func canReplace(path string, ours func(path string) error) error {
	place, err := resolved(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path) // not opened before: a pipe would wait
	switch {
	case err != nil: // not there, or what follows says why not
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no regular file", path)
	case info.Size() > 0:
		if err := ours(path); err != nil {
			return err
		}
	}
	folder := filepath.Dir(place)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("%s: there is no folder %s, want one that is there", path, folder)
	}
	f, err := beside(place)
	if err != nil {
		return unwritten(path, err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// writeWhole writes a file beside its place and moves it there, so that nobody finds
// half of it.
func writeWhole(path string, write func(io.Writer) error) error {
	place, err := resolved(path)
	if err != nil {
		return err
	}
	f, err := beside(place)
	if err != nil {
		return unwritten(path, err)
	}
	defer os.Remove(f.Name())
	if err := errors.Join(write(f), f.Chmod(0o644), f.Close()); err != nil {
		return unwritten(path, err)
	}
	if err := os.Rename(f.Name(), place); err != nil {
		return unwritten(path, err)
	}
	return nil
}

// unwritten says that a file could not be written, by the name that it was given and
// not by the hidden one under which it was tried.
func unwritten(path string, err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = at.Err
	} else if moved, ok := errors.AsType[*os.LinkError](err); ok {
		err = moved.Err
	}
	return fmt.Errorf("%s cannot be written: %w", path, err)
}

// resolved is the place of a file: what a link leads to, not the link.
func resolved(path string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		return path, nil
	}
	place, err := filepath.EvalSymlinks(path)
	if _, at := os.Stat(path); err != nil && at == nil { // as /dev/stdout may: to no name at all
		return "", fmt.Errorf("%s is no regular file", path)
	}
	if err != nil {
		return "", fmt.Errorf("%s is a link that leads nowhere: %w", path, err)
	}
	return place, nil
}

// beside makes a hidden file beside a place.
func beside(place string) (*os.File, error) {
	return os.CreateTemp(filepath.Dir(place), "."+filepath.Base(place)+"-*")
}

// content writes what is there already.
func content(b []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	}
}
