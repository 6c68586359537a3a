package search_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/statespec/statespec/spec/search"
	"github.com/statespec/statespec/spec/search/history"
)

func TestTheReadmeDescribesEveryFieldAndVerb(t *testing.T) {
	raw, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := strings.ReplaceAll(string(raw), `\|`, "|")
	for _, typ := range []reflect.Type{reflect.TypeFor[search.Result](), reflect.TypeFor[search.FailureResult]()} {
		for f := range typ.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if !strings.Contains(readme, "`"+name+"`") {
				t.Errorf("README.md does not describe `%s`", name)
			}
		}
	}
	for _, f := range history.Forms() {
		if line := "| `" + f.Usage() + "` | " + f.Doc + " |"; !strings.Contains(readme, line) {
			t.Errorf("README.md does not have the line\n%s", line)
		}
	}
}
