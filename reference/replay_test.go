package reference_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
)

// A replay compares a recording with the reference, row by row. A row is
// either equal, or differs exactly as the table of differences says.
type replay struct {
	recording string
	due       map[string]difference // by row
	met       map[string]bool       // those of due that came up

	rows, equal, onPurpose int
}

func newReplay(recording string, table []difference) *replay {
	r := &replay{recording: recording, due: map[string]difference{}, met: map[string]bool{}}
	for _, d := range table {
		if d.recording == recording {
			r.due[d.row] = d
		}
	}
	return r
}

// row judges one row by what was recorded and what the reference does, both in
// words.
func (r *replay) row(key, recorded, ours string) error {
	r.rows++
	d, listed := r.due[key]
	switch {
	case !listed && recorded == ours:
		r.equal++
		return nil
	case !listed:
		return fmt.Errorf("%s, %s = %q, want %q as recorded; no difference on purpose is listed", r.recording, key, ours, recorded)
	}
	r.met[key] = true
	switch {
	case recorded == ours:
		return fmt.Errorf("%s, %s = %q as recorded: the difference listed under %s is stale", r.recording, key, ours, d.guarantee)
	case recorded != d.recorded:
		return fmt.Errorf("%s, %s: recorded is %q, the listed difference says %q", r.recording, key, recorded, d.recorded)
	case ours != d.ours:
		return fmt.Errorf("%s, %s = %q, want %q: the listed difference, under %s", r.recording, key, ours, d.ours, d.guarantee)
	}
	r.onPurpose++
	return nil
}

// end judges the table: every difference that it lists came up.
func (r *replay) end() error {
	var stale []error
	for _, key := range slices.Sorted(maps.Keys(r.due)) {
		if !r.met[key] {
			stale = append(stale, fmt.Errorf("%s, %s: a difference is listed for a row that is not there", r.recording, key))
		}
	}
	return errors.Join(stale...)
}

// finish reports the end of a replay and its counts.
func (r *replay) finish(t *testing.T) {
	t.Helper()
	if err := r.end(); err != nil {
		t.Error(err)
	}
	t.Logf("%s: %d rows replayed, %d equal, %d differ on purpose", r.recording, r.rows, r.equal, r.onPurpose)
}

// The judge is tried on what it must not let pass.
func TestAReplayFailsOnAnyOtherDifferenceThanTheListedOne(t *testing.T) {
	table := []difference{{recording: "x.json", row: "b", recorded: "1", ours: "2", guarantee: "ENV-12"}}
	for name, c := range map[string]struct {
		key, recorded, ours string
		good                bool
	}{
		"equal":                     {"a", "1", "1", true},
		"differs unlisted":          {"a", "1", "2", false},
		"differs as listed":         {"b", "1", "2", true},
		"listed, and equal":         {"b", "1", "1", false},
		"listed, and differs again": {"b", "1", "3", false},
		"listed, and re-recorded":   {"b", "0", "2", false},
	} {
		r := newReplay("x.json", table)
		if err := r.row(c.key, c.recorded, c.ours); (err == nil) != c.good {
			t.Errorf("row %s = %v, want it to pass: %v", name, err, c.good)
		}
		if err := r.end(); (err == nil) != (c.key == "b") {
			t.Errorf("end after row %s = %v, want it to pass: %v", name, err, c.key == "b")
		}
	}
}
