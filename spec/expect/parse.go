package expect

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/verdict"
)

// Parse reads a file's content. Its error is an [*Error].
func (r Reader) Parse(data []byte) (File, error) {
	var p problems
	var f File
	if root := parseTree(data, &p); root != nil {
		f = r.file(root, &p)
	}
	if err := p.err(); err != nil {
		return File{}, err
	}
	return f, nil
}

func (r Reader) file(root ast.Node, p *problems) File {
	var f File
	keys := fields(root, "a file", p, "suite", "subject", "expectations")
	if keys == nil {
		return f
	}
	if n, ok := keys["suite"]; ok {
		f.Suite = r.suite(n, p)
	} else {
		p.add(0, "no suite, want the version that this was written for, as in suite: %q", r.Suite)
	}
	if n, ok := keys["subject"]; ok {
		f.Subject = text(n, "subject", p)
	}
	n, ok := keys["expectations"]
	if !ok {
		p.add(0, "no expectations, want a list; an empty one is expectations: []")
		return f
	}
	for _, entry := range list(n, "expectations", p) {
		f.Entries = append(f.Entries, r.entry(entry, p))
	}
	unique(f.Entries, p)
	return f
}

var suiteForm = regexp.MustCompile(`^\d{1,6}(\.\d{1,6})*$`)

func (r Reader) suite(n ast.Node, p *problems) string {
	suite := versionText(n, "suite", p)
	switch {
	case suite == "":
	case !suiteForm.MatchString(suite):
		p.add(lineOf(n), "suite %q, want numbers as in %q", suite, r.Suite)
	case catalogue.CompareSuites(suite, r.Suite) > 0:
		p.add(lineOf(n), "suite %q is newer than this one, want at most %q", suite, r.Suite)
	}
	return suite
}

func (r Reader) entry(n ast.Node, p *problems) Entry {
	e := Entry{Outcome: verdict.Broken, Line: lineOf(n)}
	keys := fields(n, "an expectation", p, "id", "cases", "when", "outcome", "reason", "link")
	if keys == nil {
		return e
	}
	if first := firstLine(keys); first > 0 {
		e.Line = first
	}
	e.ID = r.id(keys["id"], e.Line, p)
	if cases, ok := keys["cases"]; ok {
		e.Cases = r.cases(e.ID, cases, p)
	}
	if when, ok := keys["when"]; ok {
		e.When = conditions(when, p)
	}
	if outcome, ok := keys["outcome"]; ok {
		e.Outcome = outcomeWord(outcome, p)
	}
	if reason, ok := keys["reason"]; ok {
		e.Reason = text(reason, "reason", p)
	} else {
		p.add(e.Line, "no reason, want why it is known to be broken")
	}
	if link, ok := keys["link"]; ok {
		e.Link = address(link, p)
	}
	return e
}

// id reads the ID of a guarantee.
func (r Reader) id(n ast.Node, line int, p *problems) string {
	if n == nil {
		p.add(line, "no id, want that of a guarantee")
		return ""
	}
	id := text(n, "id", p)
	var guarantees []string
	for _, row := range r.Rows {
		switch {
		case !row.IsCase():
			guarantees = append(guarantees, row.ID)
		case row.ID == id:
			p.add(lineOf(n), "id %s is a case, want id: %s with cases: [%s]", id, row.Guarantee(), strings.TrimPrefix(id, row.Guarantee()+"."))
			return ""
		}
	}
	switch {
	case id == "" || slices.Contains(guarantees, id):
		return id
	}
	guarantee, _, _ := strings.Cut(id, ".")
	if guarantee != id && slices.Contains(guarantees, guarantee) {
		p.add(lineOf(n), "unknown id %q%s", id, caseHint(guarantee, r.casesOf(guarantee)))
		return ""
	}
	p.add(lineOf(n), "unknown id %q%s", id, suggest(id, guarantees))
	return ""
}

func caseHint(guarantee string, cases []string) string {
	if len(cases) == 0 {
		return ": " + guarantee + " has no cases"
	}
	return ": the cases of " + guarantee + " are " + strings.Join(cases, ", ")
}

// casesOf lists the names after the dot.
func (r Reader) casesOf(guarantee string) []string {
	var names []string
	for _, row := range r.Rows {
		if name, ok := strings.CutPrefix(row.ID, guarantee+"."); ok {
			names = append(names, name)
		}
	}
	return names
}

func (r Reader) cases(id string, n ast.Node, p *problems) []string {
	cases := []string{}
	known := r.casesOf(id)
	for _, item := range list(n, "cases", p) {
		name := text(item, "a case", p)
		switch {
		case name == "" || id == "":
			continue
		case !slices.Contains(known, name) && len(known) == 0:
			p.add(lineOf(item), "unknown case %q: %s has no cases", name, id)
		case !slices.Contains(known, name):
			p.add(lineOf(item), "unknown case %q of %s%s", name, id, suggest(name, known))
		case slices.Contains(cases, name):
			p.add(lineOf(item), "case %s of %s twice", name, id)
		}
		cases = append(cases, name)
	}
	return cases
}

func conditions(n ast.Node, p *problems) When {
	var w When
	keys := fields(n, "when", p, "device", "dtype", "version")
	if keys == nil {
		return w
	}
	if d, ok := keys["device"]; ok {
		w.Device = texts(d, "device", p)
	}
	if d, ok := keys["dtype"]; ok {
		w.DType = texts(d, "dtype", p)
	}
	if v, ok := keys["version"]; ok {
		w.Version = versionText(v, "version", p)
		if _, err := parseBounds(w.Version); err != nil && w.Version != "" {
			p.add(lineOf(v), "%s", err)
		}
	}
	return w
}

func outcomeWord(n ast.Node, p *problems) verdict.Word {
	legal := []string{string(verdict.Broken), string(verdict.Crashed), string(verdict.Hung)}
	word := text(n, "outcome", p)
	if word != "" && !slices.Contains(legal, word) {
		p.add(lineOf(n), "unknown outcome %q%s", word, suggest(word, legal))
	}
	return verdict.Word(word)
}

// address reads a link. Reports make it one that can be followed, so that it
// must not be anything but a page.
func address(n ast.Node, p *problems) string {
	link := text(n, "link", p)
	if link != "" && !strings.HasPrefix(link, "https://") && !strings.HasPrefix(link, "http://") {
		p.add(lineOf(n), "link %q, want an address that begins with https://", link)
	}
	return link
}

// unique refuses two entries of one row, outcome and conditions.
func unique(entries []Entry, p *problems) {
	for i, e := range entries {
		for _, before := range entries[:i] {
			if e.ID != "" && e.ID == before.ID && e.Outcome == before.Outcome && sameWhen(e.When, before.When) && overlap(e.Cases, before.Cases) {
				p.add(e.Line, "%s is listed in line %d already", e.ID, before.Line)
				break
			}
		}
	}
}

func sameWhen(a, b When) bool {
	return slices.Equal(a.Device, b.Device) && slices.Equal(a.DType, b.DType) && a.Version == b.Version
}

func overlap(a, b []string) bool {
	if a == nil || b == nil || len(a) == 0 && len(b) == 0 {
		return true
	}
	return slices.ContainsFunc(a, func(name string) bool { return slices.Contains(b, name) })
}

func firstLine(keys map[string]ast.Node) int {
	line := 0
	for n := range maps.Values(keys) {
		if l := lineOf(n); l > 0 && (line == 0 || l < line) {
			line = l
		}
	}
	return line
}
