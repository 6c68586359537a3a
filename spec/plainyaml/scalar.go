package plainyaml

import (
	"math"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// Text reads text, or a block of it, that is not blank; empty if it is none. Space
// in quotes and at the end of a block stays.
func (n Node) Text(what string) string {
	var s string
	switch t := n.n.(type) {
	case *ast.StringNode:
		s = t.Value
	case *ast.LiteralNode:
		s = t.Value.Value
	default:
		n.Problem("%s is %s, want text%s", what, n.Kind(), n.inQuotes())
		return ""
	}
	if strings.TrimSpace(s) == "" {
		n.Problem("%s is empty", what)
		return ""
	}
	return s
}

// inQuotes says how to write a number or a boolean as text.
func (n Node) inQuotes() string {
	if k := n.Kind(); k == Number || k == Boolean {
		return ` in quotes: "` + n.Written() + `"`
	}
	return ""
}

// Number reads a finite decimal number, in quotes or not; 0 if it is none.
func (n Node) Number(what string) float64 {
	v, err := strconv.ParseFloat(n.Written(), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		n.Problem("%s %q, want a number", what, n.Written())
		return 0
	}
	return v
}

// Boolean reads true or false; false if it is neither.
func (n Node) Boolean(what string) bool {
	b, ok := n.n.(*ast.BoolNode)
	if !ok {
		n.Problem("%s is %s, want true or false", what, n.Kind())
		return false
	}
	return b.Value
}
