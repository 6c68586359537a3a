package report_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/statespec/statespec/spec/verdict"
)

func TestEveryFieldAndWordOfTheResultsIsDescribed(t *testing.T) {
	raw, err := os.ReadFile("SCHEMA.md")
	if err != nil {
		t.Fatal(err)
	}
	names := fields(reflect.TypeFor[verdict.Results](), map[reflect.Type]bool{})
	for _, w := range verdict.Words() {
		names = append(names, string(w))
	}
	for _, name := range names {
		if !strings.Contains(string(raw), "`"+name+"`") {
			t.Errorf("SCHEMA.md does not describe `%s`", name)
		}
	}
}

// fields lists the JSON names of a type and of all types in it.
func fields(t reflect.Type, seen map[reflect.Type]bool) []string {
	switch {
	case seen[t] || t == reflect.TypeFor[verdict.Shard](): // which is text
		return nil
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Map:
		return fields(t.Elem(), seen)
	case t.Kind() != reflect.Struct:
		return nil
	}
	seen[t] = true
	var names []string
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		names = append(append(names, name), fields(t.Field(i).Type, seen)...)
	}
	return names
}
