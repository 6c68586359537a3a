package eviction_test

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/report"
	"github.com/statespec/statespec/spec/run"
	"github.com/statespec/statespec/spec/verdict"
)

// disorderVar names what the workers of these tests are to ask.
const disorderVar = "STATESPEC_DISORDER"

// disorderly are managers that are right while one caller asks.
var disorderly = map[string]spec.Factory{
	"a session that was replaced": overlapping(func(m *overlapped) { m.replaces = true }),
	"drops that both succeed":     overlapping(func(m *overlapped) { m.drops = true }),
	"counters of before":          overlapping(func(m *overlapped) { m.stale = []string{"hits", "misses", "evictions"} }),
	"sessions of before":          overlapping(func(m *overlapped) { m.stale = []string{"sessions"} }),
}

// overlapped is the reference's manager with another answer for a call beside
// which another runs.
type overlapped struct {
	spec.Manager
	busy     atomic.Int32
	replaces bool     // session answers with one that has just been replaced
	drops    bool     // drop says yes whatever was there
	stale    []string // figures of the stats before
	last     atomic.Pointer[spec.Stats]
}

// beside says whether another call runs, once others had their chance to begin.
func (m *overlapped) beside() bool {
	runtime.Gosched()
	return m.busy.Load() > 1
}

func (m *overlapped) Session(ids ...string) (spec.Session, error) {
	m.busy.Add(1)
	defer m.busy.Add(-1)
	s, err := m.Manager.Session(ids...)
	if m.replaces && err == nil && m.beside() {
		m.Manager.Drop(ids[0])
		m.Manager.Session(ids...)
	}
	return s, err
}

func (m *overlapped) Drop(id string) (bool, error) {
	m.busy.Add(1)
	defer m.busy.Add(-1)
	was, err := m.Manager.Drop(id)
	return was || m.drops && m.beside(), err
}

func (m *overlapped) Stats() (spec.Stats, error) {
	m.busy.Add(1)
	defer m.busy.Add(-1)
	s, err := m.Manager.Stats()
	if before := m.last.Swap(&s); before != nil && m.beside() {
		for _, name := range m.stale {
			s.Counts[name] = before.Counts[name]
		}
	}
	return s, err
}

type disordered struct {
	spec.Subject
	change func(*overlapped)
}

func (d disordered) NewManager(m spec.ManagerSpec) (spec.Manager, error) {
	made, err := d.Subject.NewManager(m)
	if err != nil {
		return nil, err
	}
	o := &overlapped{Manager: made}
	d.change(o)
	return o, nil
}

func overlapping(change func(*overlapped)) spec.Factory {
	return func(ctx context.Context, p spec.Process) (spec.Subject, error) {
		s, err := subject.New(ctx, p)
		return disordered{s, change}, err
	}
}

// What only concurrent callers see is found, in the row that promises it, and a
// picture of it is among the files of the run.
func TestADisorderIsFoundAndShown(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ row, shows string }{
		"a session that was replaced": {"EVI-13.linearizable", `session(\"s`},
		"drops that both succeed":     {"EVI-13.linearizable", `drop(\"s`},
		"counters of before":          {"EVI-13.counters", " hits, "},
		"sessions of before":          {"EVI-13.linearizable", " sessions"},
	} {
		t.Run(name, func(t *testing.T) {
			row, _ := catalogue.Lookup(c.row)
			out := filepath.Join(t.TempDir(), "results")
			folder, err := report.OpenFolder(out)
			if err != nil {
				t.Fatal(err)
			}
			results := verdict.Fold(run.Run(t.Context(), run.Options{
				Command: []string{self}, Env: []string{disorderVar + "=" + name},
				Rows: []catalogue.Row{row}, Seed: 1, Keep: folder.Create,
			}))
			if err := report.Write(folder, results); err != nil {
				t.Fatal(err)
			}
			if err := folder.Commit(); err != nil {
				t.Fatal(err)
			}
			if pages := pagesOf(t, out, row.ID); !strings.Contains(pages, c.shows) {
				t.Errorf("the pictures of %s do not show %s", name, c.shows)
			}
		})
	}
}

// pagesOf are the pictures that the report of a broken row names, one for each
// spec that found it broken.
func pagesOf(t *testing.T, out, id string) (all string) {
	t.Helper()
	r, err := report.Read(out)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(r.Rows(), func(v verdict.Verdict) bool { return v.ID == id })
	v := r.Rows()[at]
	if v.Own != verdict.Broken {
		t.Fatalf("%s is %s, want %s: %s", id, v.Own, verdict.Broken, v.Reason)
	}
	for _, o := range v.Telling() {
		if len(o.Artefacts) != 1 || path.Ext(o.Artefacts[0]) != ".html" {
			t.Fatalf("artefacts of %s = %q, want one page\n%s", id, o.Artefacts, o.Message)
		}
		page, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(o.Artefacts[0])))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(strings.ToLower(string(page)), "<!doctype html>") {
			t.Errorf("%s begins with %.40q, want a page", o.Artefacts[0], page)
		}
		all += string(page)
	}
	return all
}
