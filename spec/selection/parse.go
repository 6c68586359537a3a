package selection

import (
	"fmt"

	"github.com/statespec/statespec/spec/catalogue"
)

// maxDepth is how deep parentheses and negations nest: more than anybody writes,
// and little enough for any stack.
const maxDepth = 100

// parser reads tokens by the grammar
//
//	any     = all { ( "||" | "or" | "," ) all } .
//	all     = single { ( "&&" | "and" ) single } .
//	single  = ( "!" | "not" ) single | "(" any ")" | word .
type parser struct {
	expr   string
	tokens []token // what is left; the last is the end
	before token   // what was read last
	depth  int
	words  vocabulary
}

// parse reads an expression in which the words of a vocabulary are known.
func parse(expr string, words vocabulary) (Selection, error) {
	tokens, err := scan(expr)
	if err != nil {
		return Selection{}, err
	}
	p := parser{expr: expr, tokens: tokens, words: words}
	if p.peek().kind == end {
		return Selection{text: expr}, nil
	}
	f, err := p.any()
	if err != nil {
		return Selection{}, err
	}
	if t := p.peek(); t.kind != end {
		return Selection{}, p.trailing(t)
	}
	return Selection{text: expr, filter: f}, nil
}

func (p *parser) peek() token { return p.tokens[0] }

func (p *parser) read() token {
	t := p.tokens[0]
	if t.kind != end {
		p.tokens = p.tokens[1:]
	}
	p.before = t
	return t
}

// any reads alternatives.
func (p *parser) any() (filter, error) {
	fs, err := p.list(or, p.all)
	if err != nil || len(fs) == 1 {
		return first(fs), err
	}
	return func(r catalogue.Row) bool {
		for _, f := range fs {
			if f(r) {
				return true
			}
		}
		return false
	}, nil
}

// all reads conditions that hold together.
func (p *parser) all() (filter, error) {
	fs, err := p.list(and, p.single)
	if err != nil || len(fs) == 1 {
		return first(fs), err
	}
	return func(r catalogue.Row) bool {
		for _, f := range fs {
			if !f(r) {
				return false
			}
		}
		return true
	}, nil
}

// list reads one or more items with an operator between them.
func (p *parser) list(operator tokenKind, item func() (filter, error)) ([]filter, error) {
	var fs []filter
	for {
		f, err := item()
		if err != nil {
			return nil, err
		}
		fs = append(fs, f)
		if p.peek().kind != operator {
			return fs, nil
		}
		p.read()
	}
}

func first(fs []filter) filter {
	if len(fs) == 0 {
		return nil
	}
	return fs[0]
}

// single reads a word, a negation, or an expression in parentheses.
func (p *parser) single() (filter, error) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth+1 {
		return nil, p.fault(p.before, "nested deeper than %d", maxDepth)
	}
	before := p.before
	switch t := p.read(); t.kind {
	case word:
		f, err := p.words.resolve(t.text)
		if err != nil {
			err.Expr, err.Offset = p.expr, t.offset
			return nil, err
		}
		return f, nil
	case not:
		f, err := p.single()
		if err != nil {
			return nil, err
		}
		return func(r catalogue.Row) bool { return !f(r) }, nil
	case open:
		return p.parenthesis(t)
	default:
		return nil, p.missing(before, t)
	}
}

// parenthesis reads what follows an opening parenthesis.
func (p *parser) parenthesis(opening token) (filter, error) {
	f, err := p.any()
	if err != nil {
		return nil, err
	}
	switch t := p.peek(); t.kind {
	case shut:
		p.read()
		return f, nil
	case end:
		return nil, p.fault(opening, "this parenthesis is never closed")
	default:
		return nil, p.trailing(t)
	}
}

// missing is the fault that a word is due where another token, or none, is.
func (p *parser) missing(before, at token) error {
	switch {
	case at.kind == end:
		return p.fault(at, "an expression is missing after %s", quote(before.text))
	case before.text == "":
		return p.fault(at, "an expression is missing before %s", quote(at.text))
	default:
		return p.fault(at, "an expression is missing between %s and %s", quote(before.text), quote(at.text))
	}
}

// trailing is the fault that a token stands where an operator or the end is due.
func (p *parser) trailing(t token) error {
	if t.kind == shut {
		return p.fault(t, "this parenthesis was never opened")
	}
	return p.fault(t, "&&, || or a comma is missing between %s and %s", quote(p.before.text), quote(t.text))
}

func (p *parser) fault(at token, format string, args ...any) error {
	return &SyntaxError{Expr: p.expr, Offset: at.offset, Problem: fmt.Sprintf(format, args...)}
}
