package op_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// counter is a subject with one manager, whose only operation counts.
type counter struct {
	spec.MinimalSubject
	log    func(spec.Record)
	n      atomic.Int64
	closed atomic.Bool
}

func (c *counter) Hello() spec.Hello {
	return spec.Hello{Protocol: spec.ProtocolVersion, Name: "counter", Devices: []string{"cpu"}, Can: []spec.Capability{spec.CanRace}}
}
func (c *counter) Resolve(cfg spec.Config) (spec.Resolution, error) {
	c.log(spec.Record{Level: "warning", Text: "resolved " + cfg.File})
	return spec.Resolution{Cap: "64"}, nil
}
func (c *counter) NewManager(spec.ManagerSpec) (spec.Manager, error) { return manager{of: c}, nil }
func (c *counter) NewObject(spec.ObjectSpec) (spec.Object, error) {
	return nil, errors.New("of no kind")
}
func (c *counter) Make(r spec.Recipe) (spec.Value, error) {
	switch r.Step {
	case "panic":
		panic("made to")
	case "hang":
		select {}
	case "lost":
		return nil, spec.Refuse(spec.Internal, "lost itself")
	}
	return nil, spec.Refuse(spec.TypeMismatch, "no %s", r.Step)
}
func (c *counter) Close() error { c.closed.Store(true); return nil }

type manager struct {
	spec.MinimalManager
	spec.Manager
	of *counter
}

func (m manager) Contains(id string) (bool, error) {
	if id == "panic" {
		panic("made to")
	}
	m.of.n.Add(1)
	return id == "here", nil
}
func (m manager) Continue(id string) (spec.Session, error) { return m.MinimalManager.Continue(id) }
func (m manager) Drop(id string) (bool, error)             { return m.MinimalManager.Drop(id) }
func (m manager) RaiseCap(n int) (bool, error)             { return m.MinimalManager.RaiseCap(n) }
func (m manager) Free(device string, n int64) ([]spec.Freed, error) {
	return m.MinimalManager.Free(device, n)
}
func (m manager) Release() error { return nil }

func client(t *testing.T, deadline time.Duration) (*op.Client, *counter, *[]spec.Record) {
	t.Helper()
	log, records := &op.Log{}, &[]spec.Record{}
	s := &counter{log: log.Add}
	c, err := op.NewClient(op.Local(s, log), deadline, func(r spec.Record) { *records = append(*records, r) })
	if err != nil {
		t.Fatal(err)
	}
	return c, s, records
}

// A word with a slip of the pen would claim nothing, in silence.
func TestAMisspokenHelloIsNoStart(t *testing.T) {
	for want, change := range map[string]func(*spec.Hello){
		"hello.name":           func(h *spec.Hello) { h.Name = " " },
		"hello.devices":        func(h *spec.Hello) { h.Devices = nil },
		"hello.use":            func(h *spec.Hello) { h.Use = "sometimes" },
		"hello.environment":    func(h *spec.Hello) { h.Environment = "once" },
		"hello.layers":         func(h *spec.Hello) { h.Layers = []spec.Layer{"managers"} },
		"hello.can":            func(h *spec.Hello) { h.Can = []spec.Capability{"thread"} },
		"hello.kinds":          func(h *spec.Hello) { h.Kinds = []spec.KindInfo{{Kind: "ring"}} },
		"hello.kinds.bounds":   func(h *spec.Hello) { h.Kinds = []spec.KindInfo{{Kind: spec.Spy, Bounds: []spec.BoundUnit{"frame"}}} },
		"hello.kinds.resident": func(h *spec.Hello) { h.Kinds = []spec.KindInfo{{Kind: spec.Spy, Resident: "always"}} },
		"hello.kinds.keeps":    func(h *spec.Hello) { h.Kinds = []spec.KindInfo{{Kind: spec.Spy, Resident: "allocate", Keeps: "both"}} },
		"hello.holds":          func(h *spec.Hello) { h.Holds = []spec.ValueKind{"dict"} },
		"hello.blind":          func(h *spec.Hello) { h.Blind = []spec.ValueKind{"sets"} },
		"protocol":             func(h *spec.Hello) { h.Protocol = 0 },
	} {
		s := &misspoken{counter: &counter{}, change: change}
		_, err := op.NewClient(op.Local(s, &op.Log{}), time.Minute, nil)
		if f, ok := errors.AsType[*op.Failure](err); !ok || f.Fate != op.Garbled || !strings.Contains(err.Error(), want) {
			t.Errorf("NewClient = %v, want a failure that names %s", err, want)
		}
	}
}

type misspoken struct {
	*counter
	change func(*spec.Hello)
}

func (m *misspoken) Hello() spec.Hello {
	h := m.counter.Hello()
	m.change(&h)
	return h
}

func TestALogLevelThatNobodyKnowsIsNoAnswer(t *testing.T) {
	log := &op.Log{}
	c, err := op.NewClient(op.Local(&counter{log: func(r spec.Record) { r.Level = "WARN"; log.Add(r) }}, log), time.Minute, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Resolve(spec.Config{}); err == nil || !strings.Contains(err.Error(), "WARN") {
		t.Errorf("Resolve = %v, want a failure that names the level", err)
	}
}

func make1(c *op.Client, step string) error {
	_, err := c.Make(spec.Recipe{Step: step})
	return err
}

func TestARefusalIsNoFailure(t *testing.T) {
	c, _, _ := client(t, time.Minute)
	if err := make1(c, "tensor"); !errors.Is(err, spec.TypeMismatch) || !spec.IsRefusal(err) {
		t.Errorf("Make = %v, want a refusal of kind %s", err, spec.TypeMismatch)
	}
	if _, err := c.NewObject(spec.ObjectSpec{}); spec.KindOf(err) != spec.Raised || !strings.Contains(err.Error(), "of no kind") {
		t.Errorf("NewObject = %v, want a refusal of kind %s with the implementation's words", err, spec.Raised)
	}
	if _, err := c.Memory(); spec.KindOf(err) != spec.Unsupported || spec.IsRefusal(err) {
		t.Errorf("Memory = %v, want %s, which is no refusal", err, spec.Unsupported)
	}
	if err := c.Failure(); err != nil {
		t.Errorf("Failure = %v, want none", err)
	}
}

func TestAPanicAndAHangAreTheEndOfTheSubject(t *testing.T) {
	for step, fate := range map[string]op.Fate{"panic": op.Crashed, "hang": op.Hung} {
		c, _, _ := client(t, 50*time.Millisecond)
		err := make1(c, step)
		f, ok := errors.AsType[*op.Failure](err)
		if !ok || f.Fate != fate || f.Request.Method != "make" {
			t.Fatalf("Make = %v, want a failure of fate %s", err, fate)
		}
		if _, again := c.Resolve(spec.Config{}); again != err {
			t.Errorf("after it, Resolve = %v, want the same failure", again)
		}
		if c.Failure() != err {
			t.Errorf("Failure = %v, want %v", c.Failure(), err)
		}
		if step == "panic" && !strings.Contains(err.Error(), "client_test.go") {
			t.Errorf("the failure %v does not show where it rose", err)
		}
	}
}

func TestTheDriversOwnFailureIsRemembered(t *testing.T) {
	c, _, _ := client(t, time.Minute)
	if err := make1(c, "lost"); spec.IsRefusal(err) {
		t.Errorf("Make = %v, which reads as a refusal", err)
	}
	if f, ok := errors.AsType[*op.Failure](c.Failure()); !ok || f.Fate != op.Garbled {
		t.Errorf("Failure = %v, want one of fate %s", c.Failure(), op.Garbled)
	}
}

func TestWhatIsLoggedComesWithTheAnswer(t *testing.T) {
	c, _, records := client(t, time.Minute)
	if _, err := c.Resolve(spec.Config{File: "a: b"}); err != nil {
		t.Fatal(err)
	}
	if want := []spec.Record{{Level: "warning", Text: "resolved a: b"}}; !slices.Equal(*records, want) {
		t.Errorf("records = %v, want %v", *records, want)
	}
}

func TestAReleasedHandleIsGone(t *testing.T) {
	c, _, _ := client(t, time.Minute)
	m, err := c.NewManager(spec.ManagerSpec{})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Release(); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Contains("a"); spec.KindOf(err) != spec.Internal {
		t.Errorf("Contains on a released handle = %v, want %s", err, spec.Internal)
	}
}

func TestARaceAnswersEveryCallOfEveryThread(t *testing.T) {
	c, s, _ := client(t, time.Minute)
	m, err := c.NewManager(spec.ManagerSpec{})
	if err != nil {
		t.Fatal(err)
	}
	const each = 500
	threads := make([][]op.Call, 3)
	for i := range threads {
		threads[i] = slices.Repeat([]op.Call{op.IsRetained(m, []string{"here", "gone"}[i%2])}, each)
	}
	got, err := c.Race(threads...)
	if err != nil {
		t.Fatal(err)
	}
	if n := s.n.Load(); n != 3*each {
		t.Errorf("%d calls came, want %d", n, 3*each)
	}
	for i, events := range got {
		if len(events) != each {
			t.Fatalf("thread %d has %d answers, want %d", i, len(events), each)
		}
		for j, e := range events {
			if e.Err != nil || e.Is != (i%2 == 0) || e.End < e.Start || j > 0 && e.Start < events[j-1].End {
				t.Fatalf("thread %d, call %d answered %+v", i, j, e)
			}
		}
	}
}

func TestAPanicInARaceIsACrash(t *testing.T) {
	c, _, _ := client(t, time.Minute)
	m, err := c.NewManager(spec.ManagerSpec{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Race([]op.Call{op.IsRetained(m, "here")}, []op.Call{op.IsRetained(m, "panic")})
	if f, ok := errors.AsType[*op.Failure](err); !ok || f.Fate != op.Crashed {
		t.Errorf("Race = %v, want a failure of fate %s", err, op.Crashed)
	}
}

func TestATranscriptIsWhatWasAsked(t *testing.T) {
	c, _, _ := client(t, time.Minute)
	m, _ := c.NewManager(spec.ManagerSpec{Cap: new(2)})
	for range 3000 {
		if _, err := m.Contains("a"); err != nil {
			t.Fatal(err)
		}
	}
	calls, left := c.Transcript()
	if len(calls)+left != 3002 || left == 0 {
		t.Errorf("%d calls and %d left out, want 3002 in all and some left out", len(calls), left)
	}
	line := calls[len(calls)-1].String()
	var back op.Call
	if err := json.Unmarshal([]byte(line), &back); err != nil || back.Method != "contains" || *back.Params.Session != "a" {
		t.Errorf("the last call reads %s (%v)", line, err)
	}
}

func TestOverlapsCountsWhatRanBesideAnotherThread(t *testing.T) {
	at := func(start, end int) op.Event { return op.Event{Start: time.Duration(start), End: time.Duration(end)} }
	race := [][]op.Event{{at(0, 10), at(20, 30)}, {at(5, 8), at(40, 50)}}
	if n := op.Overlaps(race); n != 2 {
		t.Errorf("Overlaps = %d, want 2", n)
	}
	if n := op.Overlaps(race[:1]); n != 0 {
		t.Errorf("Overlaps of one thread = %d, want 0", n)
	}
}

func TestClosingAClientClosesTheSubject(t *testing.T) {
	c, s, _ := client(t, time.Minute)
	if err := c.Close(); err != nil || !s.closed.Load() {
		t.Errorf("Close = %v, subject closed: %v", err, s.closed.Load())
	}
}
