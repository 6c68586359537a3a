package expect

import (
	"regexp"
	"slices"
	"strings"

	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/plainyaml"
	"github.com/statespec/statespec/spec/verdict"
)

// Every honest file is far smaller, and nested five deep.
var format = plainyaml.Format{Bytes: 256 << 10, Depth: 32, Want: "suite and expectations"}

// Parse reads a file's content. Its error is an [*Error].
func (r Reader) Parse(data []byte) (File, error) {
	p := plainyaml.Problems{Path: "expectations"}
	var f File
	if root, ok := format.Parse(data, &p); ok {
		f = r.file(root, &p)
	}
	if err := p.Err(); err != nil {
		return File{}, err
	}
	return f, nil
}

func (r Reader) file(root plainyaml.Node, p *plainyaml.Problems) File {
	var f File
	fields, ok := root.Fields("a file", "suite", "subject", "expectations")
	if !ok {
		return f
	}
	if n, ok := fields.Get("suite"); ok {
		f.Suite = r.suite(n)
	} else {
		p.Add(plainyaml.Position{}, "no suite, want the version that this was written for, as in suite: %q", r.Suite)
	}
	if n, ok := fields.Get("subject"); ok {
		f.Subject = text(n, "subject")
	}
	n, ok := fields.Get("expectations")
	if !ok {
		p.Add(plainyaml.Position{}, "no expectations, want a list; an empty one is expectations: []")
		return f
	}
	list := n.List("expectations")
	for _, entry := range list {
		f.Entries = append(f.Entries, r.entry(entry))
	}
	unique(f.Entries, list)
	return f
}

var suiteForm = regexp.MustCompile(`^\d{1,6}(\.\d{1,6})*$`)

func (r Reader) suite(n plainyaml.Node) string {
	suite := versionText(n, "suite")
	switch {
	case suite == "":
	case !suiteForm.MatchString(suite):
		n.Problem("suite %q, want numbers as in %q", suite, r.Suite)
	case catalogue.CompareSuites(suite, r.Suite) > 0:
		n.Problem("suite %q is newer than this one, want at most %q", suite, r.Suite)
	}
	return suite
}

func (r Reader) entry(n plainyaml.Node) Entry {
	e := Entry{Outcome: verdict.Broken, Line: n.At().Line}
	fields, ok := n.Fields("an expectation", "id", "cases", "when", "outcome", "reason", "link")
	if !ok {
		return e
	}
	if id, ok := fields.Get("id"); ok {
		e.ID = r.id(id)
	} else {
		n.Problem("no id, want that of a guarantee")
	}
	if cases, ok := fields.Get("cases"); ok {
		e.Cases = r.cases(e.ID, cases)
	}
	if when, ok := fields.Get("when"); ok {
		e.When = conditions(when)
	}
	if outcome, ok := fields.Get("outcome"); ok {
		e.Outcome = outcomeWord(outcome)
	}
	if reason, ok := fields.Get("reason"); ok {
		e.Reason = text(reason, "reason")
	} else {
		n.Problem("no reason, want why it is known to be broken")
	}
	if link, ok := fields.Get("link"); ok {
		e.Link = address(link)
	}
	return e
}

// id reads the ID of a guarantee.
func (r Reader) id(n plainyaml.Node) string {
	id := text(n, "id")
	var guarantees []string
	for _, row := range r.Rows {
		switch {
		case !row.IsCase():
			guarantees = append(guarantees, row.ID)
		case row.ID == id:
			n.Problem("id %s is a case, want id: %s with cases: [%s]", id, row.Guarantee(), strings.TrimPrefix(id, row.Guarantee()+"."))
			return ""
		}
	}
	if id == "" || slices.Contains(guarantees, id) {
		return id
	}
	guarantee, _, _ := strings.Cut(id, ".")
	if guarantee != id && slices.Contains(guarantees, guarantee) {
		n.Problem("unknown id %q%s", id, caseHint(guarantee, r.casesOf(guarantee)))
		return ""
	}
	n.Problem("unknown id %q%s", id, suggest(id, guarantees))
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

func (r Reader) cases(id string, n plainyaml.Node) []string {
	cases := []string{}
	known := r.casesOf(id)
	for _, item := range n.List("cases") {
		name := text(item, "a case")
		switch {
		case name == "" || id == "":
			continue
		case !slices.Contains(known, name) && len(known) == 0:
			item.Problem("unknown case %q: %s has no cases", name, id)
		case !slices.Contains(known, name):
			item.Problem("unknown case %q of %s%s", name, id, suggest(name, known))
		case slices.Contains(cases, name):
			item.Problem("case %s of %s twice", name, id)
		}
		cases = append(cases, name)
	}
	return cases
}

func conditions(n plainyaml.Node) When {
	var w When
	fields, _ := n.Fields("when", "device", "dtype", "version")
	if d, ok := fields.Get("device"); ok {
		w.Device = texts(d, "device")
	}
	if d, ok := fields.Get("dtype"); ok {
		w.DType = texts(d, "dtype")
	}
	if v, ok := fields.Get("version"); ok {
		w.Version = versionText(v, "version")
		if _, err := parseBounds(w.Version); err != nil && w.Version != "" {
			v.Problem("%s", err)
		}
	}
	return w
}

func outcomeWord(n plainyaml.Node) verdict.Word {
	legal := []string{string(verdict.Broken), string(verdict.Crashed), string(verdict.Hung)}
	word := text(n, "outcome")
	if word != "" && !slices.Contains(legal, word) {
		n.Problem("unknown outcome %q%s", word, suggest(word, legal))
	}
	return verdict.Word(word)
}

// address reads a link. Reports make it one that can be followed, so that it
// must not be anything but a page.
func address(n plainyaml.Node) string {
	link := text(n, "link")
	if link != "" && !strings.HasPrefix(link, "https://") && !strings.HasPrefix(link, "http://") {
		n.Problem("link %q, want an address that begins with https://", link)
	}
	return link
}

// unique refuses two entries of one row, outcome and conditions, where they are in
// the file.
func unique(entries []Entry, list []plainyaml.Node) {
	for i, e := range entries {
		for _, before := range entries[:i] {
			if e.ID != "" && e.ID == before.ID && e.Outcome == before.Outcome && sameWhen(e.When, before.When) && overlap(e.Cases, before.Cases) {
				list[i].Problem("%s is listed in line %d already", e.ID, before.Line)
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
