package faulty

import (
	"log/slog"
	"strconv"
	"strings"

	"github.com/statespec/statespec/reference/config"
)

// capSpellings holds faults of unusual ways to write a cap: taken for another
// number, or passed over in silence.
func capSpellings() []Fault {
	padded := func(text string) bool { return strings.TrimSpace(text) != text && strings.TrimSpace(text) != "" }
	scored := func(text string) bool { return strings.Contains(text, "_") }
	signed := func(text string) bool { return strings.HasPrefix(text, "+") }
	leading := func(text string) bool { n, ok := whole(text); return ok && n > 0 && text[0] == '0' }
	hex := func(text string) bool { return strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X") }
	foreign := func(text string) bool {
		return !wordless(text) && strings.ContainsFunc(text, func(r rune) bool { return r > 0x7f })
	}
	return []Fault{
		dropped("passes over a cap with white space around it", "ENV-16", padded),
		dropped("passes over a cap with an underscore", "ENV-16.underscore", scored),
		dropped("passes over a cap with a sign", "ENV-16.sign", signed),
		dropped("passes over a cap with a leading zero", "ENV-16.leading-zero", leading),
		dropped("passes over a cap in hexadecimal", "ENV-16.hex", hex),
		dropped("passes over a cap in other digits", "ENV-16.digits", foreign),
		{
			Name: "drops the point of a cap", Breaks: []string{"ENV-16"},
			Parts: spelt(func(text string) string {
				if strings.Count(text, ".") == 1 {
					return strings.Replace(text, ".", "", 1)
				}
				return text
			}),
		}, {
			Name: "reads a cap up to its exponent", Breaks: []string{"ENV-16"},
			Parts: spelt(func(text string) string {
				if n, exponent, found := strings.Cut(text, "e"); found && exponent != "" && !wordless(exponent) {
					return n
				}
				return text
			}),
		}, {
			Name: "reads a cap up to an underscore", Breaks: []string{"ENV-16.underscore"},
			Parts: spelt(func(text string) string { n, _, _ := strings.Cut(text, "_"); return n }),
		}, {
			Name: "adds a signed cap to the default", Breaks: []string{"ENV-16.sign"},
			Parts: recapping(func(text string, n int) int {
				if signed(text) {
					return config.DefaultMaxSessions + n
				}
				return n
			}),
		}, {
			Name: "reads a leading zero as octal", Breaks: []string{"ENV-16.leading-zero"},
			Parts: spelt(func(text string) string {
				if n, err := strconv.ParseInt(text, 8, 64); err == nil && leading(text) {
					return strconv.FormatInt(n, 10)
				}
				return text
			}),
		}, {
			Name: "reads hexadecimal as decimal", Breaks: []string{"ENV-16.hex"},
			Parts: spelt(func(text string) string {
				if hex(text) {
					return text[len("0x"):]
				}
				return text
			}),
		}, {
			Name: "counts other digits by their code", Breaks: []string{"ENV-16.digits"},
			Parts: spelt(func(text string) string {
				if !foreign(text) {
					return text
				}
				n := 0
				for _, r := range text {
					n = n*10 + int(r-'0')
				}
				return strconv.Itoa(n)
			}),
		},
	}
}

// dropped is a subject to which a cap of one spelling is as good as unset, and
// which says nothing of it.
func dropped(name, row string, spelling func(text string) bool) Fault {
	return Fault{Name: name, Breaks: []string{row}, Parts: resolving(func(c config.Config, get lookup, log *slog.Logger) config.Resolution {
		return config.Resolve(c, func(name string) (string, bool) {
			text, set := get(name)
			if name == config.MaxSessionsVar && set && spelling(text) {
				return "", false
			}
			return text, set
		}, log)
	})}
}
