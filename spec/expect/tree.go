package expect

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Limits that no honest file meets. Beyond them the YAML parser takes time with
// the square of the nesting.
const (
	maxBytes = 256 << 10
	maxDepth = 32
)

// parseTree reads the one document of a file. It refuses what makes YAML more
// than plain lists and maps.
func parseTree(data []byte, p *problems) ast.Node {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(data) > maxBytes {
		p.add(0, "%d bytes, want at most %d", len(data), maxBytes)
		return nil
	}
	if at := invalidUTF8(data); at >= 0 {
		p.add(1+bytes.Count(data[:at], []byte("\n")), "byte %#02x is not UTF-8", data[at])
		return nil
	}
	// The parser takes the \r\n behind a comment for two lines.
	data = bytes.ReplaceAll(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
	if !plain(string(data), p) {
		return nil
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		addSyntax(err, p)
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
		p.add(0, "empty, want suite and expectations")
	case len(bodies) > 1:
		p.add(lineOf(bodies[1]), "a second document, want one")
	default:
		return bodies[0]
	}
	return nil
}

// plain says whether a text has no anchors, aliases, tags or complex keys, and
// no nesting beyond the limit.
func plain(text string, p *problems) bool {
	depth, line, entries := 0, 0, 0
	for _, t := range lexer.Tokenize(text) {
		if t.Position.Line != line {
			line, entries = t.Position.Line, 0
		}
		switch t.Type {
		case token.AnchorType, token.AliasType, token.TagType, token.MappingKeyType, token.MergeKeyType:
			p.add(line, "%q: want plain lists and maps, without anchors, aliases, tags, merges and ? keys", t.Value)
			return false
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		case token.SequenceEntryType:
			entries++
		}
		if depth > maxDepth || entries > maxDepth {
			p.add(line, "nested deeper than %d", maxDepth)
			return false
		}
	}
	return true
}

var positioned = regexp.MustCompile(`^\[(\d+):\d+\] (.*)`)

// addSyntax takes line and message out of a syntax error.
func addSyntax(err error, p *problems) {
	line, text := 0, err.Error()
	if e, ok := err.(yaml.Error); ok && e.GetToken() != nil && e.GetToken().Position != nil {
		line, text = e.GetToken().Position.Line, e.GetMessage()
	} else if m := positioned.FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = m[2]
	}
	p.add(line, "not YAML: %s", text)
}

func invalidUTF8(data []byte) int {
	for at := 0; at < len(data); {
		r, n := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && n == 1 {
			return at
		}
		at += n
	}
	return -1
}

func lineOf(n ast.Node) int {
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return 0
	}
	return n.GetToken().Position.Line
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
	case *ast.StringNode, *ast.LiteralNode:
		return "text"
	}
	return fmt.Sprintf("a %s", n.Type())
}
