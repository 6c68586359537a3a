package plainyaml

import (
	"errors"
	"strings"

	"github.com/goccy/go-yaml"
)

// addSyntax takes position and message out of the parser's error, whose text shows
// the lines around the mistake as well.
func (p *Problems) addSyntax(err error) {
	var at Position
	text := err.Error()
	if e, ok := errors.AsType[yaml.Error](err); ok {
		at, text = position(e.GetToken()), e.GetMessage()
	}
	text, _, _ = strings.Cut(text, "\n")
	p.Add(at, "not YAML: %s", text)
}
