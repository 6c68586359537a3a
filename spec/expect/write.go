package expect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/statespec/statespec/spec/verdict"
)

// recorded begins the reason of an entry that a run wrote and nobody has
// explained yet.
const recorded = "recorded from a run: "

// Write makes an expectation file of a run: one entry for each row that was
// broken, crashed or hung, and no other. Read back for a run with the same
// outcomes, every one of them is known-broken and the exit code is 0.
//
// Entries that the run was given keep their reason and link. Their conditions
// are not in results, so that an entry written here always applies; what an
// entry said of other conditions is not written.
func Write(r verdict.Results) ([]byte, error) {
	if r.Suite == "" {
		return nil, fmt.Errorf("results name no suite version: an expectation file needs one")
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# What %s broke. An entry that no longer breaks fails the run.\n", comment(cmp.Or(r.Subject.Name, "the subject")))
	fmt.Fprintf(&b, "suite: %s\n", quote(r.Suite))
	if name := strings.TrimSpace(r.Subject.Name); name != "" {
		fmt.Fprintf(&b, "subject: %s\n", quote(name))
	}
	entries := 0
	for _, guarantee := range r.Verdicts {
		for _, row := range append([]verdict.Verdict{guarantee}, guarantee.Cases...) {
			word, failed := failure(row)
			if !failed {
				continue
			}
			if entries == 0 {
				b.WriteString("expectations:\n")
			}
			entries++
			writeEntry(&b, row, word, len(guarantee.Cases) > 0)
		}
	}
	if entries == 0 {
		b.WriteString("expectations: []\n")
	}
	return b.Bytes(), nil
}

// failure is how a row failed, excused or not.
func failure(row verdict.Verdict) (verdict.Word, bool) {
	switch row.Own {
	case verdict.Broken, verdict.Crashed, verdict.Hung:
		return row.Own, true
	case verdict.KnownBroken, verdict.New:
		if telling := row.Telling(); len(telling) > 0 {
			return telling[0].Outcome, true
		}
		return verdict.Broken, true
	}
	return "", false
}

func writeEntry(b *bytes.Buffer, row verdict.Verdict, word verdict.Word, hasCases bool) {
	message := ""
	if telling := row.Telling(); len(telling) > 0 {
		message = comment(line(telling[0].Message))
	}
	fmt.Fprintf(b, "\n  # %s %s: %s\n", row.ID, row.Level, comment(row.Statement))
	if message != "" {
		fmt.Fprintf(b, "  # %s\n", message)
	}
	r := row.Row()
	fmt.Fprintf(b, "  - id: %s\n", r.Guarantee())
	if r.IsCase() {
		fmt.Fprintf(b, "    cases: [%s]\n", strings.TrimPrefix(r.ID, r.Guarantee()+"."))
	} else if hasCases {
		b.WriteString("    cases: []\n") // the own row, and none of its cases
	}
	if word != verdict.Broken {
		fmt.Fprintf(b, "    outcome: %s\n", word)
	}
	reason := recorded + cmp.Or(message, string(word))
	if row.Own == verdict.KnownBroken && row.Reason != "" {
		reason = row.Reason
	}
	fmt.Fprintf(b, "    reason: %s\n", quote(reason))
	if row.Link != "" {
		fmt.Fprintf(b, "    link: %s\n", quote(row.Link))
	}
}

// line is the first line of a text with something in it.
func line(text string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return first
}

// comment makes a text fit for a line: printable, and not endless.
func comment(text string) string {
	const longest = 240
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, strings.ToValidUTF8(text, "\ufffd"))
	if runes := []rune(text); len(runes) > longest {
		text = string(runes[:longest-1]) + "…"
	}
	return strings.TrimSpace(text)
}

// quote writes a text as YAML: JSON's quoted text is YAML's.
func quote(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // a string always encodes
	}
	return strings.TrimSuffix(b.String(), "\n")
}
