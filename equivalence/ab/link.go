package ab

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// linkTree makes a folder with the files of another one, which share their bytes
// with it where the file system can do that.
func linkTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		place := filepath.Join(to, rel)
		switch {
		case d.IsDir():
			return os.Mkdir(place, 0o755)
		case d.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			return errors.Join(err, os.Symlink(target, place))
		}
		return linkFile(path, place)
	})
}

// linkFile makes a file of the same content: a second name of it or, on another
// file system, a copy.
func linkFile(from, to string) (err error) {
	if os.Link(from, to) == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
