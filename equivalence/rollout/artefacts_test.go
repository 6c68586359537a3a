package rollout

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/equivalence/npy"
	"github.com/statespec/statespec/reference/config"
	"github.com/statespec/statespec/reference/dtype"
)

// plainFolder is a folder of the file system.
type plainFolder string

func (f plainFolder) Create(name string) (io.WriteCloser, error) {
	path := filepath.Join(string(f), name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	return os.Create(path)
}

// kept runs a rollout into a new folder and returns it.
func kept(t *testing.T, path string, o Options, dumpAt int) string {
	t.Helper()
	dir := t.TempDir()
	r := must[*Rollout](t)(New(resolved(path), o))
	a := must[*Artefacts](t)(NewArtefacts(plainFolder(dir), r.Options(), dumpAt))
	err := r.Run(t.Context(), a.Step)
	if err == nil {
		err = r.Videos(a.Video)
	}
	if err == nil {
		m := r.Manifest(nil, resolved(path), []string{"OMNI_DIFFUSION_SESSION_STATE_MANAGER=1", "TOKEN=secret"})
		err = a.Close(m, r.Witness(m, "a test decides"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// array reads a file and returns its shape and data.
func array(t *testing.T, path string) (npy.Header, []byte) {
	t.Helper()
	b := must[[]byte](t)(os.ReadFile(path))
	h, err := npy.ReadHeader(strings.NewReader(string(b)), int64(len(b)))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return h, b[h.Data:]
}

func parse[T any](t *testing.T, path string) (v T) {
	t.Helper()
	if err := json.Unmarshal(must[[]byte](t)(os.ReadFile(path)), &v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return v
}

func TestTheArtefactsOfBothPathsAreTheSameFiles(t *testing.T) {
	o := Options{Profile: Tiny, Seed: 1, Steps: 40, DType: dtype.Float32}
	managed, bespoke := kept(t, dreamzero.ManagedPath, o, 30), kept(t, dreamzero.BespokePath, o, 30)
	m := parse[Manifest](t, filepath.Join(managed, ManifestFile))
	if want := 7 + Entries + 23; len(m.Artefacts) != want { // 23 sessions served
		t.Errorf("the manifest lists %d artefacts, want %d", len(m.Artefacts), want)
	}
	for _, listed := range m.Artefacts {
		a, b := must[[]byte](t)(os.ReadFile(filepath.Join(managed, listed.File))), must[[]byte](t)(os.ReadFile(filepath.Join(bespoke, listed.File)))
		if !slices.Equal(a, b) {
			t.Errorf("%s differs between the paths", listed.File)
		}
		h, _ := array(t, filepath.Join(managed, listed.File))
		if len(h.Shape) != len(listed.Axes) {
			t.Errorf("%s has shape %v, and axes %q in the manifest", listed.File, h.Shape, listed.Axes)
		}
	}
	for path, dir := range map[string]string{dreamzero.ManagedPath: managed, dreamzero.BespokePath: bespoke} {
		if w := parse[Witness](t, filepath.Join(dir, WitnessFile)); w.Path != path || w.Why == "" || w.Facts["dtype"] != "float32" {
			t.Errorf("witness %+v, want path %s, why, and the facts", w, path)
		}
	}
	manifests := [2]string{string(must[[]byte](t)(os.ReadFile(filepath.Join(managed, ManifestFile)))), string(must[[]byte](t)(os.ReadFile(filepath.Join(bespoke, ManifestFile))))}
	if manifests[0] != manifests[1] {
		t.Errorf("the manifests differ where only the path does:\n%s\n%s", manifests[0], manifests[1])
	}
	if strings.Contains(manifests[0], "secret") || !strings.Contains(manifests[0], `"TOKEN"`) {
		t.Error("the manifest holds a value that may be secret, or lacks the variable's name")
	}
}

func TestTheDumpedMapHasTheDigestsOfItsStep(t *testing.T) {
	const at = 30
	dir := kept(t, dreamzero.ManagedPath, Options{Profile: Tiny, Seed: 1, Steps: 40, DType: dtype.BFloat16}, at)
	_, digests := array(t, filepath.Join(dir, DigestsFile))
	for i, e := range Tiny.Layout() {
		h, data := array(t, filepath.Join(dir, fmt.Sprintf("feat_map/%02d-%s.npy", i, e.Name)))
		if h.DType != dtype.BFloat16 || len(h.Shape) != 5 || h.Shape[1] != int64(e.Channels) {
			t.Errorf("dump of entry %d: %+v, want bfloat16%v", i, h, e.Shape(e.Frames))
		}
		want := digests[8*(at*Entries+i):][:8]
		if got := words([]uint64{xxh3.Hash(data)}); !slices.Equal(got, want) {
			t.Errorf("digest of the dump of entry %d, %s = %x, want %x", i, e.Name, got, want)
		}
	}
}

func TestTheCurveGrowsOnTheBespokePathOnly(t *testing.T) {
	p := slim(Small)
	p.PromptSteps = 0
	o := Options{Profile: p, Seed: 1, Steps: 100, DType: dtype.BFloat16}
	for path, grows := range map[string]bool{dreamzero.BespokePath: true, dreamzero.ManagedPath: false} {
		c := parse[Curve](t, filepath.Join(kept(t, path, o, NoDump), HeldFile))
		stream, totals := c.Column(dreamzero.EncoderOut), c.Totals()
		if len(stream) != 100 || len(totals) != 100 || c.Column("none") != nil {
			t.Fatalf("%s: the curve has %d and %d steps, want 100", path, len(stream), len(totals))
		}
		if got := stream[99] > stream[50]; got != grows {
			t.Errorf("%s: encoder output of %d bytes at step 50 and %d at 99, want growth %v", path, stream[50], stream[99], grows)
		}
		if m := c.Column(dreamzero.FeatureMap); m[4] != m[50] || m[50] != m[99] {
			t.Errorf("%s: feature map of %d, %d and %d bytes at steps 4, 50 and 99, want the same", path, m[4], m[50], m[99])
		}
	}
}

func TestARolloutCutShortHasAsManyRowsAsSteps(t *testing.T) {
	dir := t.TempDir()
	r := must[*Rollout](t)(New(resolved(dreamzero.BespokePath), Options{Profile: Tiny, Seed: 1, DType: dtype.BFloat16}))
	a := must[*Artefacts](t)(NewArtefacts(plainFolder(dir), r.Options(), NoDump))
	stop := errors.New("enough")
	err := r.Run(t.Context(), func(s *Step) error {
		if s.Index == 5 {
			return stop
		}
		return a.Step(s)
	})
	if !errors.Is(err, stop) {
		t.Fatal(err)
	}
	m := r.Manifest(nil, resolved(dreamzero.BespokePath), nil)
	if err := a.Close(m, r.Witness(m, "")); err != nil {
		t.Fatal(err)
	}
	if h, _ := array(t, filepath.Join(dir, FrameFile)); h.Shape[0] != 5 {
		t.Errorf("%s has %d rows, want 5", FrameFile, h.Shape[0])
	}
	if m := parse[Manifest](t, filepath.Join(dir, ManifestFile)); m.StepsDone != 5 || m.Steps != Tiny.Steps {
		t.Errorf("the manifest says %d of %d steps, want 5 of %d", m.StepsDone, m.Steps, Tiny.Steps)
	}
}

func TestADumpAtNoStepOfTheRolloutIsRefused(t *testing.T) {
	for _, at := range []int{-2, 96, 1000} {
		if _, err := NewArtefacts(plainFolder(t.TempDir()), Options{Profile: Small, Steps: 96, DType: dtype.BFloat16}, at); err == nil {
			t.Errorf("NewArtefacts that dumps at %d of 96 steps = no error, want one", at)
		}
	}
}

// pipes are files that cannot be written at a place.
type pipes struct{ io.Writer }

func (pipes) Close() error { return nil }

type pipeFolder struct{}

func (pipeFolder) Create(string) (io.WriteCloser, error) { return pipes{io.Discard}, nil }

func TestAFolderOfPipesIsRefused(t *testing.T) {
	if _, err := NewArtefacts(pipeFolder{}, Options{Profile: Small, Steps: 96, DType: dtype.BFloat16}, NoDump); err == nil {
		t.Error("NewArtefacts in a folder of pipes = no error, want one")
	}
}

func TestWhyNamesWhatDecided(t *testing.T) {
	on := func(value string) func(string) (string, bool) {
		return func(name string) (string, bool) { return value, name == config.EnableVar }
	}
	unset := func(string) (string, bool) { return "", false }
	for _, c := range []struct {
		cfg    config.Config
		lookup func(string) (string, bool)
		want   string
	}{
		{config.Config{}, unset, "off by default"},
		{config.Config{EnableSessionStateManager: new(true)}, unset, "the deploy config decides: enable_session_state_manager is true"},
		{config.Config{EnableSessionStateManager: new(false)}, on("maybe"), "the deploy config decides: enable_session_state_manager is false"},
		{config.Config{EnableSessionStateManager: new(true)}, on("0"), "OMNI_DIFFUSION_SESSION_STATE_MANAGER=0 decides"},
		{config.Config{}, on(" on "), "OMNI_DIFFUSION_SESSION_STATE_MANAGER=on decides"},
	} {
		if got := Why(c.cfg, c.lookup); !strings.Contains(got, c.want) {
			t.Errorf("Why() = %q, want %q in it", got, c.want)
		}
	}
}
