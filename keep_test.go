package statespec_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestWhatFailedSpecsKeepIsAmongTheArtifactsOfTheTest(t *testing.T) {
	dir := t.TempDir()
	args := []string{"-test.run=TestConformance/EVI-13/linearizable", "-test.v", "-test.outputdir=" + dir}
	env := "OWNER_FAULT=contains what others ask for;OWNER_STRICT=1;OWNER_ONLY=EVI-13.linearizable"
	out, passed := runs(t, env, append(args, "-test.artifacts")...)
	named := regexp.MustCompile(`kept: (artefacts/EVI-13.linearizable/\S+\.html)`).FindStringSubmatch(out)
	if passed || named == nil {
		t.Fatalf("passed %v, want a failure that names a page:\n%s", passed, out)
	}
	is := func(page string) bool { return strings.HasSuffix(page, filepath.FromSlash(named[1])) }
	if found := pages(t, dir); !slices.ContainsFunc(found, is) {
		t.Errorf("pages below the output folder = %q, want %s", found, named[1])
	}

	dir = t.TempDir()
	args[2] = "-test.outputdir=" + dir
	if out, _ := runs(t, env, args...); strings.Contains(out, "kept:") || len(pages(t, dir)) > 0 {
		t.Errorf("without -artifacts %q is kept, want nothing:\n%s", pages(t, dir), out)
	}
}

// pages are the pages below a folder.
func pages(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if filepath.Ext(path) == ".html" {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
