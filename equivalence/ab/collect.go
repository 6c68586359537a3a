package ab

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// collect moves what a run left to where it is kept. What a program did to the
// folder that it was given is a fault of the run.
func (o Options) collect(r *Run) error {
	info, err := os.Lstat(o.Out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.Fault = fmt.Sprintf("it removed the folder that $%s names", OutVar)
		return os.Mkdir(r.Dir, 0o755)
	case err != nil:
		return err
	case !info.IsDir():
		r.Fault = fmt.Sprintf("it put something else in the place of the folder that $%s names", OutVar)
		return errors.Join(os.Remove(o.Out), os.Mkdir(r.Dir, 0o755))
	}
	if err := unlock(o.Out); err != nil {
		return err
	}
	return os.Rename(o.Out, r.Dir)
}

// unlock lets the owner into every folder: a folder that is locked can be neither
// moved nor removed.
func unlock(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil || info.Mode().Perm()&0o700 == 0o700 {
			return err
		}
		return os.Chmod(path, info.Mode().Perm()|0o700)
	})
}

// place names the folder of what a run left, as it can be found when all is done.
func (o Options) place(r Run) string {
	rel, err := filepath.Rel(o.Runs, r.Dir)
	switch {
	case err != nil || !filepath.IsLocal(rel):
		return r.Dir // it was kept before
	case o.Kept == "":
		return fmt.Sprintf("run %d (%s)", r.Number, r.Side)
	}
	return filepath.Join(o.Kept, rel)
}

// placed is a text with the folders of runs named so.
func (o Options) placed(text string, runs ...Run) string {
	for _, r := range runs {
		text = strings.ReplaceAll(text, r.Dir, o.place(r))
	}
	return text
}
