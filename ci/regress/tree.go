package regress

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Limits that no honest thresholds file meets. Beyond them the YAML parser takes
// time with the square of the nesting.
const (
	MaxThresholds = 256 << 10 // bytes
	maxNesting    = 8
)

// parseTree reads the one document of a file; nil if there is none. It refuses what
// makes YAML more than plain lists and maps.
func parseTree(data []byte, p *problems) ast.Node {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	switch {
	case len(data) > MaxThresholds:
		p.at(0, 0, "%d bytes, want at most %d", len(data), MaxThresholds)
		return nil
	case !utf8.Valid(data):
		valid := len(data) - len(bytes.TrimLeftFunc(data, func(r rune) bool { return r != utf8.RuneError }))
		p.at(1+bytes.Count(data[:valid], []byte("\n")), 0, "not UTF-8")
		return nil
	}
	// The parser takes the \r\n behind a comment for two lines.
	data = bytes.ReplaceAll(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
	if !plain(string(data), p) {
		return nil
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		p.syntax(err)
		return nil
	}
	var bodies []ast.Node
	for _, d := range file.Docs {
		if d.Body != nil {
			bodies = append(bodies, d.Body)
		}
	}
	switch {
	case len(bodies) == 0:
		p.at(0, 0, "empty, want rules")
	case len(bodies) > 1:
		p.add(bodies[1], "a second document, want one")
	default:
		return bodies[0]
	}
	return nil
}

// plain says whether a text has no anchors, aliases, tags or complex keys, and no
// nesting beyond the limit.
func plain(text string, p *problems) bool {
	depth, line, entries := 0, 0, 0
	for _, t := range lexer.Tokenize(text) {
		if t.Position.Line != line {
			line, entries = t.Position.Line, 0
		}
		switch t.Type {
		case token.AnchorType, token.AliasType, token.TagType, token.MappingKeyType, token.MergeKeyType:
			p.at(line, t.Position.Column, "%q: want plain lists and maps, without anchors, aliases, tags, merges and ? keys; text that begins with * is put in quotes", t.Value)
			return false
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		case token.SequenceEntryType:
			entries++
		}
		if depth > maxNesting || entries > maxNesting {
			p.at(line, t.Position.Column, "nested deeper than %d", maxNesting)
			return false
		}
	}
	return true
}

var positioned = regexp.MustCompile(`^\[(\d+):(\d+)\] (.*)`)

// syntax takes position and message out of a syntax error.
func (p *problems) syntax(err error) {
	line, column, text := 0, 0, err.Error()
	if e, ok := errors.AsType[yaml.Error](err); ok && e.GetToken() != nil && e.GetToken().Position != nil {
		at := e.GetToken().Position
		line, column, text = at.Line, at.Column, e.GetMessage()
	} else if m := positioned.FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1])
		column, _ = strconv.Atoi(m[2])
		text = m[3]
	}
	text, _, _ = strings.Cut(text, "\n")
	p.at(line, column, "not YAML: %s", text)
}

// fields reads a map with known keys; nil if there is no map.
func (p *problems) fields(n ast.Node, what string, known ...string) map[string]ast.Node {
	m, ok := n.(ast.MapNode)
	if !ok {
		p.add(n, "%s is %s, want a map with %s", what, kindOf(n), strings.Join(known, ", "))
		return nil
	}
	values := map[string]ast.Node{}
	for i := m.MapRange(); i.Next(); {
		key := i.Key().GetToken().Value
		if !slices.Contains(known, key) {
			p.add(i.Key(), "unknown key %q of %s, want one of %s", key, what, strings.Join(known, ", "))
			continue
		}
		values[key] = i.Value()
	}
	return values
}

// list reads a list; nil is none.
func (p *problems) list(n ast.Node, what string) []ast.Node {
	if n == nil {
		return nil
	}
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		p.add(n, "%s is %s, want a list", what, kindOf(n))
		return nil
	}
	return s.Values
}

// position is where a node begins: of a map, its first key. 0 is not known.
func position(n ast.Node) (line, column int) {
	if m, ok := n.(ast.MapNode); ok {
		if i := m.MapRange(); i.Next() {
			n = i.Key()
		}
	}
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return 0, 0
	}
	return n.GetToken().Position.Line, n.GetToken().Position.Column
}

// kindOf names what a node is, in a reader's words.
func kindOf(n ast.Node) string {
	switch n.(type) {
	case nil, *ast.NullNode:
		return "nothing"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a map"
	case *ast.SequenceNode:
		return "a list"
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return "a number"
	case *ast.BoolNode:
		return "a boolean"
	}
	return "text"
}
