package regress

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
)

// problems gathers the mistakes of a file, so that a reader learns of all of them.
type problems struct {
	name string
	all  []problem
}

type problem struct {
	line, column int // from 1; 0: not known
	text         string
}

// add notes a mistake where a node is.
func (p *problems) add(n ast.Node, format string, args ...any) {
	line, column := position(n)
	p.at(line, column, format, args...)
}

func (p *problems) at(line, column int, format string, args ...any) {
	text := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return utf8.RuneError // what a file says does nothing but be read
		}
		return r
	}, fmt.Sprintf(format, args...))
	p.all = append(p.all, problem{line, column, text})
}

// err is a line for each problem, "file:line:column: text"; nil if there are none.
func (p *problems) err() error {
	slices.SortFunc(p.all, func(a, b problem) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column), strings.Compare(a.text, b.text))
	})
	var errs []error
	for _, q := range p.all {
		where := p.name
		if q.line > 0 {
			where += fmt.Sprintf(":%d", q.line)
		}
		if q.column > 0 {
			where += fmt.Sprintf(":%d", q.column)
		}
		errs = append(errs, fmt.Errorf("%s: %s", where, q.text))
	}
	return errors.Join(errs...)
}
