package plainyaml

import (
	"strings"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// plain says whether a text is one document of plain lists and maps at most, with no
// nesting that would keep the parser busy. It looks at the text's tokens, before the
// parser does.
func (f Format) plain(text string, p *Problems) bool {
	var seen scan
	for _, t := range lexer.Tokenize(text) {
		at := position(t)
		seen.next(t)
		switch t.Type {
		case token.AnchorType, token.AliasType, token.TagType, token.MappingKeyType, token.MergeKeyType, token.DirectiveType:
			mark := t.Value
			if t.Type == token.TagType {
				mark = "!"
			}
			p.Add(at, "%q: want plain lists and maps, without anchors, aliases, tags, merges, directives and ? keys; text that begins with %s is put in quotes", t.Value, mark)
			return false
		}
		switch {
		case seen.second:
			p.Add(at, "a second document, want one")
			return false
		case seen.depth > f.Depth || seen.entries > f.Depth:
			f.tooDeep(at, p)
			return false
		case t.Type == token.StringType && !seen.block && tabbed(t.Origin):
			p.Add(at, "a tab in text without quotes, want a space, or the text in quotes")
			return false
		}
	}
	return true
}

// A scan is what the tokens so far say.
type scan struct {
	depth   int  // brackets that are open
	entries int  // dashes in this line, each a list in the one before
	line    int  // this one
	content bool // a document has begun
	ended   bool // … and has ended
	second  bool // … and another one has begun
	header  bool // the token before begins a block of text
	block   bool // this token is one
}

func (s *scan) next(t *token.Token) {
	if t.Position.Line != s.line {
		s.line, s.entries = t.Position.Line, 0
	}
	switch t.Type {
	case token.CommentType: // may stand between a block's | and its text
		return
	case token.DocumentHeaderType, token.DocumentEndType:
		s.ended = s.content
		return
	case token.SequenceStartType, token.MappingStartType:
		s.depth++
	case token.SequenceEndType, token.MappingEndType:
		s.depth--
	case token.SequenceEntryType:
		s.entries++
	}
	s.content, s.second = true, s.ended
	s.block, s.header = s.header, t.Type == token.LiteralType || t.Type == token.FoldedType
}

// tabbed says whether a text has a tab between its characters. Around them, in any
// of its lines, it does no harm.
func tabbed(origin string) bool {
	for line := range strings.SplitSeq(origin, "\n") {
		if strings.Contains(strings.TrimSpace(line), "\t") {
			return true
		}
	}
	return false
}
