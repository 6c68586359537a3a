package reference_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/statespec/statespec/fixtures/upstream"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/tensor"
)

// bytesHeld is an answer of stats about bytes, in words.
func bytesHeld[D ~string](byDevice map[D]int64, total int64, unmeasured []string) string {
	var said []string
	for _, device := range slices.Sorted(maps.Keys(byDevice)) {
		said = append(said, fmt.Sprint(device, " ", byDevice[device]))
	}
	said = append(said, fmt.Sprint("total ", total))
	for _, what := range unmeasured {
		said = append(said, "not measured: "+what)
	}
	return strings.Join(said, ", ")
}

func recordedBytes(o upstream.AccountingOutcome) string {
	if o.Error != "" {
		return "error " + o.Error
	}
	if o.Total == nil {
		return "neither bytes nor an error"
	}
	return bytesHeld(o.Bytes, *o.Total, nil)
}

func TestTheAccountingCountsAsRecorded(t *testing.T) {
	rows, err := upstream.Accounting()
	if err != nil {
		t.Fatal(err)
	}
	r := newReplay("accounting.json", differences)
	left := constructions()
	for _, row := range rows {
		construct, known := left[row.Case]
		if !known {
			t.Errorf("accounting.json, %s: there is no such construction here", row.Case)
			continue
		}
		delete(left, row.Case)
		s := newScene(t)
		construct(s)
		got := s.manager.Stats()
		if err := r.row(row.Case, recordedBytes(row.Outcome), bytesHeld(got.BytesByDevice, got.TotalBytes, got.Unmeasured)); err != nil {
			t.Error(err)
		}
	}
	for name := range left {
		t.Errorf("construction %q is of no row", name)
	}
	r.finish(t)
}

// Aliases are met in the order of a map, which differs from call to call: the
// figures must not.
func TestTheAccountingOfARecordedConstructionIsTheSameEveryTime(t *testing.T) {
	for name, construct := range constructions() {
		s := newScene(t)
		construct(s)
		first := s.manager.Stats()
		for range 20 {
			again := s.manager.Stats()
			if got, want := again.TotalBytes, first.TotalBytes; got != want || !maps.Equal(again.BytesByDevice, first.BytesByDevice) {
				t.Fatalf("Stats of %s = %d %v, want %d %v as the first time", name, got, again.BytesByDevice, want, first.BytesByDevice)
			}
		}
	}
}

// A scene is a manager in which a construction is set up.
type scene struct {
	t       *testing.T
	manager *manager.Manager
}

func newScene(t *testing.T) *scene {
	t.Helper()
	m, err := manager.New(manager.Options{MaxSessions: 4})
	if err != nil {
		t.Fatal(err)
	}
	return &scene{t, m}
}

// got returns what a call returned, which went well.
func got[T any](s *scene) func(T, error) T {
	return func(v T, err error) T {
		s.t.Helper()
		s.good(err)
		return v
	}
}

func (s *scene) good(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// session returns a session by its id.
func (s *scene) session(id string) *manager.Session {
	s.t.Helper()
	return got[*manager.Session](s)(s.manager.Session(id))
}

// set assigns an attribute of the session that most constructions use.
func (s *scene) set(name string, v any) {
	s.t.Helper()
	s.session("a").SetAttr(name, v)
}

// slice is a view of n bytes of v, from a byte on.
func (s *scene) slice(v *tensor.Tensor, from, n int) *tensor.Tensor {
	s.t.Helper()
	return got[*tensor.Tensor](s)(v.Narrow(0, from, n))
}
