package op_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// ports are the interfaces of the port, by what they are received on.
var ports = map[op.Receiver]reflect.Type{
	op.OnSubject: reflect.TypeFor[spec.Subject](),
	op.OnManager: reflect.TypeFor[spec.Manager](),
	op.OnSession: reflect.TypeFor[spec.Session](),
	op.OnObject:  reflect.TypeFor[spec.Object](),
	op.OnValue:   reflect.TypeFor[spec.Value](),
	op.OnModel:   reflect.TypeFor[spec.Model](),
	op.OnState:   reflect.TypeFor[spec.State](),
}

func snake(method string) string {
	var b strings.Builder
	for i, r := range method {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// Nothing can be asked in process that is not an operation, and nothing is an
// operation that cannot be asked in process.
func TestEveryMethodOfThePortIsAnOperation(t *testing.T) {
	rows := map[string]bool{}
	for _, r := range op.Table() {
		name := string(r.On) + "." + r.Method
		if rows[name] {
			t.Errorf("%s is in the table twice", name)
		}
		rows[name] = true
		if r.Doc == "" {
			t.Errorf("%s has no line that says what it does", name)
		}
	}
	for on, port := range ports {
		for m := range port.Methods() {
			name := string(on) + "." + snake(m.Name)
			if m.Name == "Release" {
				name = "handle.release"
			}
			if m.Name == "Close" { // the end of input
				continue
			}
			if !rows[name] {
				t.Errorf("%s.%s of the port is no operation: %s is not in the table", port, m.Name, name)
			}
			delete(rows, name)
			rows["handle.release"] = true
		}
	}
	delete(rows, "handle.release")
	delete(rows, "subject.race") // of the dispatcher, over all others
	for name := range rows {
		t.Errorf("%s is an operation that the port does not have", name)
	}
}

func jsonNames(t reflect.Type) (names []string) {
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

func TestEveryParameterAndResultBelongsToAnOperation(t *testing.T) {
	params, results := jsonNames(reflect.TypeFor[op.Params]()), jsonNames(reflect.TypeFor[op.Result]())
	used := map[string]bool{"none": true}
	for _, r := range slices.Concat(op.Table(), op.Stream()) {
		for _, p := range r.Params {
			if !slices.Contains(params, p.Name) {
				t.Errorf("%s takes %q, which is not among the parameters", r.Method, p.Name)
			}
			used[p.Name] = true
		}
		if r.Result != "" && !slices.Contains(results, r.Result) {
			t.Errorf("%s answers %q, which is not among the results", r.Method, r.Result)
		}
		used[r.Result] = true
		if makes := r.Makes != ""; makes != slices.ContainsFunc(r.Params, func(p op.Param) bool { return p.Name == "as" }) {
			t.Errorf("%s makes %q: it has to take the name for it, and only then", r.Method, r.Makes)
		}
	}
	for _, name := range append(params, results...) {
		if !used[name] {
			t.Errorf("%q belongs to no operation", name)
		}
	}
}
