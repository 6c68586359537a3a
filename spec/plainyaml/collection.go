package plainyaml

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/statespec/statespec/spec/internal/nearest"
)

// Fields are the known keys that a map has, in the order of the file.
type Fields []Field

// A Field is a key and its value, which is of the kind Nothing if there is none.
type Field struct {
	Key   string
	Value Node
}

// Get is the value of a key; false if the map does not have it.
func (f Fields) Get(key string) (Node, bool) {
	i := slices.IndexFunc(f, func(field Field) bool { return field.Key == key })
	if i < 0 {
		return Node{}, false
	}
	return f[i].Value, true
}

// Fields reads a map with known keys; false if the node is no map. Each other key,
// and each that was there before, is a problem and left out.
func (n Node) Fields(what string, known ...string) (Fields, bool) {
	m, ok := n.n.(ast.MapNode)
	if !ok {
		n.Problem("%s is %s, want a map with %s", what, n.Kind(), strings.Join(known, ", "))
		return nil, false
	}
	fields := Fields{}
	for i := m.MapRange(); i.Next(); {
		key := i.Key().GetToken()
		if !slices.Contains(known, key.Value) {
			n.p.Add(position(key), "unknown key %q of %s%s", key.Value, what, meant(key.Value, known))
			continue
		}
		if _, twice := fields.Get(key.Value); twice { // the parser overlooks {a: b, a}
			n.p.Add(position(key), "key %q of %s twice", key.Value, what)
			continue
		}
		fields = append(fields, Field{key.Value, newNode(i.Value(), key, n.p)})
	}
	return fields, true
}

// meant ends a sentence about an unknown key.
func meant(key string, known []string) string {
	if best := nearest.Word(key, known); best != "" {
		return "; did you mean " + best + "?"
	}
	return ", want one of " + strings.Join(known, ", ")
}

// List reads a list; none if the node is no list.
func (n Node) List(what string) []Node {
	s, ok := n.n.(*ast.SequenceNode)
	if !ok {
		n.Problem("%s is %s, want a list", what, n.Kind())
		return nil
	}
	return n.items(s)
}

func (n Node) items(s *ast.SequenceNode) []Node {
	var all []Node
	for _, entry := range s.Entries {
		all = append(all, newNode(entry.Value, entry.Start, n.p))
	}
	return all
}
