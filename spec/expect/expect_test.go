package expect_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/expect"
	"github.com/statespec/statespec/spec/verdict"
)

// reader knows a catalogue small enough to see through.
func reader() expect.Reader {
	var rows []catalogue.Row
	for _, id := range []string{"EVI-01", "EVI-02", "EVI-05", "ACC-11", "ACC-11.set", "ACC-11.map-key", "ACC-11.record"} {
		rows = append(rows, catalogue.Row{ID: id, Level: catalogue.Must, Layer: "manager", Statement: id + " holds.", Since: "0.1"})
	}
	return expect.Reader{Rows: rows, Suite: "0.10"}
}

func TestAFileIsReadAsItIsWritten(t *testing.T) {
	got, err := reader().Parse([]byte(`# a comment
suite: 0.10
subject: vllm-omni
expectations:
  - id: ACC-11
    cases: [set, record]
    when: {device: "cuda:0", dtype: [float32, bfloat16], version: ">=0.3 <0.5"}
    reason: sets count zero
    link: https://example.org/12
  - id: ACC-11
    cases: []
    outcome: hung
    reason: |
      it waits
  - reason: "crashes"
    id: EVI-02
    outcome: crashed
`))
	if err != nil {
		t.Fatal(err)
	}
	want := expect.File{Suite: "0.10", Subject: "vllm-omni", Entries: []expect.Entry{
		{ID: "ACC-11", Cases: []string{"set", "record"}, Outcome: verdict.Broken, Reason: "sets count zero", Link: "https://example.org/12", Line: 5,
			When: expect.When{Device: []string{"cuda:0"}, DType: []string{"float32", "bfloat16"}, Version: ">=0.3 <0.5"}},
		{ID: "ACC-11", Cases: []string{}, Outcome: verdict.Hung, Reason: "it waits", Line: 10},
		{ID: "EVI-02", Outcome: verdict.Crashed, Reason: "crashes", Line: 15},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
}

func TestAMistakeIsReportedWithItsPlaceAndWhatWouldBeRight(t *testing.T) {
	entry := func(text string) string { return "suite: '0.1'\nexpectations:\n" + text }
	for _, test := range []struct{ name, file, want string }{
		{"an unknown ID", entry("- {id: EVI-55, reason: x}"), `:3:8: unknown id "EVI-55"; did you mean EVI-05?`},
		{"lines that end as on Windows", "# a\r\n# b\r\n" + strings.ReplaceAll(entry("- {id: EVI-55, reason: x}"), "\n", "\r\n"), `:5:8: unknown id "EVI-55"; did you mean EVI-05?`},
		{"letter case", entry("- {id: acc-11, reason: x}"), `:3:8: unknown id "acc-11"; did you mean ACC-11?`},
		{"nothing near", entry("- {id: eviction, reason: x}"), `:3:8: unknown id "eviction", want one of EVI-01, EVI-02, EVI-05, ACC-11`},
		{"a case as an ID", entry("- {id: ACC-11.set, reason: x}"), `:3:8: id ACC-11.set is a case, want id: ACC-11 with cases: [set]`},
		{"an unknown case as an ID", entry("- {id: ACC-11.sets, reason: x}"), `:3:8: unknown id "ACC-11.sets": the cases of ACC-11 are set, map-key, record`},
		{"a case of a guarantee without any", entry("- {id: EVI-01.set, reason: x}"), `:3:8: unknown id "EVI-01.set": EVI-01 has no cases`},
		{"an unknown case", entry("- id: ACC-11\n  cases:\n  - set\n  - mapkey\n  reason: x"), `:6:5: unknown case "mapkey" of ACC-11; did you mean map-key?`},
		{"a case of none", entry("- {id: EVI-01, cases: [set], reason: x}"), `:3:24: unknown case "set": EVI-01 has no cases`},
		{"a case twice", entry("- {id: ACC-11, cases: [set, set], reason: x}"), `:3:29: case set of ACC-11 twice`},
		{"an unknown key", entry("- {id: EVI-01, reason: x, lnk: y}"), `:3:27: unknown key "lnk" of an expectation; did you mean link?`},
		{"an unknown key of the file", "suit: 0.1\nsuite: '0.1'\nexpectations: []", `:1:1: unknown key "suit" of a file; did you mean suite?`},
		{"an unknown condition", entry("- id: EVI-01\n  reason: x\n  when:\n    gpu: a"), `:6:5: unknown key "gpu" of when, want one of device, dtype, version`},
		{"no reason", entry("- id: EVI-01\n- {id: EVI-02, reason: x}"), `:3:3: no reason, want why it is known to be broken`},
		{"an empty reason", entry("- id: EVI-01\n  reason: ' '"), `:4:11: reason is empty`},
		{"a reason that is nothing", entry("- id: EVI-01\n  reason:\n"), `:4:3: reason is nothing, want text`},
		{"a reason that is a list", entry("- id: EVI-01\n  reason: [x]\n"), `:4:11: reason is a list, want text`},
		{"a reason that is a number", entry("- id: EVI-01\n  reason: 12\n"), `:4:11: reason is a number, want text in quotes: "12"`},
		{"no ID", entry("- reason: x"), `:3:3: no id, want that of a guarantee`},
		{"cases that are text", entry("- {id: ACC-11, cases: set, reason: x}"), `:3:23: cases is text, want a list`},
		{"cases that are nothing", entry("- id: ACC-11\n  cases:\n  reason: x"), `:4:3: cases is nothing, want a list`},
		{"an entry that is text", entry("- ACC-11"), `:3:3: an expectation is text, want a map with id, cases, when, outcome, reason, link`},
		{"the same twice", entry("- {id: EVI-01, reason: x}\n- {id: EVI-01, reason: y}"), `:4:3: EVI-01 is listed in line 3 already`},
		{"a case beside its guarantee", entry("- {id: ACC-11, reason: x}\n- {id: ACC-11, cases: [set], reason: y}"), `:4:3: ACC-11 is listed in line 3 already`},
		{"an unknown outcome", entry("- {id: EVI-01, outcome: crash, reason: x}"), `:3:25: unknown outcome "crash"; did you mean crashed?`},
		{"a link that is no page", entry("- {id: EVI-01, link: 'javascript:alert(1)', reason: x}"), `:3:22: link "javascript:alert(1)", want an address that begins with https://`},
		{"a bad version", entry("- {id: EVI-01, when: {version: '>=x'}, reason: x}"), `:3:32: version ">=x": "x" is no version, want numbers as in 0.18.2`},
		{"a bad operator", entry("- {id: EVI-01, when: {version: '~>1'}, reason: x}"), `:3:32: version "~>1": "~" is no version, want numbers as in 0.18.2`},
		{"a device of no name", entry("- {id: EVI-01, when: {device: []}, reason: x}"), `:3:31: device is an empty list`},

		{"no suite", "expectations: []", `: no suite, want the version that this was written for, as in suite: "0.10"`},
		{"a newer suite", "suite: '0.11'\nexpectations: []", `:1:8: suite "0.11" is newer than this one, want at most "0.10"`},
		{"a suite of words", "suite: latest\nexpectations: []", `:1:8: suite "latest", want numbers as in "0.10"`},
		{"no expectations", "suite: '0.1'", `: no expectations, want a list; an empty one is expectations: []`},
		{"nothing", "", `: empty, want suite and expectations`},
		{"only a comment", "# nothing\n", `: empty, want suite and expectations`},
		{"a list", "- a", `:1:1: a file is a list, want a map with suite, subject, expectations`},
		{"not YAML", "suite: '0.1'\nexpectations: [", `:2:15: not YAML: sequence end token ']' not found`},
		{"an anchor", "suite: &a '0.1'\nexpectations: []", `:1:8: "&": want plain lists and maps, without anchors, aliases, tags, merges, directives and ? keys; text that begins with & is put in quotes`},
		{"nested deeply", "a:\n" + strings.Repeat("[", 100), `:2:33: nested deeper than 32`},
		{"endless", strings.Repeat("# comment\n", 1<<15), `: 327680 bytes, want at most 262144`},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, err := reader().Parse([]byte(test.file))
			e, ok := errors.AsType[*expect.Error](err)
			if !ok {
				t.Fatalf("Parse = %v, %v, want an *Error", f, err)
			}
			e.Path = "known.yaml"
			if got, want := e.Error(), "known.yaml"+test.want; got != want {
				t.Errorf("Parse = %s\nwant    %s", got, want)
			}
		})
	}
}

func TestAllMistakesAreReportedAtOnce(t *testing.T) {
	_, err := reader().Parse([]byte("suite: '9'\nexpectations:\n- id: EVI-99\n  cases: [a]\n- id: EVI-01\n  reason: ''\n"))
	want := `expectations:1:8: suite "9" is newer than this one, want at most "0.10"
expectations:3:3: no reason, want why it is known to be broken
expectations:3:7: unknown id "EVI-99"; did you mean EVI-01?
expectations:6:11: reason is empty`
	if err == nil || err.Error() != want {
		t.Errorf("Parse = %v\nwant    %s", err, want)
	}
}

func TestAnUnreadableFileIsNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "known.yaml")
	if _, err := expect.Read(path); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("Read = %v, want not-exist with the path", err)
	}
	if err := os.WriteFile(path, []byte("- a"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := expect.Read(path); err == nil || !strings.HasPrefix(err.Error(), path+":1:1: ") {
		t.Errorf("Read = %v, want %s:1:1: …", err, path)
	}
}

func TestConditionsSelectEntries(t *testing.T) {
	for _, test := range []struct {
		when string
		c    expect.Conditions
		why  string
	}{
		{`{}`, expect.Conditions{}, ""},
		{`{device: "cuda:0"}`, expect.Conditions{Device: "cuda:0"}, ""},
		{`{device: "cuda:0"}`, expect.Conditions{Device: "cuda:1"}, "when device is cuda:0; this run's is cuda:1"},
		{`{device: cuda}`, expect.Conditions{Device: "cuda:1"}, ""},
		{`{device: [cuda, cpu]}`, expect.Conditions{Device: "cpu"}, ""},
		{`{device: [cuda, cpu]}`, expect.Conditions{}, "when device is cuda or cpu; this run's is not known"},
		{`{dtype: float32}`, expect.Conditions{DTypes: []string{"bfloat16", "float32"}}, ""},
		{`{dtype: float32}`, expect.Conditions{DTypes: []string{"bfloat16"}}, "when dtype is float32; the subject's are bfloat16"},
		{`{version: ">=0.3 <0.5"}`, expect.Conditions{Version: "0.4.9"}, ""},
		{`{version: ">=0.3 <0.5"}`, expect.Conditions{Version: "0.5"}, "when version is >=0.3 <0.5; the subject's is 0.5"},
		{`{version: 0.10}`, expect.Conditions{Version: "0.10.0"}, ""},
		{`{version: "<1"}`, expect.Conditions{Version: "main"}, `when version is <1; the subject's is "main", which is no number`},
		{`{device: cpu, version: "<1"}`, expect.Conditions{Device: "cpu", Version: "2"}, "when version is <1; the subject's is 2"},
	} {
		f, err := reader().Parse([]byte("suite: '0.1'\nexpectations:\n- id: EVI-01\n  reason: x\n  when: " + test.when))
		if test.when == "{}" {
			f, err = reader().Parse([]byte("suite: '0.1'\nexpectations:\n- id: EVI-01\n  reason: x"))
		}
		if err != nil {
			t.Fatal(err)
		}
		want := verdict.Expectations{Suite: "0.1"}
		if test.why == "" {
			want.Entries = []verdict.Expectation{{ID: "EVI-01", Outcome: verdict.Broken, Reason: "x"}}
		} else {
			want.Idle = []verdict.Unused{{ID: "EVI-01", Reason: test.why}}
		}
		if diff := cmp.Diff(want, f.For(test.c)); diff != "" {
			t.Errorf("when %s, run %+v (-want +got):\n%s", test.when, test.c, diff)
		}
		if got := f.Entries[0].Applies(test.c); got != (test.why == "") {
			t.Errorf("when %s, run %+v: Applies = %t", test.when, test.c, got)
		}
	}
}

func TestVersionsAreOrderedAsReleasesAre(t *testing.T) {
	inOrder := []string{"0.9", "0.10.dev1", "0.10.0a1", "0.10rc2", "v0.10.0-rc10", "0.10+cu128", "0.10.0.post1", "0.10.1", "1"}
	for i, low := range inOrder {
		for j, high := range inOrder {
			f, err := reader().Parse([]byte("suite: '0.1'\nexpectations:\n- {id: EVI-01, reason: x, when: {version: '<" + high + "'}}"))
			if err != nil {
				t.Fatal(err)
			}
			if got, want := f.Entries[0].Applies(expect.Conditions{Version: low}), i < j; got != want {
				t.Errorf("%s < %s = %t, want %t", low, high, got, want)
			}
		}
	}
}
