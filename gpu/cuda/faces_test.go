package cuda

import (
	"bytes"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/printer"
	"go/token"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// exported lists the exported functions and methods of the files that a build with
// or without the tag takes, each with its signature.
func exported(t *testing.T, tagged bool) map[string]string {
	t.Helper()
	found := map[string]string{}
	names, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	files := token.NewFileSet()
	for _, n := range names {
		if !strings.HasSuffix(n.Name(), ".go") || strings.HasSuffix(n.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(files, n.Name(), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if !taken(t, f, tagged) {
			continue
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Name.IsExported() {
				name := d.Name.Name
				if d.Recv != nil {
					name = text(t, files, d.Recv.List[0].Type) + "." + name
				}
				found[name] = text(t, files, d.Type)
			}
		}
	}
	return found
}

func taken(t *testing.T, f *ast.File, tagged bool) bool {
	t.Helper()
	for _, c := range f.Comments {
		for _, line := range c.List {
			if c.Pos() > f.Package || !constraint.IsGoBuild(line.Text) {
				continue
			}
			x, err := constraint.Parse(line.Text)
			if err != nil {
				t.Fatal(err)
			}
			return x.Eval(func(tag string) bool { return tag == "cuda" && tagged })
		}
	}
	return true
}

func text(t *testing.T, files *token.FileSet, node any) string {
	t.Helper()
	var b bytes.Buffer
	if err := printer.Fprint(&b, files, node); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What compiles with the tag compiles without it.
func TestBothFacesAreTheSame(t *testing.T) {
	with, without := exported(t, true), exported(t, false)
	if len(with) < 40 {
		t.Errorf("%d exported functions found with the tag, want all", len(with))
	}
	all := maps.Clone(with)
	maps.Copy(all, without)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if with[name] != without[name] {
			t.Errorf("%s:\nwith the tag:    %s\nwithout the tag: %s", name, with[name], without[name])
		}
	}
}
