package report

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/statespec/statespec/spec/regular"
)

// Marker is the file by which a folder of results is known to be ours.
const Marker = ".statespec-results"

const markerText = "A folder of results of statespec. The next run with this --out replaces these files:\n"

// A Folder is the --out folder of one run while the run goes on. What is written
// goes to a hidden folder beside it, which Commit puts in its place with one
// rename.
//
//	OpenFolder   takes the earlier run's results away
//	Create       a file of this run
//	Room         a folder of this run that others write into
//	Commit       or Discard, always one of them
//
// At no time does the place hold results that could be taken for this run's and
// are not: from OpenFolder to Commit it does not exist, however the run ends. A
// process that is killed leaves the hidden folder behind, never the place.
type Folder struct {
	place string // where the results will be: absolute, links followed
	temp  string // where they are now; empty once committed or discarded
}

// OpenFolder makes an --out folder ready. It takes a folder that is absent (with
// its parents), empty, or one of ours, which it removes. A foreign folder, a
// file and a place that cannot be written are refused, and left as they are.
//
// It is the last thing to do before a run starts: after it, the earlier results
// are gone.
func OpenFolder(path string) (*Folder, error) {
	place, err := resolve(path)
	if err != nil {
		return nil, err
	}
	if err := replaceable(path, place); err != nil {
		return nil, err
	}
	parent, name := filepath.Split(place)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, fmt.Errorf("%s: cannot make the folder that it is in: %w", path, err)
	}
	temp, err := os.MkdirTemp(parent, "."+name+".partial-")
	if err != nil {
		return nil, fmt.Errorf("%s: cannot write beside it: %w", path, err)
	}
	f := &Folder{place: place, temp: temp}
	if err := f.prepare(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Discard())
	}
	return f, nil
}

// prepare readies the hidden folder, then clears the place.
func (f *Folder) prepare() error {
	if err := os.Chmod(f.temp, 0o755); err != nil { // MkdirTemp's are for the owner alone
		return err
	}
	return f.clear()
}

// clear takes away what is at the place. It is renamed first, so that it is gone
// at once however long its removal takes.
func (f *Folder) clear() error {
	old := filepath.Join(f.temp, "earlier")
	err := os.Rename(f.place, old)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("cannot take the earlier results away (is it a mount point? then give a folder in it): %w", err)
	}
	return os.RemoveAll(old)
}

// resolve makes a path absolute and follows a link at its end.
func resolve(path string) (string, error) {
	if strings.TrimSpace(path) == "" {
		return "", fmt.Errorf("it is empty, want a folder")
	}
	place, err := filepath.Abs(path) // which cleans: "out/" is "out"
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	info, err := os.Lstat(place)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return place, nil
	}
	target, err := filepath.EvalSymlinks(place)
	if err != nil {
		return "", fmt.Errorf("%s is a link that leads nowhere: %w", path, err)
	}
	return target, nil
}

// replaceable says why a place may not be replaced.
func replaceable(path, place string) error {
	if here, err := os.Getwd(); err == nil && within(here, place) {
		return fmt.Errorf("%s is the current folder or above it, want a folder of its own", path)
	}
	info, err := os.Stat(place)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", path, err)
	case !info.IsDir():
		return fmt.Errorf("%s is a file, want a folder", path)
	}
	entries, err := os.ReadDir(place)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if len(entries) == 0 {
		return nil
	}
	marker, err := regular.Read(filepath.Join(place, Marker), maxMarker)
	if err != nil {
		return fmt.Errorf("%s is not ours: it holds %s and no %s, want a new folder, an empty one or earlier results",
			path, entries[0].Name(), Marker)
	}
	foreign, err := beside(place, strings.Split(string(marker), "\n"))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if foreign != "" {
		return fmt.Errorf("%s holds %s, which no run wrote and which would be lost: move it away, or choose another folder", path, foreign)
	}
	return nil
}

// maxMarker bounds a marker, in bytes: a line for each file of a run.
const maxMarker = 64 << 20

// beside is the first file of a folder that is not among its marker's names;
// empty when there is none.
func beside(place string, ours []string) (foreign string, err error) {
	err = filepath.WalkDir(place, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(place, path)
		if err == nil && name != Marker && !slices.Contains(ours, filepath.ToSlash(name)) {
			foreign = name
			return filepath.SkipAll
		}
		return err
	})
	return foreign, err
}

// within says whether a path is a folder or in it, links followed.
func within(path, folder string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// Create makes a new file of the run, in folders of the run if its name has
// slashes.
func (f *Folder) Create(name string) (io.WriteCloser, error) {
	switch {
	case f.temp == "":
		return nil, fmt.Errorf("%s: the folder is closed", name)
	case !filepath.IsLocal(filepath.FromSlash(name)) || name == Marker:
		return nil, fmt.Errorf("%s: not a name within the folder", name)
	}
	path := filepath.Join(f.temp, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	return synced{file}, nil
}

// synced is a file that is on the disk once it is closed.
type synced struct{ *os.File }

func (s synced) Close() error { return errors.Join(s.Sync(), s.File.Close()) }

// Room makes a folder of the run for others to write into, and returns its path,
// which holds until Commit. What is in it then is the run's.
func (f *Folder) Room(name string) (path string, err error) {
	switch {
	case f.temp == "":
		return "", fmt.Errorf("%s: the folder is closed", name)
	case !filepath.IsLocal(filepath.FromSlash(name)):
		return "", fmt.Errorf("%s: not a name within the folder", name)
	}
	path = filepath.Join(f.temp, filepath.FromSlash(name))
	return path, os.MkdirAll(path, 0o755)
}

// Place is where the folder will be, an absolute path.
func (f *Folder) Place() string { return f.place }

// WriteFile makes a new file of the run with some content.
func (f *Folder) WriteFile(name string, content []byte) error {
	w, err := f.Create(name)
	if err != nil {
		return err
	}
	_, err = w.Write(content)
	return errors.Join(err, w.Close())
}

// Commit puts the folder in its place. If it cannot, nothing is there.
func (f *Folder) Commit() error {
	if f.temp == "" {
		return fmt.Errorf("%s: committed or discarded already", f.place)
	}
	names, err := f.names()
	if err == nil {
		marker := markerText + strings.Join(names, "\n") + "\n"
		err = os.WriteFile(filepath.Join(f.temp, Marker), []byte(marker), 0o644)
	}
	for range commitTries {
		if err != nil {
			break
		}
		if err = os.Rename(f.temp, f.place); err == nil {
			f.temp = ""
			return syncDir(filepath.Dir(f.place))
		}
		// Another run has written there meanwhile: the last one stays.
		if err = replaceable(f.place, f.place); err == nil {
			err = f.clear()
		}
	}
	if err == nil {
		err = errors.New("other runs keep writing there")
	}
	return errors.Join(fmt.Errorf("%s: %w", f.place, err), f.Discard())
}

// names are the files of the run, whoever wrote them.
func (f *Folder) names() (names []string, err error) {
	err = filepath.WalkDir(f.temp, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(f.temp, path)
		names = append(names, filepath.ToSlash(name))
		return err
	})
	return names, err
}

// commitTries is how often a folder that others write as well is replaced before
// this run gives up.
const commitTries = 20

// syncDir makes a rename last. Not every file system lets a folder be synced, and
// the results are whole without it.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	_ = d.Sync()
	return d.Close()
}

// Discard removes what was written. After Commit, and of no folder, it does
// nothing, so that it can be deferred.
func (f *Folder) Discard() error {
	if f == nil || f.temp == "" {
		return nil
	}
	temp := f.temp
	f.temp = ""
	return os.RemoveAll(temp)
}
