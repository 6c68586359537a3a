package driver_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/driver/hostile"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// badVar makes a driver of these tests a bad one.
const badVar = "STATESPEC_BAD_DRIVER"

func TestMain(m *testing.M) {
	if bad := bads[os.Getenv(badVar)]; bad != nil && os.Getenv(driver.ServeVar) != "" {
		bad()
		os.Exit(7)
	}
	driver.ServeIfAsked(printing)
	hostile.ServeIfAsked()
	os.Exit(m.Run())
}

// printing is the reference, which also writes to standard output.
func printing(ctx context.Context, p spec.Process) (spec.Subject, error) {
	os.Stdout.WriteString("what an implementation prints is no answer\n")
	return subject.New(ctx, p)
}

// bads answer the first request in a way that is none.
var bads = map[string]func(){
	"dies":     func() { os.Stderr.WriteString("no such device\n") },
	"noise":    func() { say("Loading weights: 100%") },
	"wrong id": func() { say(`{"id":99,"result":{}}`) },
	"silent":   func() { wait() },
	"neither":  func() { say(`{"id":1}`) },
	"empty":    func() { say(`{"id":1,"result":{}}`) },
}

// say answers with a line, and then no more.
func say(line string) {
	os.NewFile(4, "answers").WriteString(line + "\n")
	wait()
}

// wait never ends by itself: nothing is ever written to its pipe.
func wait() {
	r, w, _ := os.Pipe()
	r.Read(make([]byte, 1))
	w.Close()
}

func fresh(t *testing.T, p spec.Process) *op.Client {
	t.Helper()
	p.Fresh = true
	s, err := driver.Open(printing)(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestAFreshProcessHasTheEnvironmentThatWasAskedFor(t *testing.T) {
	t.Setenv(spec.EnableVar, "1") // the harness's own, which is not the subject's
	t.Setenv(spec.MaxSessionsVar, "3")
	for want, env := range map[spec.Resolution]map[string]string{
		{Enabled: false, Cap: "64"}: nil,
		{Enabled: true, Cap: "64"}:  {spec.EnableVar: "yes"},
		{Enabled: false, Cap: "9"}:  {spec.EnableVar: "", spec.MaxSessionsVar: "9"},
	} {
		if got, err := fresh(t, spec.Process{Env: env}).Resolve(spec.Config{}); err != nil || got != want {
			t.Errorf("in %v, Resolve = %v, %v, want %v", env, got, err, want)
		}
	}
}

func TestTheReferenceIsTheSameOverThePipe(t *testing.T) {
	near, err := driver.Open(subject.New)(t.Context(), spec.Process{})
	if err != nil {
		t.Fatal(err)
	}
	far := fresh(t, spec.Process{})
	if a, b := near.Hello(), far.Hello(); a.Name != b.Name || !slices.Equal(a.Can, b.Can) || !slices.Equal(a.Layers, b.Layers) {
		t.Errorf("Hello = %v in process and %v over the pipe", a, b)
	}
	reading := func(s *op.Client) string {
		t.Helper()
		m, err := s.NewManager(spec.ManagerSpec{Cap: new(2)})
		if err != nil {
			t.Fatal(err)
		}
		a, err := m.Session("a")
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.Make(spec.Tensor("bfloat16", 1, 2, 3))
		if err != nil {
			t.Fatal(err)
		}
		if err := a.SetAttr("x", v); err != nil {
			t.Fatal(err)
		}
		got, err := a.Attr("x")
		if err != nil {
			t.Fatal(err)
		}
		r, err := got.Read()
		if err != nil {
			t.Fatal(err)
		}
		st, err := m.Stats()
		if err != nil || st.Total() != 12 {
			t.Errorf("Stats = %v, %v, want 12 bytes", st, err)
		}
		return r.SHA256
	}
	if a, b := reading(near), reading(far); a != b {
		t.Errorf("the tensor reads %s in process and %s over the pipe", a, b)
	}
}

func TestARefusalKeepsItsKindOverThePipe(t *testing.T) {
	s := fresh(t, spec.Process{})
	if _, err := s.NewManager(spec.ManagerSpec{Cap: new(0)}); !errors.Is(err, spec.InvalidArgument) {
		t.Errorf("a cap of 0: %v, want %s", err, spec.InvalidArgument)
	}
}

func TestWarningsComeOverThePipe(t *testing.T) {
	var records []spec.Record
	s := fresh(t, spec.Process{Env: map[string]string{spec.MaxSessionsVar: "many"}, Log: func(r spec.Record) { records = append(records, r) }})
	if _, err := s.Resolve(spec.Config{}); err != nil {
		t.Fatal(err)
	}
	if len(records) != 1 || records[0].Level != "warning" || !strings.Contains(records[0].Text, "many") {
		t.Errorf("records = %v, want one warning that names the value", records)
	}
}

func TestABadDriverIsNamedAndEnded(t *testing.T) {
	for bad, want := range map[string]struct {
		fate op.Fate
		says string
	}{
		"dies":     {op.Crashed, "no such device"},
		"noise":    {op.Garbled, "Loading weights"},
		"wrong id": {op.Garbled, "99"},
		"silent":   {op.Hung, "deadline"},
		"neither":  {op.Garbled, "neither"},
		"empty":    {op.Garbled, "hello"},
	} {
		t.Run(bad, func(t *testing.T) {
			t.Setenv(badVar, bad)
			began := time.Now()
			deadline := time.Minute // the others are seen at once, however busy the machine
			if want.fate == op.Hung {
				deadline = 300 * time.Millisecond
			}
			_, err := driver.OpenWithin(printing, deadline)(t.Context(), spec.Process{Fresh: true})
			f, ok := errors.AsType[*op.Failure](err)
			if !ok || f.Fate != want.fate || !strings.Contains(err.Error(), want.says) {
				t.Errorf("Open = %v, want a failure of fate %s that says %q", err, want.fate, want.says)
			}
			if took := time.Since(began); took > 30*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

func TestARequestThatIsNoneIsAnswered(t *testing.T) {
	var out strings.Builder
	in := strings.NewReader("not JSON\n" + `{"id":2,"method":"fly"}` + "\n" + `{"id":3,"method":"contains","params":{"on":"m9","session":"a"}}` + "\n" +
		`{"id":4,"method":"new_manager","params":{"manager_spec":{"cap":1}}}` + "\n" + `{"id":5,"method":"resolve","params":{"config":{}}}` + "\n")
	if err := driver.Serve(subject.New, in, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	want := []string{"internal", "unsupported", "m9", "params.as", `"cap":"64"`}
	if len(lines) != len(want) {
		t.Fatalf("%d answers, want %d:\n%s", len(lines), len(want), out.String())
	}
	for i, w := range want {
		if !strings.Contains(lines[i], w) {
			t.Errorf("answer %d is %s, want %q in it", i+1, lines[i], w)
		}
	}
}

func TestClosingEndsTheProcess(t *testing.T) {
	s := fresh(t, spec.Process{})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Resolve(spec.Config{}); err == nil {
		t.Error("a closed subject answers")
	}
}
