package driver_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/driver/hostile"
	"github.com/statespec/statespec/driver/reap"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// pool is of this test binary as a driver that does one bad thing.
func pool(t *testing.T, name string, c driver.Command) *driver.Pool {
	t.Helper()
	t.Setenv(hostile.Var, name)
	if err := reap.Adopt(); err != nil {
		t.Fatal(err)
	}
	c.Args = []string{os.Args[0]}
	p := driver.NewPool(c)
	t.Cleanup(func() {
		p.Close()
		if left := alive(t); len(left) > 0 {
			t.Errorf("processes left behind: %v", left)
		}
	})
	return p
}

// alive lists the processes that a driver of this process is or started.
func alive(t *testing.T) (left []string) {
	t.Helper()
	mark := fmt.Appendf(nil, "%s=%d.", driver.IDVar, os.Getpid())
	found, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range found {
		if env, err := os.ReadFile(file); err == nil && bytes.Contains(env, mark) {
			status, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "stat"))
			left = append(left, string(status))
		}
	}
	return left
}

func open(t *testing.T, p *driver.Pool, want spec.Process) *op.Client {
	t.Helper()
	s, err := p.Open(t.Context(), want)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAHostileDriverIsNamedEndedAndReplaced(t *testing.T) {
	for _, h := range hostile.Drivers() {
		t.Run(h.Name, func(t *testing.T) {
			within := time.Minute // which on a busy machine is far off; a hang takes all of it
			if h.Fate == string(op.Hung) {
				within = 3 * time.Second
			}
			p := pool(t, h.Name, driver.Command{Start: within, Request: within, Restarts: 10})
			for range 2 { // the next one, after it, is asked as if nothing had been
				began := time.Now()
				s, err := p.Open(t.Context(), spec.Process{})
				if !h.AtStart {
					if err != nil {
						t.Fatal(err)
					}
					m, made := s.NewManager(spec.ManagerSpec{Cap: new(1)})
					if made != nil {
						t.Fatal(made)
					}
					for err == nil { // an answer too many is seen with the next request
						_, err = m.Contains("a")
					}
					s.Close()
				}
				failure, ok := errors.AsType[*op.Failure](err)
				if !ok || string(failure.Fate) != h.Fate || !strings.Contains(failure.Error(), h.Says) {
					t.Errorf("it came to %.600v, want %s, with %q", err, h.Fate, h.Says)
				}
				t.Logf("%v", time.Since(began).Round(time.Millisecond))
				if h.Fate == string(op.Hung) {
					return // once is enough: each takes its time
				}
			}
		})
	}
}

func TestAProcessServesOneSubjectAfterTheOther(t *testing.T) {
	p := pool(t, hostile.Good, driver.Command{})
	for range 3 {
		s := open(t, p, spec.Process{})
		if _, err := s.NewManager(spec.ManagerSpec{Cap: new(1)}); err != nil { // the same handle each time
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if left := alive(t); len(left) != 1 {
		t.Errorf("%d processes, want the one that is kept", len(left))
	}
	a, b := open(t, p, spec.Process{}), open(t, p, spec.Process{})
	if left := alive(t); len(left) != 2 {
		t.Errorf("%d processes for two subjects at once, want 2", len(left))
	}
	a.Close()
	b.Close()
}

func TestAPoolKeepsFewProcesses(t *testing.T) {
	p := pool(t, hostile.Good, driver.Command{})
	var all []*op.Client
	for range 4 {
		all = append(all, open(t, p, spec.Process{}))
	}
	for _, s := range all {
		s.Close()
	}
	if left := alive(t); len(left) != 2 {
		t.Errorf("%d processes, want the two that are kept", len(left))
	}
}

func TestASubjectHasTheEnvironmentThatWasAskedFor(t *testing.T) {
	t.Setenv(spec.EnableVar, "1") // the harness's own, which is not the subject's
	p := pool(t, hostile.Good, driver.Command{})
	for _, fresh := range []bool{false, true} {
		for want, env := range map[spec.Resolution]map[string]string{
			{Enabled: false, Cap: "64"}: nil,
			{Enabled: true, Cap: "64"}:  {spec.EnableVar: "yes"},
			{Enabled: false, Cap: "9"}:  {spec.EnableVar: "", spec.MaxSessionsVar: "9"},
		} {
			s := open(t, p, spec.Process{Env: env, Fresh: fresh})
			if got, err := s.Resolve(spec.Config{}); err != nil || got != want {
				t.Errorf("fresh %t, in %v: Resolve = %v, %v, want %v", fresh, env, got, err, want)
			}
			s.Close()
		}
	}
}

func TestADriverThatFailsTooOftenIsGivenUp(t *testing.T) {
	p := pool(t, "dies at start", driver.Command{Restarts: 2})
	for range 3 {
		if _, err := p.Open(t.Context(), spec.Process{}); err == nil || !strings.Contains(err.Error(), "ImportError") {
			t.Fatalf("it came to %v, want what it printed", err)
		}
	}
	if _, err := p.Open(t.Context(), spec.Process{}); err == nil || !strings.Contains(err.Error(), "no more than 2 restarts") {
		t.Errorf("the fourth came to %v, want it given up", err)
	}
}

func TestACommandThatCannotBeRunIsNamed(t *testing.T) {
	for _, args := range [][]string{nil, {"no-such-program-of-anybody"}, {os.DevNull}} {
		if err := (driver.Command{Args: args}).Check(); err == nil {
			t.Errorf("Check of %q = nil, want an error", args)
		}
	}
}

func TestBytesOfALargeTensorComeByFile(t *testing.T) {
	s := open(t, pool(t, hostile.Good, driver.Command{}), spec.Process{})
	defer s.Close()
	raw := bytes.Repeat([]byte{1, 2, 3, 4}, spec.ReadLimit) // four times what a line carries
	v, err := s.Make(spec.Bits("uint8", raw, len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	r, err := v.Read()
	if want := fmt.Sprintf("%x", sha256.Sum256(raw)); err != nil || r.SHA256 != want {
		t.Errorf("it reads as %s, %v, want %s", r.SHA256, err, want)
	}
	if found, _ := filepath.Glob(filepath.Join(os.TempDir(), "statespec-*.raw")); len(found) > 0 {
		t.Errorf("left behind: %v", found)
	}
}
