package history_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/search/history"
)

// operations draws an operation of any form, with every word that it can have.
func operations(t *rapid.T) history.Operation {
	f := rapid.SampledFrom(history.Forms()).Draw(t, "form")
	o := history.Operation{Verb: f.Verb}
	number := func(most int) int { return rapid.IntRange(1, most).Draw(t, "number") }
	if f.Makes != 0 && (f.Must || rapid.Bool().Draw(t, "makes")) {
		o.Make = history.Slot(f.Makes, number(999))
	}
	if f.On != "" {
		o.On = history.Slot(history.Sort(rapid.SampledFrom([]byte(f.On)).Draw(t, "sort")), number(999))
	}
	fill(t, &o)
	return o
}

// fill draws what comes after the verb.
func fill(t *rapid.T, o *history.Operation) {
	integer := rapid.IntRange(-1<<20, 1<<20)
	ints := map[string]int{"manager": 1, "raise-cap": 1, "last": 1, "item": 1, "int": 1, "replace": 1, "transpose": 2, "narrow": 3}
	for range ints[o.Verb] {
		o.Ints = append(o.Ints, integer.Draw(t, "int"))
	}
	slots := func(s history.Sort, least, most int) {
		for range rapid.IntRange(least, most).Draw(t, "slots") {
			o.From = append(o.From, history.Slot(s, rapid.IntRange(1, 99).Draw(t, "slot")))
		}
	}
	text := func() string { return rapid.String().Draw(t, "text") }
	bound := func() {
		switch rapid.IntRange(0, 2).Draw(t, "unit") {
		case 0:
			o.Bound = spec.Bound{Unit: spec.Payloads, N: integer.Draw(t, "n")}
		case 1:
			o.Bound = spec.Bound{Unit: spec.Frames, N: integer.Draw(t, "n"), Axis: rapid.IntRange(0, 6).Draw(t, "axis")}
		}
	}
	switch o.Verb {
	case "manager":
		o.Refuse = rapid.Bool().Draw(t, "refuse")
		if rapid.Bool().Draw(t, "budget") {
			o.Budget = new(int64(integer.Draw(t, "bytes")))
		}
	case "session":
		if rapid.Bool().Draw(t, "id") {
			o.ID = new(text())
		}
	case "continue", "contains", "drop":
		o.ID = new(text())
	case "ensure", "new", "object", "put", "attr", "set":
		if o.Verb != "new" {
			o.Name = rapid.StringMatching(`[a-z][a-z0-9_-]{0,9}`).Draw(t, "name")
		}
		switch o.Verb {
		case "ensure":
			bound()
		case "new":
			slots(history.Object, 0, 1)
		case "put":
			slots(history.Object, 1, 1)
		case "set":
			slots(history.Value, 0, 1)
		}
		if o.Verb == "ensure" || o.Verb == "new" {
			o.Kind = rapid.SampledFrom([]spec.ObjectKind{spec.LatentBuffer, spec.EncodeOnceKV, spec.Spy}).Draw(t, "kind")
		}
	case "allocate":
		bound()
	case "commit", "source":
		slots(history.Value, 1, 4)
	case "stage", "append", "replace":
		slots(history.Value, 1, 1)
	case "list", "tuple", "set-of", "record", "instance", "map":
		slots(history.Value, 0, 4)
		for i := range o.From {
			if o.Verb == "map" {
				o.Keys = append(o.Keys, string(rune('a'+i))+text())
			}
		}
	case "view":
		o.Staged = rapid.Bool().Draw(t, "staged")
	case "tensor", "refill":
		o.Seed = rapid.Uint64().Draw(t, "seed")
	case "text":
		o.Text = text()
	case "bool":
		o.Ints = []int{rapid.IntRange(0, 1).Draw(t, "truth")}
	case "float":
		o.Text = rapid.StringMatching(`[0-9a-f]{16}`).Draw(t, "bits")
	}
	switch o.Verb {
	case "tensor":
		o.Array, o.Odd = rapid.Bool().Draw(t, "array"), rapid.Bool().Draw(t, "odd")
		fallthrough
	case "retype":
		o.DType = rapid.SampledFrom([]string{"float32", "bfloat16", "uint8", "bool", "complex64"}).Draw(t, "dtype")
	}
	switch o.Verb {
	case "tensor", "expand", "reshape":
		o.Shape = rapid.SliceOfN(rapid.IntRange(0, 5), 1, 4).Draw(t, "shape")
	}
}

func TestEveryOperationParsesToItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := operations(t)
		got, err := history.ParseOperation(o.String())
		if err != nil {
			t.Fatalf("parse(%s): %v", o, err)
		}
		if !reflect.DeepEqual(got, o) {
			t.Fatalf("parse(%s) = %#v, want %#v", o, got, o)
		}
	})
}

func TestAHistoryParsesToItself(t *testing.T) {
	h := history.History{Subject: `the "first"`, Seed: 1<<64 - 1, Stream: 7, Row: "ACC-11.set", Notes: []string{"want: 3", "got:  4"}}
	for _, line := range []string{`m1 = manager cap 2 refuse`, `h1 = session m1 "a\nb"`, `set h1 x none`, `observe`} {
		o, err := history.ParseOperation(line)
		if err != nil {
			t.Fatal(err)
		}
		h.Operations = append(h.Operations, o)
	}
	got, err := history.ParseHistory(h.Text())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, h) {
		t.Errorf("parse(%s) = %+v, want %+v", h.Text(), got, h)
	}
}

// What is wrong with a file is said with its line, and what would be right.
func TestALineThatCannotBeReadIsNamed(t *testing.T) {
	const head = "statespec history 1\nseed: 1\n\n"
	for _, row := range []struct {
		name, text string
		line       int
		want       string
	}{
		{"nothing", "", 1, "statespec history 1"},
		{"another file", "<html>", 1, "no history"},
		{"a later format", "statespec history 2\n", 1, "format 2, want 1"},
		{"a field that is none", "statespec history 1\ncap: 3\n", 2, "want subject, seed, stream or row"},
		{"a seed that is none", "statespec history 1\nseed: many\n", 2, "2^64-1"},
		{"a verb that is none", head + "m1 = manger cap 2\n", 4, "did you mean manager"},
		{"a cap that is missing", head + "m1 = manager\n", 4, `"cap"`},
		{"a slot of another thing", head + "commit m1 v1\n", 4, "want commit O V..."},
		{"a slot for what makes nothing", head + "v1 = stats m1\n", 4, "makes nothing"},
		{"a slot of the wrong letter", head + "v1 = manager cap 1\n", 4, "begins with m"},
		{"no slot for what needs one", head + "manager cap 1\n", 4, "needs a slot"},
		{"a slot made twice", head + "v1 = int 1\nv1 = int 2\n", 5, "first in line 4"},
		{"an id without quotes", head + "drop m1 a\n", 4, "in quotes"},
		{"a quote that does not end", head + "drop m1 \"a\n", 4, "does not end"},
		{"a shape that is none", head + "v1 = tensor uint8 3x seed 1\n", 4, "2x64"},
		{"a shape that is too large", head + "v1 = tensor uint8 9999x9999 seed 1\n", 4, "a shape"},
		{"a word too much", head + "observe all\n", 4, "too much"},
		{"a key twice", head + `v1 = map "a" v2 "a" v3`, 4, "twice"},
		{"bytes that are no text", head + "drop m1 \"\xff\"\n", 4, "UTF-8"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := history.ParseHistory([]byte(row.text))
			at, ok := errors.AsType[*history.ParseError](err)
			if !ok || at.Line != row.line || !strings.Contains(err.Error(), row.want) {
				t.Errorf("parse(%q) = %v, want line %d and %q", row.text, err, row.line, row.want)
			}
		})
	}
}

func FuzzParseHistory(f *testing.F) {
	f.Add([]byte("statespec history 1\nsubject: \"x\"\nseed: 1\n# a note\n\nm1 = manager cap 1 budget 3\nh1 = session m1\nv1 = map \"k\" v2\nset h1 x v1\n"))
	f.Add([]byte("statespec history 1\n\no1 = ensure h1 latents latent-buffer frames 2 axis 1\nlast o1 2\nv1 = tensor float32 2x3 odd seed 17\n"))
	f.Add([]byte("statespec history 1\nrow: EVI-02\nobserve # all\r\n\tcollect"))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := history.ParseHistory(data)
		if err != nil {
			if _, ok := errors.AsType[*history.ParseError](err); !ok {
				t.Fatalf("parse = %v, want an error that names a line", err)
			}
			return
		}
		again, err := history.ParseHistory(h.Text())
		if err != nil {
			t.Fatalf("%v, of what was printed:\n%s", err, h.Text())
		}
		if string(again.Text()) != string(h.Text()) {
			t.Fatalf("printed =\n%s\nwant\n%s", again.Text(), h.Text())
		}
	})
}
