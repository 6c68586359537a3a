package expect

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// fields reads a map with known keys; nil if there is no map. A key without a
// value is there, as an *ast.NullNode.
func fields(n ast.Node, what string, p *problems, known ...string) map[string]ast.Node {
	m, ok := n.(ast.MapNode)
	if !ok {
		p.add(lineOf(n), "%s is %s, want a map with %s", what, kindOf(n), strings.Join(known, ", "))
		return nil
	}
	values := map[string]ast.Node{}
	for i := m.MapRange(); i.Next(); {
		key, ok := i.Key().(*ast.StringNode)
		if !ok {
			p.add(lineOf(i.Key()), "key %s of %s, want one of %s", i.Key().GetToken().Value, what, strings.Join(known, ", "))
			continue
		}
		if !slices.Contains(known, key.Value) {
			p.add(lineOf(key), "unknown key %q of %s%s", key.Value, what, suggest(key.Value, known))
			continue
		}
		values[key.Value] = i.Value()
	}
	return values
}

// list reads a list.
func list(n ast.Node, what string, p *problems) []ast.Node {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		p.add(lineOf(n), "%s is %s, want a list", what, kindOf(n))
		return nil
	}
	return s.Values
}

// text reads text that is not blank; empty if it is none.
func text(n ast.Node, what string, p *problems) string {
	var s string
	switch n := n.(type) {
	case *ast.StringNode:
		s = n.Value
	case *ast.LiteralNode:
		s = n.Value.Value
	default:
		p.add(lineOf(n), "%s is %s, want text%s", what, kindOf(n), quoted(n))
		return ""
	}
	s = strings.TrimSpace(s)
	if s == "" {
		p.add(lineOf(n), "%s is empty", what)
	}
	return s
}

// quoted says how to write a number or a boolean as text.
func quoted(n ast.Node) string {
	switch n.(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NanNode, *ast.InfinityNode:
		return ` in quotes: "` + n.GetToken().Value + `"`
	}
	return ""
}

// texts reads one text or a list of some.
func texts(n ast.Node, what string, p *problems) []string {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		return []string{text(n, what, p)}
	}
	if len(s.Values) == 0 {
		p.add(lineOf(n), "%s is an empty list", what)
	}
	var all []string
	for _, item := range s.Values {
		all = append(all, text(item, what, p))
	}
	return all
}

// versionText reads a version, which may be written like a number: as it is
// written, since 0.10 is not 0.1.
func versionText(n ast.Node, what string, p *problems) string {
	switch n.(type) {
	case *ast.IntegerNode, *ast.FloatNode:
		return n.GetToken().Value
	}
	return text(n, what, p)
}
