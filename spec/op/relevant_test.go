package op_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/statespec/statespec/spec/op"
)

// calls reads one call a word: method, receiver, what is made, values.
func calls(t *testing.T, text string) (all []op.Call) {
	t.Helper()
	for word := range strings.FieldsSeq(text) {
		parts := append(strings.Split(word, ","), "", "", "")
		c := op.Call{Method: parts[0], Params: op.Params{On: parts[1], As: parts[2]}}
		if parts[3] != "" {
			c.Params.Values = []op.Handle{parts[3]}
		}
		all = append(all, c)
	}
	return all
}

func TestRelevantLeavesOutWhatWasDoneWith(t *testing.T) {
	for name, c := range map[string]struct{ calls, want string }{
		"a control before":       {"hello new_manager,,m1 session,m1,s1 stats,m1 new_manager,,m2 session,m2,s2 stats,m2", "new_manager,,m2 session,m2,s2 stats,m2"},
		"its release comes late": {"new_manager,,m1 stats,m1 new_manager,,m2 release,m1 stats,m2", "new_manager,,m2 stats,m2"},
		"two that take turns":    {"new_manager,,m1 new_manager,,m2 session,m1,s1 session,m2,s2", "new_manager,,m1 new_manager,,m2 session,m1,s1 session,m2,s2"},
		"a value in both":        {"make,,v1 new_manager,,m1 session,m1,s1 set_attr,s1,,v1 new_manager,,m2 session,m2,s2 set_attr,s2,,v1 stats,m2", "make,,v1 new_manager,,m1 session,m1,s1 set_attr,s1,,v1 new_manager,,m2 session,m2,s2 set_attr,s2,,v1 stats,m2"},
		"calls of no handle":     {"resolve new_manager,,m1 new_manager,,m2 resolve session,m2,s1 memory", "new_manager,,m2 resolve session,m2,s1 memory"},
		"no handle at all":       {"hello resolve", "hello resolve"},
		"only releases behind":   {"new_manager,,m1 stats,m1 release,m1", "new_manager,,m1 stats,m1 release,m1"},
		"nothing":                {"", ""},
	} {
		got, want := op.Relevant(calls(t, c.calls)), calls(t, c.want)
		if !slices.EqualFunc(got, want, func(a, b op.Call) bool { return a.String() == b.String() }) {
			b, _ := json.Marshal(got)
			t.Errorf("%s: of %s are relevant %s, want %s", name, c.calls, b, c.want)
		}
	}
}
