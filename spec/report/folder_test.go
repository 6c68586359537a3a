package report_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/statespec/statespec/spec/report"
	"github.com/statespec/statespec/spec/verdict"
)

// open opens a folder and closes it with the test.
func open(t *testing.T, path string) *report.Folder {
	t.Helper()
	f, err := report.OpenFolder(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Discard() })
	return f
}

// results writes a run with one file into a folder.
func results(t *testing.T, path, name, content string) {
	t.Helper()
	f := open(t, path)
	if err := f.WriteFile(name, []byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
}

// tree lists the files under a folder, with slashes.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	files := []string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			files = append(files, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	return files
}

func wantTree(t *testing.T, dir string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), tree(t, dir)); diff != "" {
		t.Errorf("files of %s (-want +got):\n%s", filepath.Base(dir), diff)
	}
}

func TestAFolderHasTheReportsOfARunAndItsMarker(t *testing.T) {
	dir := t.TempDir()
	f := open(t, filepath.Join(dir, "missing", "parents", "out")+"/")
	if err := report.Write(f, verdict.Fold(sample())); err != nil {
		t.Fatal(err)
	}
	if err := f.WriteFile("transcripts/EVI-02.jsonl", nil); err != nil {
		t.Fatal(err)
	}
	wantAbsent(t, filepath.Join(dir, "missing", "parents", "out"))
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return "missing/parents/out/" + name }
	wantTree(t, dir, in(report.Marker), in("badge.svg"), in("junit.xml"), in("results.json"), in("summary.md"), in("transcripts/EVI-02.jsonl"))
	if runtime.GOOS != "windows" {
		info, err := os.Stat(filepath.Join(dir, in("")))
		if err != nil || info.Mode().Perm() != 0o755 {
			t.Errorf("mode = %v, %v, want 0755: others read a CI job's files", info.Mode(), err)
		}
	}
}

func TestEarlierResultsNeverStandForThisRun(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	results(t, out, "earlier.txt", "old")

	f := open(t, out)
	wantAbsent(t, out) // from here on, however the run ends
	if err := f.WriteFile("now.txt", []byte("new")); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	wantTree(t, out, report.Marker, "now.txt")
}

func TestADiscardedRunLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	f := open(t, filepath.Join(dir, "out"))
	if err := f.WriteFile("half.txt", nil); err != nil {
		t.Fatal(err)
	}
	if err := f.Discard(); err != nil {
		t.Fatal(err)
	}
	wantTree(t, dir)
	if err := f.WriteFile("more.txt", nil); err == nil {
		t.Error("WriteFile after Discard = nil, want an error")
	}
	if err := f.Commit(); err == nil {
		t.Error("Commit after Discard = nil, want an error")
	}
}

func TestDiscardAfterCommitDoesNothing(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	f := open(t, out)
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := f.Discard(); err != nil {
		t.Fatal(err)
	}
	wantTree(t, out, report.Marker)
}

func TestAnEmptyFolderIsTaken(t *testing.T) {
	out := t.TempDir()
	results(t, out, "a.txt", "")
	wantTree(t, out, report.Marker, "a.txt")
}

func TestALinkToAFolderIsFollowed(t *testing.T) {
	dir := t.TempDir()
	link(t, filepath.Join(dir, "real"), filepath.Join(dir, "out"))
	if err := os.Mkdir(filepath.Join(dir, "real"), 0o755); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		results(t, filepath.Join(dir, "out"), "a.txt", "")
	}
	wantTree(t, filepath.Join(dir, "real"), report.Marker, "a.txt")
	if info, err := os.Lstat(filepath.Join(dir, "out")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("out = %v, %v, want still a link", info, err)
	}
}

func TestAFolderThatIsNotOursIsRefusedAndLeftAlone(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "foreign", "thesis.tex")
	if err := os.Mkdir(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("years of work"), 0o644); err != nil {
		t.Fatal(err)
	}
	link(t, filepath.Join(dir, "nowhere"), filepath.Join(dir, "dangling"))
	link(t, filepath.Join(dir, "foreign"), filepath.Join(dir, "link"))
	fake := filepath.Join(dir, "fake")
	if err := os.MkdirAll(filepath.Join(fake, report.Marker), 0o755); err != nil {
		t.Fatal(err)
	}
	before := tree(t, dir)
	for path, want := range map[string]string{
		filepath.Join(dir, "foreign"):       "is not ours: it holds thesis.tex and no " + report.Marker + ", want a new folder, an empty one or earlier results",
		filepath.Join(dir, "foreign") + "/": "is not ours",
		filepath.Join(dir, "link"):          "is not ours",
		fake:                                "is not ours", // its marker is a folder
		file:                                "is a file, want a folder",
		filepath.Join(file, "out"):          "not a directory",
		filepath.Join(dir, "dangling"):      "is a link that leads nowhere",
		"":                                  "it is empty, want a folder",
		"  ":                                "it is empty, want a folder",
		".":                                 "is the current folder or above it",
		"..":                                "is the current folder or above it",
		"/":                                 "is the current folder or above it",
	} {
		f, err := report.OpenFolder(path)
		if err == nil {
			_ = f.Discard()
			t.Errorf("OpenFolder(%q) = nil, want %s", path, want)
			continue
		}
		if !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), strings.TrimSpace(path)) {
			t.Errorf("OpenFolder(%q) = %v, want %s", path, err, want)
		}
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("files (-before +after):\n%s", diff)
	}
}

func TestAPlaceThatCannotBeWrittenIsRefusedBeforeTheRun(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc, which not even root can write to")
	}
	for _, path := range []string{"/proc/statespec/out", "/proc/statespec"} {
		if f, err := report.OpenFolder(path); err == nil || !strings.HasPrefix(err.Error(), path+": cannot ") {
			t.Errorf("OpenFolder(%s) = %v, %v, want cannot make or write", path, f, err)
		}
	}
}

// Of two runs at once the last one stays, whole.
func TestTwoRunsOfOneFolderDoNotMix(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	first, second := open(t, out), open(t, out)
	for name, f := range map[string]*report.Folder{"first.txt": first, "second.txt": second} {
		if err := f.WriteFile(name, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := first.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := second.Commit(); err != nil {
		t.Errorf("second Commit = %v", err)
	}
	wantTree(t, dir, "out/"+report.Marker, "out/second.txt")
}

// What somebody put beside our files is not ours to take away.
func TestAFileOfSomebodyElsesAmongOursIsKept(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	f := open(t, out)
	if err := errors.Join(f.WriteFile("ours.txt", nil), f.WriteFile("deep/ours.txt", nil), f.Commit()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(out, "deep", "notes.md"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := report.OpenFolder(out); err == nil || !strings.Contains(err.Error(), filepath.Join("deep", "notes.md")) {
		t.Errorf("OpenFolder = %v, want deep/notes.md named", err)
	}
	wantTree(t, dir, "out/"+report.Marker, "out/deep/notes.md", "out/deep/ours.txt", "out/ours.txt")
}

func TestAFileOfARunIsWithinItsFolder(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "out"))
	for _, name := range []string{"../a", "/a", "a/../../b", "", report.Marker} {
		if err := f.WriteFile(name, nil); err == nil {
			t.Errorf("WriteFile(%q) = nil, want an error", name)
		}
	}
}

func wantAbsent(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		t.Errorf("%s exists (%v), want nothing there", filepath.Base(path), err)
	}
}

func link(t *testing.T, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Skipf("no links here: %v", err)
	}
}
