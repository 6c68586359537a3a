package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/statespec/statespec/spec/verdict"
)

// A file that is written replaces one of its kind, and nothing else. A pipe that was
// opened would wait for somebody at its other end.
func TestWhatIsNoRegularFileIsNeverReplaced(t *testing.T) {
	folder := t.TempDir()
	pipe, toPipe, toNothing := filepath.Join(folder, "pipe"), filepath.Join(folder, "to-pipe"), filepath.Join(folder, "to-nothing")
	for _, err := range []error{syscall.Mkfifo(pipe, 0o600), os.Symlink(pipe, toPipe), os.Symlink("nothing", toNothing)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	same := artefacts(t, map[string]string{"x.npy": bytesFile("abc")})
	for _, command := range [][]string{
		{"bench", "--in-process", "--count", "1", "--time", "1ms", "--only", "^AttrRead", "--out"},
		{"run", "--only", "EVI-20", "--write-expect"},
		{"diff", same, same, "--html"},
	} {
		for path, says := range map[string]string{pipe: "pipe is no regular file", toPipe: "to-pipe is no regular file", toNothing: "leads nowhere"} {
			before, _ := os.Lstat(path)
			got := statespec(t, "", append(command, path)...)
			after, err := os.Lstat(path)
			if got.exit != verdict.Unusable || !strings.Contains(got.stderr, says) || err != nil || !os.SameFile(before, after) {
				t.Errorf("%s %s: exit %d, %q, want %d and %q, and it left as it is: %v", strings.Join(command, " "), path, got.exit, got.stderr, verdict.Unusable, says, err)
			}
		}
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 3 {
		t.Errorf("beside them: %v, %v, want nothing", left, err)
	}
}

// A link leads to where the file is written.
func TestAFileIsWrittenWhereALinkLeads(t *testing.T) {
	folder := t.TempDir()
	file, link := filepath.Join(folder, "new.txt"), filepath.Join(t.TempDir(), "link")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	got := statespec(t, "", "bench", "--in-process", "--count", "1", "--time", "1ms", "--only", "^AttrRead", "--out", link)
	text, err := os.ReadFile(file)
	if info, _ := os.Lstat(link); got.exit != verdict.AsExpected || err != nil || info.Mode()&fs.ModeSymlink == 0 || !strings.Contains(string(text), "BenchmarkAttrRead") {
		t.Errorf("exit %d, %s, %v: want the recording in %s, and the link as it is\n%s", got.exit, got.stderr, err, file, text)
	}
}
