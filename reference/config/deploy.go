package config

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/statespec/statespec/reference/fault"
)

// ParseDeploy reads the manager's part of a deploy config: one YAML document,
// a mapping, in which EnableField may stand at the top level as a boolean.
// Other keys are other people's and pass, except one that would set the cap,
// at whatever depth: it would be believed and do nothing. An empty document is
// the zero Config. Every refusal is ErrConfig and names the line.
func ParseDeploy(document []byte) (Config, error) {
	file, err := parser.ParseBytes(lineEnds(document), 0)
	if err != nil {
		return Config{}, syntaxError(err)
	}
	var body ast.Node
	for _, doc := range file.Docs {
		switch {
		case doc.Body == nil || doc.Body.Type() == ast.NullType:
		case body != nil:
			return Config{}, refuse(doc.Body, "a second document begins: a deploy config is one")
		default:
			body = doc.Body
		}
	}
	if body == nil {
		return Config{}, nil
	}
	d := deploy{anchors: map[string]ast.Node{}, aliases: map[*ast.AliasNode]ast.Node{}}
	if err := d.check(body, false); err != nil {
		return Config{}, err
	}
	entries, ok := d.mapping(body)
	if !ok {
		return Config{}, refuse(body, "a deploy config is a mapping of keys to values, not %s", kindOf(body))
	}
	return d.config(entries)
}

// lineEnds is a document whose lines end as the parser counts them: it takes the
// \r\n behind a comment for two.
func lineEnds(document []byte) []byte {
	return bytes.ReplaceAll(bytes.ReplaceAll(document, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
}

// A deploy is one document while it is read.
type deploy struct {
	anchors map[string]ast.Node         // those that stand complete before the place that is read
	aliases map[*ast.AliasNode]ast.Node // what each alias stood for at its place
}

// config takes the switch out of the top-level entries. Keys that a merge
// brings count when the mapping has none of its own.
func (d *deploy) config(entries []*ast.MappingValueNode) (c Config, err error) {
	var merged Config
	for _, entry := range entries {
		if entry.Key.IsMergeKey() {
			if merged, err = d.merge(entry.Value, merged); err != nil {
				return Config{}, err
			}
			continue
		}
		if keyOf(entry.Key) != EnableField {
			continue
		}
		if c.EnableSessionStateManager != nil {
			return Config{}, refuse(entry, "%s is set twice", EnableField)
		}
		on, ok := d.resolve(entry.Value).(*ast.BoolNode)
		if !ok {
			return Config{}, refuse(entry, "%s is %s: write true or false, without quotes", EnableField, kindOf(d.resolve(entry.Value)))
		}
		c.EnableSessionStateManager = new(on.Value)
	}
	if c.EnableSessionStateManager == nil {
		c = merged
	}
	return c, nil
}

// merge reads the switch of a merged mapping, or of a list of them, of which
// an earlier one wins.
func (d *deploy) merge(value ast.Node, before Config) (Config, error) {
	parts := []ast.Node{value}
	if list, ok := d.resolve(value).(*ast.SequenceNode); ok {
		parts = list.Values
	}
	for _, part := range parts {
		entries, ok := d.mapping(part)
		if !ok {
			return before, refuse(value, "<< merges a mapping, not %s", kindOf(d.resolve(part)))
		}
		c, err := d.config(entries)
		if err != nil {
			return before, err
		}
		if before.EnableSessionStateManager == nil {
			before = c
		}
	}
	return before, nil
}

// mapping returns the entries of a mapping, false for anything else.
func (d *deploy) mapping(n ast.Node) ([]*ast.MappingValueNode, bool) {
	switch n := d.resolve(n).(type) {
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, true
	}
	return nil, false
}

// resolve looks through anchors, aliases and tags.
func (d *deploy) resolve(n ast.Node) ast.Node {
	for {
		switch at := n.(type) {
		case *ast.AnchorNode:
			n = at.Value
		case *ast.AliasNode:
			n = d.aliases[at]
		case *ast.TagNode:
			n = at.Value
		default:
			return n
		}
	}
}

// check goes through the whole document once: no key may set the cap, and an
// alias names an anchor that stands complete before it. Managed is whether
// this is inside a key that names the manager.
func (d *deploy) check(n ast.Node, managed bool) error {
	switch n := n.(type) {
	case *ast.AnchorNode:
		if err := d.check(n.Value, managed); err != nil {
			return err
		}
		d.anchors[n.Name.GetToken().Value] = n.Value
	case *ast.AliasNode:
		name := n.Value.GetToken().Value
		if d.anchors[name] == nil {
			return refuse(n, "*%s names no anchor that stands before it", name)
		}
		d.aliases[n] = d.anchors[name]
	case *ast.TagNode:
		return d.check(n.Value, managed)
	case *ast.SequenceNode:
		for _, v := range n.Values {
			if err := d.check(v, managed); err != nil {
				return err
			}
		}
	case *ast.MappingNode:
		for _, entry := range n.Values {
			if err := d.check(entry, managed); err != nil {
				return err
			}
		}
	case *ast.MappingValueNode:
		key := keyOf(n.Key)
		if namesCap(key, managed) {
			return refuse(n, "%s", capIsNoField(key))
		}
		return d.check(n.Value, inManager(key, managed))
	}
	return nil
}

func keyOf(key ast.MapKeyNode) string {
	if text, ok := key.(*ast.StringNode); ok {
		return text.Value
	}
	return key.String()
}

// kindOf says what a node is, in words for a person.
func kindOf(n ast.Node) string {
	switch n := n.(type) {
	case nil, *ast.NullNode:
		return "empty"
	case *ast.StringNode:
		return "the text " + shown(n.Value)
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	}
	return shown(strings.TrimSpace(n.String()))
}

func refuse(at ast.Node, format string, args ...any) error {
	line := 0
	if entry, ok := at.(*ast.MappingValueNode); ok {
		at = entry.Key
	}
	if t := at.GetToken(); t != nil && t.Position != nil {
		line = t.Position.Line
	}
	return fault.New(fault.ErrConfig, "deploy config, line %d: %s", line, oneLine(fmt.Sprintf(format, args...)))
}

// oneLine is a text of the document, or of its parser's, as a log line can carry
// it: names go over lines, too.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}

// syntaxError puts the parser's complaint on one line.
func syntaxError(err error) error {
	var at yaml.Error
	if errors.As(err, &at) && at.GetToken() != nil && at.GetToken().Position != nil {
		return fault.Because(fault.ErrConfig, err, "deploy config, line %d: %s", at.GetToken().Position.Line, oneLine(at.GetMessage()))
	}
	return fault.Because(fault.ErrConfig, err, "deploy config: %s", oneLine(yaml.FormatError(err, false, false)))
}
