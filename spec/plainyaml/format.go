package plainyaml

import (
	"bytes"
	"unicode/utf8"

	"github.com/goccy/go-yaml/parser"
)

// A Format is what a reader asks of every file, whatever its keys mean. Its limits
// are such as no honest file meets: beyond them the YAML parser takes time with the
// square of what it reads.
type Format struct {
	Bytes int    // of a file, at most
	Depth int    // of lists and maps in each other, at most
	Want  string // what an empty file lacks: "suite and expectations"
}

// Parse reads the one document of a file. If there is none, or it is not plain
// YAML, it says so to the problems and answers false.
func (f Format) Parse(data []byte, p *Problems) (Node, bool) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(data) > f.Bytes {
		p.Add(Position{}, "%d bytes, want at most %d", len(data), f.Bytes)
		return Node{}, false
	}
	// The parser takes the \r\n behind a comment for two lines.
	data = bytes.ReplaceAll(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
	if at := invalidUTF8(data); at >= 0 {
		p.Add(positionOf(data, at), "byte %#02x is not UTF-8", data[at])
		return Node{}, false
	}
	if !f.plain(string(data), p) {
		return Node{}, false
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		p.addSyntax(err)
		return Node{}, false
	}
	for _, d := range file.Docs {
		if d.Body == nil {
			continue
		}
		root := newNode(d.Body, nil, p)
		if deep, ok := root.deeper(f.Depth); ok {
			f.tooDeep(deep.At(), p)
			return Node{}, false
		}
		return root, true
	}
	p.Add(Position{}, "empty, want %s", f.Want)
	return Node{}, false
}

func (f Format) tooDeep(at Position, p *Problems) {
	p.Add(at, "nested deeper than %d", f.Depth)
}

// invalidUTF8 is where the first byte is that belongs to no character; -1: nowhere.
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

// positionOf is where a byte is. Columns are in characters, as the parser's are.
func positionOf(data []byte, at int) Position {
	before := data[:at]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return Position{Line: 1 + bytes.Count(before, []byte("\n")), Column: 1 + utf8.RuneCount(line)}
}
