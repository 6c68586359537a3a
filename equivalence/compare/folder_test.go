package compare_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/statespec/statespec/equivalence/compare"
)

func names(r *compare.Report) (all []string) {
	for _, a := range r.Artefacts {
		all = append(all, a.Name)
	}
	return all
}

func TestFoldersAreComparedFileByFile(t *testing.T) {
	a := folder(t, map[string][]byte{"x/step_10.npy": floats(1), "x/step_9.npy": floats(1), "only_a.npy": floats(1), "log.txt": []byte("a"), "same.npy": floats(2)})
	b := folder(t, map[string][]byte{"x/step_10.npy": floats(2), "x/step_9.npy": floats(1), "only_b.npy": floats(1), "log.txt": []byte("b"), "same.npy": floats(2), "b.json": nil})
	r := paths(t, a, b, compare.Options{})
	if want := []string{"only_a.npy", "only_b.npy", "same.npy", "x/step_9.npy", "x/step_10.npy"}; !slices.Equal(names(r), want) {
		t.Errorf("artefacts = %q, want %q", names(r), want)
	}
	var problems []string
	for _, x := range r.Artefacts {
		problems = append(problems, x.Problem)
	}
	if want := []string{"missing in B", "missing in A", "", "", ""}; !slices.Equal(problems, want) {
		t.Errorf("problems = %q, want %q", problems, want)
	}
	if want := []string{"b.json (missing in A)", "log.txt"}; !slices.Equal(r.NotJudged, want) {
		t.Errorf("not judged = %q, want %q", r.NotJudged, want)
	}
	if r.Equal {
		t.Error("the folders are equal, want divergent")
	}
}

func TestBytesAreComparedWhereAGlobNamesThem(t *testing.T) {
	a := folder(t, map[string][]byte{"log.txt": []byte("one two"), "deep/x.bin": []byte("ab"), "y.dat": []byte("same")})
	b := folder(t, map[string][]byte{"log.txt": []byte("one six"), "deep/x.bin": []byte("abc"), "y.dat": []byte("same")})
	r := paths(t, a, b, compare.Options{Bytes: []string{"*.txt", "deep/*", "y.*"}})
	if len(r.Artefacts) != 3 || len(r.NotJudged) != 0 {
		t.Fatalf("Paths = %+v, want three artefacts", r)
	}
	bin, log, dat := r.Artefacts[0], r.Artefacts[1], r.Artefacts[2]
	if bin.Problem != "shape differs: [2] against [3]" || log.Different != 3 || log.First.Index[0] != 4 || !dat.Equal {
		t.Errorf("Paths = %+v, want another length, three bytes from 4 on, and an equal file", r.Artefacts)
	}
	if _, err := compare.Paths(t.Context(), a, b, compare.Options{Bytes: []string{"*.jsn"}}); err == nil || !strings.Contains(err.Error(), `"*.jsn" names no file`) {
		t.Errorf("Paths with a glob that matches nothing = %v, want an error", err)
	}
}

func TestWhatIsIgnoredIsPassedOver(t *testing.T) {
	a := folder(t, map[string][]byte{"x.npy": floats(1), "tmp/y.npy": floats(1), "z.log": nil})
	b := folder(t, map[string][]byte{"x.npy": floats(1), "tmp/y.npy": floats(2)})
	if r := paths(t, a, b, compare.Options{Ignore: []string{"tmp/*", "*.log"}}); !r.Equal || len(r.Artefacts) != 1 || len(r.NotJudged) != 0 {
		t.Errorf("Paths = %+v, want one equal artefact and nothing else", r)
	}
}

func TestNothingComparedIsNotEqual(t *testing.T) {
	a, b := folder(t, map[string][]byte{"a.txt": nil}), folder(t, map[string][]byte{"a.txt": nil})
	if r := paths(t, a, b, compare.Options{}); r.Equal || len(r.Artefacts) != 0 || r.Verdict() != "nothing compared" {
		t.Errorf("Paths = %+v, want no artefacts, and not equal", r)
	}
}

const ordered = `{"artefacts": ["z.npy", {"file": "b.npy", "axes": ["step", "channel"]}, {"name": "a.npy", "axes": ["step"]}, "gone.npy"], "seed": 1}`

func TestAManifestOrdersNamesAndPromises(t *testing.T) {
	two := func(v ...float32) []byte { return array("<f4", "False", "(3, 2)", floatBytes(v...)) }
	files := map[string][]byte{"manifest.json": []byte(ordered), "a.npy": floats(1, 1, 1), "b.npy": two(0, 0, 0, 0, 0, 0), "c.npy": floats(1), "z.npy": floats(1)}
	a := folder(t, files)
	files["b.npy"] = two(0, 0, 0, 0, 0, 1)
	files["a.npy"] = floats(1, 2, 2)
	b := folder(t, files)
	r := paths(t, a, b, compare.Options{})
	if want := []string{"z.npy", "b.npy", "a.npy", "gone.npy", "c.npy"}; !slices.Equal(names(r), want) {
		t.Fatalf("artefacts = %q, want %q", names(r), want)
	}
	if got := r.Artefacts[3].Problem; got != "missing on both sides, though a manifest names it" {
		t.Errorf("gone.npy: %q, want that it is missing", got)
	}
	if got := r.Artefacts[1].Axes[0].String(); got != "0 (step), 3 long: only index 2" {
		t.Errorf("axis 0 of b.npy: %q, want its name", got)
	}
	if !slices.Equal(r.NotJudged, []string{"manifest.json"}) {
		t.Errorf("not judged = %q, want the manifest", r.NotJudged)
	}
}

// By step, a.npy parts first, at step 1, when b.npy before it is equal still.
func TestTheFirstThatDiffersIsTheFirstByStep(t *testing.T) {
	manifest := []byte(`{"artefacts": [{"file": "b.npy", "axes": ["step"]}, {"file": "a.npy", "axes": ["step"]}]}`)
	a := folder(t, map[string][]byte{"manifest.json": manifest, "a.npy": floats(1, 1, 1), "b.npy": floats(1, 1, 1)})
	for _, row := range []struct {
		a, b          []byte
		first, before string
	}{
		{floats(1, 2, 1), floats(1, 1, 2), "a.npy", "b.npy"},
		{floats(1, 2, 1), floats(1, 2, 1), "b.npy", "a.npy"}, // of the step before
		{floats(2, 1, 1), floats(2, 1, 1), "b.npy", ""},
		{floats(1, 1, 1), floats(1, 2, 1), "b.npy", "a.npy"},
	} {
		r := paths(t, a, folder(t, map[string][]byte{"manifest.json": manifest, "a.npy": row.a, "b.npy": row.b}), compare.Options{})
		before := ""
		if x := r.LastEqualBefore(); x != nil {
			before = x.Name
		}
		if got := r.FirstDifferent(); got == nil || got.Name != row.first || before != row.before {
			t.Errorf("the first is %v, before it %q, want %s, %q", got, before, row.first, row.before)
		}
	}
	if r := paths(t, a, a, compare.Options{}); r.FirstDifferent() != nil || r.LastEqualBefore() != nil {
		t.Errorf("of equal folders the first that differs = %v, want none", r.FirstDifferent())
	}
}

func TestStepsAndRanksInNamesOrderFiles(t *testing.T) {
	files := map[string][]byte{}
	for _, name := range []string{"rank1/step_2.npy", "rank0/step_10.npy", "rank0/step_2.npy", "rank10/step_2.npy", "config.npy"} {
		files[name] = floats(1)
	}
	dir := folder(t, files)
	want := []string{"config.npy", "rank0/step_2.npy", "rank1/step_2.npy", "rank10/step_2.npy", "rank0/step_10.npy"}
	if got := names(paths(t, dir, dir, compare.Options{})); !slices.Equal(got, want) {
		t.Errorf("artefacts = %q, want %q", got, want)
	}
}

func TestAManifestOfSomebodyElseIsNoted(t *testing.T) {
	for _, text := range []string{"{", "[]", "{}", `{"artefacts": ["../x.npy"]}`, `{"artefacts": [""]}`, `{"artefacts": 3}`} {
		dir := folder(t, map[string][]byte{"manifest.json": []byte(text), "a.npy": floats(1)})
		r := paths(t, dir, dir, compare.Options{})
		if !r.Equal || len(r.Notes) != 2 || !strings.Contains(r.Notes[0], "says nothing of an order") {
			t.Errorf("manifest %s: Paths = %+v, want a note for each side", text, r)
		}
	}
}

func TestLinksAreFollowedWithinTheFolderOnly(t *testing.T) {
	outside := folder(t, map[string][]byte{"x.npy": floats(1)})
	dir := folder(t, map[string][]byte{"a.npy": floats(1), "sub/b.npy": floats(1)})
	link := func(to string) string {
		path := filepath.Join(dir, "link.npy")
		os.Remove(path)
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
		return to
	}
	link("a.npy")
	if r := paths(t, dir, dir, compare.Options{}); len(r.Artefacts) != 3 {
		t.Errorf("artefacts = %q, want the link's too", names(r))
	}
	for _, to := range []string{filepath.Join(outside, "x.npy"), "../../x.npy", "nothing", "sub", "link.npy"} {
		if _, err := compare.Paths(t.Context(), dir, dir, compare.Options{}); err != nil {
			t.Fatal(err)
		}
		_, err := compare.Paths(t.Context(), dir, func() string { link(to); return dir }(), compare.Options{})
		if err == nil || !strings.Contains(err.Error(), "link") {
			t.Errorf("Paths with a link to %s = %v, want a refusal", to, err)
		}
		link("a.npy")
	}
}

func TestWhatCannotBeReadIsAnErrorThatNamesIt(t *testing.T) {
	good := folder(t, map[string][]byte{"a.npy": floats(1)})
	bad := folder(t, map[string][]byte{"a.npy": floats(1)[:130]})
	file := filepath.Join(good, "a.npy")
	fifo := filepath.Join(t.TempDir(), "a.npy")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ a, b, says string }{
		{good, bad, "the data end here"},
		{file, filepath.Join(bad, "a.npy"), "the data end here"},
		{good, file, "is a folder"},
		{good, filepath.Join(good, "none"), "no such file"},
		{file, fifo, "no regular file"},
		{good, filepath.Dir(fifo), "no regular file"},
		{filepath.Join(folder(t, map[string][]byte{"a.txt": nil}), "a.txt"), file, "a format that is not read"},
	} {
		if _, err := compare.Paths(t.Context(), row.a, row.b, compare.Options{}); err == nil || !strings.Contains(err.Error(), row.says) {
			t.Errorf("Paths(%s, %s) = %v, want an error that says %q", row.a, row.b, err, row.says)
		}
	}
}

func TestOptionsThatMakeNoSenseAreRefused(t *testing.T) {
	dir := folder(t, map[string][]byte{"a.npy": floats(1)})
	for says, o := range map[string]compare.Options{`glob "["`: {Bytes: []string{"["}}, `glob "[a"`: {Ignore: []string{"[a"}}, "tolerance -1": {AbsTol: -1}} {
		if _, err := compare.Paths(t.Context(), dir, dir, o); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("Paths(%+v) = %v, want an error that says %q", o, err, says)
		}
	}
}
