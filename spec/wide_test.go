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
		for _, in := range []any{spec.Int(n), spec.Reading{Kind: spec.KindInt, Int: n}} {
			text, err := json.Marshal(in)
			if err != nil {
				t.Fatal(err)
			}
			number := strings.Contains(string(text), `"int":`)
			if small := n >= -1<<53 && n <= 1<<53; n != 0 && number != small {
				t.Errorf("%d of a %T is %s: as a number %t, want %t", n, in, text, number, small)
			}
			out := reflect.New(reflect.TypeOf(in))
			if err := json.Unmarshal(text, out.Interface()); err != nil || !reflect.DeepEqual(out.Elem().Interface(), in) {
				t.Errorf("%s reads as %v, %v, want %v", text, out.Elem(), err, in)
			}
		}
	}
}

func TestATextThatIsNoIntegerIsNone(t *testing.T) {
	for _, text := range []string{"x", "1e3", "9223372036854775808", "0x10", " 1"} {
		for _, out := range []any{&spec.Recipe{}, &spec.Reading{}} {
			name := map[bool]string{true: "step", false: "kind"}[reflect.TypeOf(out) == reflect.TypeFor[*spec.Recipe]()]
			if err := json.Unmarshal([]byte(`{"`+name+`":"int","text":"`+text+`"}`), out); err == nil || !strings.Contains(err.Error(), "64 bits") {
				t.Errorf("%q read into a %T: %v, want an error that says what an int is", text, out, err)
			}
		}
	}
}
