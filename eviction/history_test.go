package eviction

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/statespec/statespec/spec/op"
)

// told reads a history: a line a call, "start-end id=instance" for session,
// "id?yes" or "id?no" for contains, "id!yes" or "id!no" for drop, "id~instance" or
// "id~lost" for continue, and "name:n,name:n" for stats.
func told(t *testing.T, text string) (h history) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		c, err := toldCall(line)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		c.thread = len(h)
		h = append(h, c)
	}
	return h
}

func toldCall(line string) (c call, err error) {
	var what string
	if _, err := fmt.Sscanf(line, "%d-%d %s", &c.start, &c.end, &what); err != nil {
		return c, err
	}
	if strings.Contains(what, ":") {
		c.method, c.counts = "stats", map[string]int64{}
		for figure := range strings.SplitSeq(what, ",") {
			name, n, _ := strings.Cut(figure, ":")
			if c.counts[name], err = strconv.ParseInt(n, 10, 64); err != nil {
				return c, err
			}
		}
		return c, nil
	}
	at := strings.IndexAny(what, "=?!~")
	c.id, c.method = what[:at], map[byte]string{'=': "session", '?': "contains", '!': "drop", '~': "continue"}[what[at]]
	switch answer := what[at+1:]; answer {
	case "yes", "no":
		c.is = answer == "yes"
	case "lost":
	default:
		c.instance, err = strconv.Atoi(answer)
	}
	return c, err
}

// judged is a judge's word, of all patience.
func judged(m porcupine.Model, ops []porcupine.Operation) porcupine.CheckResult {
	judge := judge{time.Minute}
	return judge.of(m, ops)
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
		{"dropped, and fresh when it is asked for again", "1-2 a=1\n3-4 a!yes\n5-6 a?no\n7-8 a=2", porcupine.Ok, porcupine.Ok},
		{"dropped, and back as it was", "1-2 a=1\n3-4 a!yes\n5-6 a=1", porcupine.Illegal, porcupine.Illegal},
		{"dropped, and still contained", "1-2 a=1\n3-4 a!yes\n5-6 a?yes", porcupine.Illegal, porcupine.Illegal},
		{"dropped twice", "1-2 a=1\n3-4 a!yes\n5-6 a!yes", porcupine.Illegal, porcupine.Illegal},
		{"dropped twice at once", "1-2 a=1\n3-6 a!yes\n4-5 a!yes", porcupine.Illegal, porcupine.Illegal},
		{"dropped twice at once, and asked for between", "1-2 a=1\n3-8 a!yes\n4-7 a!yes\n5-6 a=2", porcupine.Ok, porcupine.Ok},
		{"nothing to drop, and it is there", "1-2 a=1\n3-4 a!no\n5-6 a?yes", porcupine.Illegal, porcupine.Illegal},
		{"nothing to drop, and it is given up", "1-2 a=1\n3-4 a!no\n5-6 a=2", porcupine.Illegal, porcupine.Ok},
		{"dropped before it was asked for", "1-2 a!yes\n3-4 a=1", porcupine.Illegal, porcupine.Illegal},
		{"a place that a drop gave back", "1-2 a=1\n3-4 b=2\n5-6 a!yes\n7-8 c=3\n9-10 b?yes\n11-12 c?yes", porcupine.Ok, porcupine.Ok},
		{"a place that a drop did not give back", "1-2 a=1\n3-4 b=2\n5-6 a!yes\n7-8 c=3\n9-10 b?no", porcupine.Illegal, porcupine.Ok},
		{"continued", "1-2 a=1\n3-4 a~1\n5-6 b~lost", porcupine.Ok, porcupine.Ok},
		{"continued as a stranger", "1-2 a=1\n3-4 a~2", porcupine.Illegal, porcupine.Illegal},
		{"continued before it was asked for", "1-2 a~1\n3-4 a=1", porcupine.Illegal, porcupine.Illegal},
		{"lost, and there", "1-2 a=1\n3-4 a~lost\n5-6 a=1", porcupine.Illegal, porcupine.Illegal},
		{"continued after it was dropped", "1-2 a=1\n3-4 a!yes\n5-6 a~1", porcupine.Illegal, porcupine.Illegal},
		{"continued while it is dropped", "1-2 a=1\n3-6 a!yes\n4-5 a~1\n7-8 a~lost", porcupine.Ok, porcupine.Ok},
		{"the least recent gone, another continued", "1-2 a=1\n3-4 b=2\n5-6 a~1\n7-8 c=3\n9-10 b?no\n11-12 a?yes", porcupine.Ok, porcupine.Ok},
		{"an order that only overlap allows", "1-9 a=1\n2-3 b=2\n4-5 c=3\n6-7 b?yes\n10-11 a?yes\n12-13 c?yes\n14-15 b?no", porcupine.Ok, porcupine.Ok},
	} {
		h := told(t, c.calls)
		if got := judged(model(strictly(2)), h.operations()); got != c.strict {
			t.Errorf("%s, by an LRU cache of 2 = %s, want %s:\n%v", c.what, got, c.strict, h)
		}
		if got := judged(model(loosely), h.operations()); got != c.loose {
			t.Errorf("%s, by any bounded cache = %s, want %s:\n%v", c.what, got, c.loose, h)
		}
	}
}

func TestAWrongHistoryIsCutWhereNothingWasUnderWay(t *testing.T) {
	h := told(t, "1-2 a=1\n3-4 b=2\n5-9 a=3\n6-10 b=2\n11-12 a=3\n13-14 c=4")
	got := h.beginning(func(h history) bool { return judged(model(strictly(2)), h.operations()) == porcupine.Illegal })
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
