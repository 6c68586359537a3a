package eviction

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/statespec/statespec/spec/op"
)

// said reads a history: a line a call, "start-end id=instance" for session and
// "start-end id?yes" or "id?no" for contains.
func said(t *testing.T, text string) (h history) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		var c call
		var id, answer string
		if _, err := fmt.Sscanf(line, "%d-%d %1s", &c.start, &c.end, &id); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		_, answer, _ = strings.Cut(line, id)
		c.id, c.method = id, "session"
		switch answer {
		case "?yes":
			c.method, c.is = "contains", true
		case "?no":
			c.method = "contains"
		default:
			if _, err := fmt.Sscanf(answer, "=%d", &c.instance); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
		}
		c.thread = len(h)
		h = append(h, c)
	}
	return h
}

func TestHistoriesAreJudgedByTheirRule(t *testing.T) {
	for _, c := range []struct {
		what          string
		calls         string
		strict, loose porcupine.CheckResult
	}{
		{"one after the other", "1-2 a=1\n3-4 a=1\n5-6 b=2\n7-8 a?yes", porcupine.Ok, porcupine.Ok},
		{"two sessions for one id at once", "1-5 a=1\n2-6 a=2", porcupine.Illegal, porcupine.Ok},
		{"… and then the first again", "1-5 a=1\n2-6 a=2\n7-8 a=1\n9-10 a=2", porcupine.Illegal, porcupine.Illegal},
		{"a hit that is a stranger", "1-2 a=1\n3-4 a=2\n5-6 a=1", porcupine.Illegal, porcupine.Illegal},
		{"the least recent gone", "1-2 a=1\n3-4 b=2\n5-6 a=1\n7-8 c=3\n9-10 b?no\n11-12 a?yes", porcupine.Ok, porcupine.Ok},
		{"another one gone", "1-2 a=1\n3-4 b=2\n5-6 a=1\n7-8 c=3\n9-10 a?no", porcupine.Illegal, porcupine.Ok},
		{"gone, and back as it was", "1-2 a=1\n3-4 b=2\n5-6 c=3\n7-8 a?no\n9-10 a=1", porcupine.Illegal, porcupine.Illegal},
		{"contained before it was asked for", "1-2 a?yes\n3-4 a=1", porcupine.Illegal, porcupine.Illegal},
		{"contained while it is asked for", "1-5 a?yes\n2-6 a=1", porcupine.Ok, porcupine.Ok},
		{"one session for two ids", "1-2 a=1\n3-4 b=1", porcupine.Illegal, porcupine.Illegal},
		{"an order that only overlap allows", "1-9 a=1\n2-3 b=2\n4-5 c=3\n6-7 b?yes\n10-11 a?yes\n12-13 c?yes\n14-15 b?no", porcupine.Ok, porcupine.Ok},
	} {
		h := said(t, c.calls)
		if got := h.judge(strictly(2)); got != c.strict {
			t.Errorf("%s, by an LRU cache of 2 = %s, want %s:\n%v", c.what, got, c.strict, h)
		}
		if got := h.judge(loosely); got != c.loose {
			t.Errorf("%s, by any bounded cache = %s, want %s:\n%v", c.what, got, c.loose, h)
		}
	}
}

func TestAWrongHistoryIsCutWhereNothingWasUnderWay(t *testing.T) {
	h := said(t, "1-2 a=1\n3-4 b=2\n5-9 a=3\n6-10 b=2\n11-12 a=3\n13-14 c=4")
	got := h.beginning(func(h history) bool { return h.judge(strictly(2)) == porcupine.Illegal })
	if len(got) != 4 {
		t.Errorf("beginning = %d calls, want the 4 up to the stranger and what overlapped it:\n%v", len(got), got)
	}
}

func TestAFigureIsOneOfItsTime(t *testing.T) {
	wrote := []op.Event{{Start: 10, End: 12}, {Start: 20, End: 22}, {Start: 30, End: 32}}
	figures := []int64{0, 1, 2, 3} // before the first write and after each
	for _, c := range []struct {
		start, end time.Duration
		want       []int64
	}{
		{0, 5, []int64{0}}, {0, 11, []int64{0, 1}}, {13, 19, []int64{1}}, {11, 21, []int64{0, 1, 2}}, {12, 12, []int64{0, 1}},
		{15, 35, []int64{1, 2, 3}}, {40, 50, []int64{3}},
	} {
		if got := figuresDuring(op.Event{Start: c.start, End: c.end}, wrote, figures); !slices.Equal(got, c.want) {
			t.Errorf("figuresDuring(%d to %d) = %v, want %v", c.start, c.end, got, c.want)
		}
	}
}

func TestOnlyWhatChangesDuringACallOverlapsIt(t *testing.T) {
	looks := []op.Event{{Start: 10, End: 20}}
	for _, c := range []struct {
		start, end time.Duration
		want       int
	}{
		{1, 5, 0}, {5, 15, 1}, {12, 13, 1}, {15, 25, 1}, {5, 25, 0}, {20, 25, 0},
	} {
		if got := during(looks, []op.Event{{Start: c.start, End: c.end}}); got != c.want {
			t.Errorf("during(10 to 20, %d to %d) = %d, want %d", c.start, c.end, got, c.want)
		}
	}
}

func TestLookalikesAreDifferentIDs(t *testing.T) {
	for i, id := range lookalikes {
		if slices.Contains(lookalikes[:i], id) {
			t.Errorf("lookalikes: %q is there twice", id)
		}
	}
}
