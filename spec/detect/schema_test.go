package detect_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/statespec/statespec/spec/detect"
)

func TestEveryFieldOfTheJSONIsInItsDocument(t *testing.T) {
	doc, err := os.ReadFile("SCHEMA.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []reflect.Type{reflect.TypeFor[detect.Detection](), reflect.TypeFor[detect.Finding]()} {
		for i := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			if !strings.Contains(string(doc), "`"+name+"`") {
				t.Errorf("SCHEMA.md has no field `%s` of %s", name, of.Name())
			}
		}
	}
}
