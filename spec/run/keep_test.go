package run_test

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec/run"
	. "github.com/statespec/statespec/spec/suite"
	"github.com/statespec/statespec/spec/verdict"
)

// keeps is two specs of one row that keep files, of which some cannot be
// written, and then fail or hold.
func keeps(open Open, fail bool) {
	for range 2 {
		It("keeps", Promise("EVI-02"), func(ctx SpecContext) {
			s := open.Subject(ctx)
			Keep("page.html", func(w io.Writer) error { _, err := io.WriteString(w, "<html>"); return err })
			Keep("half.html", func(w io.Writer) error { io.WriteString(w, "<ht"); return errors.New("out of ink") })
			Keep("panics.html", func(io.Writer) error { panic("no pen") })
			Keep("large.html", func(w io.Writer) error { _, err := w.Write(make([]byte, 64<<20)); return err })
			Must(s.Memory())
			Expect(fail).To(BeFalse(), "fails")
		})
	}
}

// drawer is a place for files, in memory.
type drawer map[string]*bytes.Buffer

func (d drawer) create(name string) (io.WriteCloser, error) {
	d[name] = &bytes.Buffer{}
	return shut{d[name]}, nil
}

type shut struct{ io.Writer }

func (shut) Close() error { return nil }

func TestFilesOfAFailedSpecAreKept(t *testing.T) {
	files := drawer{}
	r := fall(t, "keeping", func(o *run.Options) { o.Keep = files.create })
	want := []string{"artefacts/EVI-02/page-2.html", "artefacts/EVI-02/page.html"}
	if got := slices.Sorted(maps.Keys(files)); !slices.Equal(got, want) {
		t.Errorf("files = %q, want %q", got, want)
	}
	for name, content := range files {
		if content.String() != "<html>" {
			t.Errorf("%s = %q, want what the spec wrote", name, content)
		}
	}
	var named []string
	for _, o := range own(r, "EVI-02").Specs {
		named = append(named, o.Artefacts...)
		notes := strings.Join(o.Notes, "\n")
		for _, why := range []string{"half.html is not kept: out of ink", "panics.html is not kept: writing it panics: no pen", "large.html is not kept: more than"} {
			if !strings.Contains(notes, why) {
				t.Errorf("notes = %q, want %q among them", notes, why)
			}
		}
	}
	if slices.Sort(named); !slices.Equal(named, want) {
		t.Errorf("artefacts of the row = %q, want %q", named, want)
	}
	if w := own(r, "EVI-02").Own; w != verdict.Broken || len(r.Faults) > 0 {
		t.Errorf("EVI-02 is %s with faults %q, want %s and none", w, r.Faults, verdict.Broken)
	}
}

func TestWorkingFilesAreKeptOnRequest(t *testing.T) {
	files := drawer{}
	fall(t, "keeping", func(o *run.Options) { o.Keep, o.KeepAll = files.create, true })
	transcript := files["artefacts/EVI-02/transcript.jsonl"]
	if transcript == nil || !strings.Contains(transcript.String(), `{"method":"memory"`) {
		t.Errorf("transcript = %v, want the calls of the spec; files: %q", transcript, slices.Sorted(maps.Keys(files)))
	}
	files = drawer{}
	fall(t, "keeping, held", func(o *run.Options) { o.Keep, o.KeepAll = files.create, true })
	if files["artefacts/EVI-02/page.html"] == nil {
		t.Errorf("files of specs that held = %q, want a page", slices.Sorted(maps.Keys(files)))
	}
}

func TestNothingIsKeptOfSpecsThatHeldOrWithoutAPlace(t *testing.T) {
	files := drawer{}
	r := fall(t, "keeping, held", func(o *run.Options) { o.Keep = files.create })
	if len(files) > 0 || own(r, "EVI-02").Own != verdict.Held {
		t.Errorf("EVI-02 is %s, files = %q, want %s and none", own(r, "EVI-02").Own, slices.Sorted(maps.Keys(files)), verdict.Held)
	}
	r = fall(t, "keeping", nil)
	if got := own(r, "EVI-02").Specs[0].Artefacts; len(got) > 0 {
		t.Errorf("artefacts without a place for them = %q, want none", got)
	}
}

// A place that cannot be written is no fault of the subject's.
func TestAPlaceThatCannotBeWrittenIsAFault(t *testing.T) {
	full := func(string) (io.WriteCloser, error) { return nil, errors.New("disk full") }
	r := fall(t, "keeping", func(o *run.Options) { o.Keep = full })
	if len(r.Faults) == 0 || !strings.Contains(r.Faults[0], "disk full") || r.Exit(verdict.Policy{}) != verdict.OwnFault {
		t.Errorf("faults = %q, exit = %d, want the reason and %d", r.Faults, r.Exit(verdict.Policy{}), verdict.OwnFault)
	}
	if got := own(r, "EVI-02").Own; got != verdict.Broken {
		t.Errorf("EVI-02 is %s, want %s all the same", got, verdict.Broken)
	}
}
