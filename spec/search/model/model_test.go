package model

import (
	"go/parser"
	gotoken "go/token"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/search/history"
)

// The model owes nothing to the implementations that it judges.
func TestTheModelImportsNoImplementation(t *testing.T) {
	for _, dir := range []string{".", "../history", "../generate"} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".go") {
				continue
			}
			file, err := parser.ParseFile(gotoken.NewFileSet(), dir+"/"+e.Name(), nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range file.Imports {
				if path := i.Path.Value; strings.Contains(path, "/reference") || strings.Contains(path, "/equivalence") || strings.Contains(path, "/faulty") {
					t.Errorf("%s/%s imports %s", dir, e.Name(), path)
				}
			}
		}
	}
}

var hello = spec.Hello{
	Layers: spec.Layers(), Can: spec.Capabilities(), Holds: spec.ValueKinds(), Use: "lookup", Views: "until-next-write",
	Drop: "nothing", Staged: "counted", Extend: "prefix",
	Kinds: []spec.KindInfo{
		{Kind: spec.LatentBuffer, Appends: true, Resident: "allocate", Staging: true, Keeps: "copy",
			Bounds: []spec.BoundUnit{spec.Unbounded, spec.Payloads, spec.Frames}},
		{Kind: spec.EncodeOnceKV, Resident: "first-commit", Staging: true, Keeps: "copy", Bounds: []spec.BoundUnit{spec.Unbounded}},
	},
}

// follow applies lines of which each is granted, and returns the world.
func follow(t *testing.T, h spec.Hello, lines ...string) *World {
	t.Helper()
	w := New(h)
	for _, line := range lines {
		if p := w.Apply(operation(t, line), Outcome{}); p != nil {
			t.Fatalf("%s: %v, want it granted", line, p)
		}
	}
	return w
}

func operation(t *testing.T, line string) history.Operation {
	t.Helper()
	o, err := history.ParseOperation(line)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// came is the row that an outcome of an operation breaks.
func came(t *testing.T, w *World, line string, got Outcome) string {
	t.Helper()
	o := operation(t, line)
	if !w.Can(o) {
		t.Fatalf("%s cannot be asked", line)
	}
	if p := w.Apply(o, got); p != nil {
		return p.Row
	}
	return ""
}

func stats(bytes int64, counts ...int64) spec.Stats {
	st := spec.Stats{Counts: map[string]int64{"total_nbytes": bytes, "nbytes:cpu": bytes}}
	for i, name := range []string{"hits", "misses", "evictions"}[:len(counts)] {
		st.Counts[name] = counts[i]
	}
	return st
}

func TestTheTableIsAStrictLRU(t *testing.T) {
	w := follow(t, hello, "m1 = manager cap 2", `session m1 "a"`, `session m1 "b"`, `session m1 "a"`, `session m1 "c"`)
	if got := w.managers["m1"].retained(); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("retained = %q, want a and c: b was used least recently", got)
	}
	if row := came(t, w, "stats m1", Outcome{Stats: stats(0, 1, 3, 1)}); row != "" {
		t.Errorf("stats with 1 hit, 3 misses, 1 eviction break %s, want nothing", row)
	}
	if row := came(t, w, "stats m1", Outcome{Stats: stats(0, 2, 3, 1)}); row != "EVI-10" {
		t.Errorf("stats with 2 hits break %q, want EVI-10", row)
	}
}

func TestAWrongTableIsBlamedOnTheMistakeThatComesToIt(t *testing.T) {
	for _, row := range []struct {
		want  string
		lines []string
		got   map[string]bool
	}{
		{"EVI-03", []string{"m1 = manager cap 2", `session m1 "a"`, `session m1 "b"`, `session m1 "a"`, `session m1 "c"`}, map[string]bool{"a": false, "b": true, "c": true}},
		{"EVI-02", []string{"m1 = manager cap 2", `session m1 "a"`, `session m1 "b"`, `session m1 "c"`}, map[string]bool{"a": true, "b": false, "c": true}},
		{"EVI-01", []string{"m1 = manager cap 1", `session m1 "a"`, `session m1 "b"`}, map[string]bool{"a": true, "b": true}},
		{"EVI-08", []string{"m1 = manager cap 2", `session m1 "a"`, `session m1 "b"`}, map[string]bool{"a": false, "b": true}},
		{"EVI-09", []string{"m1 = manager cap 3 budget 1", `session m1 "a"`, `session m1 "b"`, `session m1 "c"`}, map[string]bool{"a": false, "b": false, "c": true}},
	} {
		w := follow(t, hello, row.lines...)
		if p := w.Members("m1", row.got); p == nil || p.Row != row.want {
			t.Errorf("retained %v after %q breaks %v, want %s", row.got, row.lines, p, row.want)
		}
	}
}

func TestBytesAreStoragesAndEachCountsOnce(t *testing.T) {
	lines := []string{"m1 = manager cap 2", `h1 = session m1 "a"`, "v1 = tensor float32 3x128 seed 1", "v2 = narrow v1 0 1 1"}
	world := func() *World { return follow(t, hello, append(lines, "set h1 x v1", "set h1 y v2")...) }
	w := world()
	for n, want := range map[int64]string{1536: "", 3072: "", 1024: "ACC-02", 0: "ACC-06"} {
		w := world()
		p := w.weighs(w.managers["m1"], n)
		if got := rowOf(p); got != want {
			t.Errorf("%d bytes of one storage and a slice of it, which may be a copy, break %q, want %q", n, got, want)
		}
	}
	// Once both were seen to follow a write, they are the storage itself.
	v := w.values["v1"].tree
	if row := came(t, w, "refill v1 seed 2", Outcome{}); row != "" {
		t.Fatal(row)
	}
	for name, shown := range map[string]*value{"x": v, "y": w.values["v2"].tree} {
		if row := came(t, w, "attr h1 "+name, Outcome{Reading: readingOf(shown)}); row != "" {
			t.Fatal(row)
		}
	}
	if p := w.weighs(w.managers["m1"], 3072); rowOf(p) != "ACC-03" {
		t.Errorf("3072 bytes of a storage that is there twice break %q, want ACC-03", rowOf(p))
	}
}

func rowOf(p *Problem) string {
	if p == nil {
		return ""
	}
	return p.Row
}

func readingOf(v *value) spec.Reading {
	return spec.Reading{Kind: v.kind, DType: v.dtype, Shape: v.shape, Bytes: v.bytes(), SHA256: digest(v.bytes())}
}

func TestARingKeepsFramesAndABufferPayloads(t *testing.T) {
	lines := []string{"m1 = manager cap 1", `h1 = session m1 "a"`, "v1 = tensor uint8 1x512 seed 1", "v2 = tensor uint8 3x512 seed 2"}
	w := follow(t, hello, append(lines, "o1 = ensure h1 ring latent-buffer frames 2 axis 0", "o2 = ensure h1 latents latent-buffer payloads 1",
		"commit o1 v1 v2", "commit o2 v1 v2")...)
	if got := w.objects["o1"].content; len(got) != 2 || got[1].line() != w.values["v2"].tree.narrow(0, 2, 1).line() {
		t.Errorf("a ring of 2 holds %v, want the last two frames", linesOf(got))
	}
	if got := linesOf(w.objects["o2"].content); !slices.Equal(got, []string{w.values["v2"].tree.line()}) {
		t.Errorf("a buffer of 1 payload holds %q, want the last", got)
	}
}

func TestWhatIsLeftFreeIsFollowed(t *testing.T) {
	refusal := Outcome{Err: spec.Refuse(spec.InvalidArgument, "no")}
	w := follow(t, hello, "m1 = manager cap 1", `h1 = session m1 "a"`, "o1 = ensure h1 ring latent-buffer", "v1 = tensor uint8 1x512 seed 1", "commit o1 v1")
	if row := came(t, w, "allocate o1 payloads 1", refusal); row != "" || len(w.objects["o1"].content) != 1 {
		t.Errorf("a second allocate that is refused breaks %q and leaves %d payloads, want nothing and 1", row, len(w.objects["o1"].content))
	}
	if row := came(t, w, "allocate o1 payloads 1", Outcome{}); row != "" || len(w.objects["o1"].content) != 0 {
		t.Errorf("a second allocate that is granted breaks %q and leaves %d payloads, want nothing and 0", row, len(w.objects["o1"].content))
	}
	if row := came(t, w, "allocate o1 payloads -1", Outcome{}); row != "OBJ-10" {
		t.Errorf("a negative bound that is granted breaks %q, want OBJ-10", row)
	}
}

func TestRowsThatAreNotClaimedAreNotAsked(t *testing.T) {
	h := hello
	h.Layers = []spec.Layer{spec.LayerManager}
	none := Outcome{Reading: spec.Reading{Kind: spec.KindNone}}
	w := follow(t, h, "m1 = manager cap 1", `h1 = session m1 "a"`)
	if row := came(t, w, "attr h1 n", none); row != "" {
		t.Errorf("a default that is not read breaks %s, want nothing: no adapter is claimed", row)
	}
	if row := came(t, follow(t, hello, "m1 = manager cap 1", `h1 = session m1 "a"`), "attr h1 n", none); row != "ATT-02" {
		t.Errorf("a default that is not read breaks %q, want ATT-02", row)
	}
}
