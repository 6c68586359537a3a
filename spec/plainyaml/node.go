package plainyaml

import (
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// A Node is a map, a list or a scalar of a document. Whatever it is asked for and is
// not goes to the problems of its file. What it is called in them is an argument of
// each question: "suite", "a rule".
type Node struct {
	n  ast.Node
	p  *Problems
	at *token.Token // where it begins
}

// A Kind is what a node is, in a reader's words.
type Kind string

// The kinds.
const (
	Nothing Kind = "nothing" // a key without a value, or null
	Map     Kind = "a map"
	List    Kind = "a list"
	Number  Kind = "a number"
	Boolean Kind = "a boolean"
	Text    Kind = "text"
	Block   Kind = "a block of text" // that begins with | or >
)

// Kind is what a node is. What is in quotes is text, whatever it looks like.
func (n Node) Kind() Kind {
	switch n.n.(type) {
	case nil, *ast.NullNode:
		return Nothing
	case *ast.MappingNode, *ast.MappingValueNode:
		return Map
	case *ast.SequenceNode:
		return List
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return Number
	case *ast.BoolNode:
		return Boolean
	case *ast.StringNode:
		return Text
	case *ast.LiteralNode:
		return Block
	}
	return Kind("a " + strings.ToLower(n.n.Type().String()))
}

// newNode is a node behind a key, a dash or nothing. A map without braces begins at
// its first key, which is where a reader looks for it, and not at the colon behind
// that; a value that is left out is where its key or dash is.
func newNode(n ast.Node, behind *token.Token, p *Problems) Node {
	at := behind
	if n != nil && n.GetToken() != nil && n.GetToken().Type != token.ImplicitNullType {
		at = n.GetToken()
	}
	if m, ok := n.(ast.MapNode); ok && at != nil && at.Type != token.MappingStartType {
		if i := m.MapRange(); i.Next() {
			at = i.Key().GetToken()
		}
	}
	return Node{n, p, at}
}

// At is where a node begins; of a value that is left out it is its key or its dash.
func (n Node) At() Position { return position(n.at) }

func position(t *token.Token) Position {
	if t == nil || t.Position == nil {
		return Position{}
	}
	return Position{t.Position.Line, t.Position.Column}
}

// Problem notes a mistake where the node is.
func (n Node) Problem(format string, args ...any) { n.p.Add(n.At(), format, args...) }

// Written is a scalar as the file has it, without quotes and space around it: "0.10"
// of a number, too. Of anything else it is the kind in brackets, which is no value.
func (n Node) Written() string {
	switch s := n.n.(type) {
	case *ast.StringNode:
		return strings.TrimSpace(s.Value)
	case *ast.NullNode, *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode, *ast.BoolNode:
		return s.GetToken().Value
	}
	return "(" + string(n.Kind()) + ")"
}

// deeper is the first map or list that is in more than so many others.
func (n Node) deeper(levels int) (Node, bool) {
	var inner []Node
	switch c := n.n.(type) {
	case ast.MapNode:
		for i := c.MapRange(); i.Next(); {
			inner = append(inner, newNode(i.Value(), nil, n.p))
		}
	case *ast.SequenceNode:
		inner = n.items(c)
	default:
		return Node{}, false
	}
	if levels == 0 {
		return n, true
	}
	for _, in := range inner {
		if deep, ok := in.deeper(levels - 1); ok {
			return deep, true
		}
	}
	return Node{}, false
}
