package protocol

import (
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strings"

	"github.com/statespec/statespec/fixtures/fill"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// Table makes one of the document's tables, by the name that it has there.
// Steps of models are read from the source of package spec, in the folder root.
func Table(name, root string) (string, error) {
	switch name {
	case "kinds":
		return rows("| kind | when |", spec.Kinds(), func(k spec.Kind) []string { return []string{code(string(k)), kinds[k]} }), nil
	case "capabilities":
		return rows("| capability | claims |", spec.Capabilities(), func(c spec.Capability) []string { return []string{code(string(c)), capabilities[c]} }), nil
	case "hello":
		return rows("| member | |", names(reflect.TypeFor[spec.Hello]()), func(m string) []string { return []string{code(m), members[m]} }), nil
	case "messages":
		return rows("| message | of | parameters | result | |", messages(), message), nil
	case "recipes":
		return rows("| step | takes | makes |", recipes, func(r recipe) []string { return []string{code(r.step), r.takes, r.makes} }), nil
	case "fills":
		return rows("| dtype | the first four elements of seed 1, in hex, as they lie |", fills, func(dtype string) []string {
			const n = 4
			b := fill.Bytes(dtype, 1, n)
			var words []string
			for part := range slices.Chunk(b, len(b)/n) {
				words = append(words, hex.EncodeToString(part))
			}
			return []string{dtype, code(strings.Join(words, " "))}
		}), nil
	case "steps":
		return steps(root)
	}
	return "", fmt.Errorf("the document asks for a table of %q, which there is not", name)
}

// rows is a table of Markdown.
func rows[T any](head string, of []T, cells func(T) []string) string {
	var b strings.Builder
	fmt.Fprintln(&b, head)
	fmt.Fprintln(&b, "|"+strings.Repeat("---|", strings.Count(head, "|")-1))
	for _, r := range of {
		fmt.Fprintln(&b, "| "+strings.Join(cells(r), " | ")+" |")
	}
	return b.String()
}

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

// messages are those of the stream, and those of the port.
func messages() []op.Row { return slices.Concat(op.Stream(), op.Table()) }

func message(r op.Row) []string {
	var params []string
	for _, p := range r.Params {
		if p.Required {
			params = append(params, code(p.Name))
		} else {
			params = append(params, code(p.Name)+"?")
		}
	}
	result := code(r.Result)
	if r.MayNone {
		result = "`none`?"
	}
	doc := r.Doc
	if r.Makes != "" {
		doc += "; makes a " + string(r.Makes)
	}
	if r.Needs != "" {
		doc += " [" + string(r.Needs) + "]"
	}
	return []string{code(r.Method), string(r.On), strings.Join(params, " "), result, doc}
}

// names are the members of a struct as they are in JSON.
func names(t reflect.Type) (all []string) {
	for f := range t.Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			all = append(all, name)
		}
	}
	return all
}

// steps are the vocabularies of the models, as the comment on spec.Step has them.
func steps(root string) (string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), root+"/spec/model.go", nil, parser.ParseComments)
	if err != nil {
		return "", err
	}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE || g.Specs[0].(*ast.TypeSpec).Name.Name != "Step" {
			continue
		}
		_, text, _ := strings.Cut(g.Doc.Text(), "recordings.\n")
		var b strings.Builder
		inside := false
		for _, l := range strings.Split(strings.TrimSpace(text), "\n") {
			indented := strings.HasPrefix(l, "\t")
			switch {
			case indented && !inside, !indented && inside && l != "":
				fmt.Fprintln(&b, "```")
				inside = indented
			}
			fmt.Fprintln(&b, strings.TrimPrefix(l, "\t"))
		}
		if inside {
			fmt.Fprintln(&b, "```")
		}
		return b.String(), nil
	}
	return "", fmt.Errorf("spec/model.go has no type Step")
}
