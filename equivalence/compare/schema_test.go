package compare_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/statespec/statespec/equivalence/compare"
)

func TestEveryFieldOfTheJSONIsInItsDocument(t *testing.T) {
	doc, err := os.ReadFile("SCHEMA.md")
	if err != nil {
		t.Fatal(err)
	}
	fields := 0
	for _, of := range []reflect.Type{reflect.TypeFor[compare.Report](), reflect.TypeFor[compare.Artefact](), reflect.TypeFor[compare.Divergence](),
		reflect.TypeFor[compare.Distances](), reflect.TypeFor[compare.Axis](), reflect.TypeFor[compare.Beside]()} {
		for i := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			if name == "" || name == "-" {
				continue
			}
			fields++
			if !strings.Contains(string(doc), "`"+name+"`") {
				t.Errorf("SCHEMA.md has no field `%s` of %s", name, of.Name())
			}
		}
	}
	if fields < 30 {
		t.Errorf("%d fields, want 30 or more: were they found?", fields)
	}
}
