package spec_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/statespec/statespec/spec"
)

func TestAnIntegerIsAsExactInJSONAsItIs(t *testing.T) {
	for _, n := range []int64{0, 1, -1, 1 << 53, -1 << 53, 1<<53 + 1, -1<<53 - 1, math.MaxInt64, math.MinInt64} {
		exact := n >= -1<<53 && n <= 1<<53
		number := func(text []byte) {
			if got := strings.Contains(string(text), `"int":`); n != 0 && got != exact {
				t.Errorf("%d is %s: as a number %t, want %t", n, text, got, exact)
			}
		}
		text, err := json.Marshal(spec.Int(n))
		if err != nil {
			t.Fatal(err)
		}
		number(text)
		var recipe spec.Recipe
		if err := json.Unmarshal(text, &recipe); err != nil || !reflect.DeepEqual(recipe, spec.Int(n)) {
			t.Errorf("%s reads as %v, %v, want %v", text, recipe, err, spec.Int(n))
		}

		of := spec.Reading{Kind: spec.KindInt, Int: n}
		in := spec.Reading{Kind: spec.KindList, Items: []spec.Reading{of, {Kind: spec.KindText, Text: "7"}}}
		if text, err = json.Marshal(in.Wide()); err != nil {
			t.Fatal(err)
		}
		number(text)
		var reading spec.Reading
		if err := json.Unmarshal(text, &reading); err != nil {
			t.Fatal(err)
		}
		if err := reading.Widened(); err != nil || !reflect.DeepEqual(reading, in) {
			t.Errorf("%s reads as %v, %v, want %v", text, reading, err, in)
		}
	}
}

func TestATextThatIsNoIntegerIsNone(t *testing.T) {
	for _, text := range []string{"x", "1e3", "9223372036854775808", "0x10", " 1"} {
		err := json.Unmarshal([]byte(`{"step":"int","text":"`+text+`"}`), &spec.Recipe{})
		if err == nil || !strings.Contains(err.Error(), "64 bits") {
			t.Errorf("a recipe of %q: %v, want an error that says what an int is", text, err)
		}
		r := spec.Reading{Kind: spec.KindList, Items: []spec.Reading{{Kind: spec.KindInt, Text: text}}}
		if err := r.Widened(); err == nil || !strings.Contains(err.Error(), "64 bits") {
			t.Errorf("a reading of %q: %v, want an error that says what an int is", text, err)
		}
	}
}
