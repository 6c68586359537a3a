package expect

import (
	"strings"

	"github.com/statespec/statespec/spec/plainyaml"
)

// text reads text without the space around it.
func text(n plainyaml.Node, what string) string { return strings.TrimSpace(n.Text(what)) }

// texts reads one text or a list of some.
func texts(n plainyaml.Node, what string) []string {
	if n.Kind() != plainyaml.List {
		return []string{text(n, what)}
	}
	list := n.List(what)
	if len(list) == 0 {
		n.Problem("%s is an empty list", what)
	}
	var all []string
	for _, item := range list {
		all = append(all, text(item, what))
	}
	return all
}

// versionText reads a version, which may be written like a number: as it is
// written, since 0.10 is not 0.1.
func versionText(n plainyaml.Node, what string) string {
	if n.Kind() == plainyaml.Number {
		return n.Written()
	}
	return text(n, what)
}
