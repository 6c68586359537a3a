package ab

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// occupied counts the files under a folder and their bytes. Its error is of what
// cannot be read; what would keep a reader waiting, as a named pipe, is one.
func occupied(dir string) (files int, bytes int64, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if at, err := os.Stat(path); err == nil && !at.Mode().IsRegular() && !at.IsDir() {
			return fmt.Errorf("%s: no regular file", path)
		}
		files++
		bytes += info.Size()
		return nil
	})
	return files, bytes, err
}

// room tells, after the first run, what the others will need, and refuses to go
// on where the disk has not got it: a disk that fills up half way through leaves
// files cut short.
func (o Options) room(first Run, more int) error {
	need := first.Bytes * int64(more)
	free, known := freeBytes(o.Runs)
	if !known {
		o.say("%s a run, %s for %d more", size(first.Bytes), size(need), more)
		return nil
	}
	o.say("%s a run, %s for %d more, %s free", size(first.Bytes), size(need), more, size(free))
	if need > free {
		return fmt.Errorf("%d more runs need %s like the first, and %s are free where --out is", more, size(need), size(free))
	}
	return nil
}

// size is a number of bytes to read.
func size(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}
