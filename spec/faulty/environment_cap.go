package faulty

import (
	"log/slog"
	"math"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode"

	"github.com/statespec/statespec/reference/config"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
)

// recapping is a subject that finds another cap than the variable says. It hears
// the variable's text, trimmed, and what that comes to by the book.
func recapping(change func(text string, n int) int) func() subject.Parts {
	return revising(func(d *decision) {
		if d.maxSessions != nil {
			d.MaxSessions = change(strings.TrimSpace(*d.maxSessions), d.MaxSessions)
		}
	})
}

// spelt is a subject that takes a cap for another text. It hears what the
// variable says, trimmed.
func spelt(as func(text string) string) func() subject.Parts {
	return taking(config.MaxSessionsVar, func(text string) string {
		if trimmed := strings.TrimSpace(text); as(trimmed) != trimmed {
			return as(trimmed)
		}
		return text
	})
}

// whole reads a decimal integer of plain digits and perhaps a minus sign.
func whole(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && !strings.HasPrefix(text, "+")
}

func wordless(text string) bool { return !strings.ContainsFunc(text, unicode.IsDigit) }

// caps holds faults of the cap that nobody set and of those that somebody did.
func caps() []Fault {
	byDefault := func(n int) func() subject.Parts {
		return revising(func(d *decision) {
			if d.capless() {
				d.MaxSessions = n
			}
		})
	}
	return []Fault{
		{Name: "retains 32 sessions by default", Breaks: []string{"ENV-08"}, Parts: byDefault(32)},
		{Name: "retains one session too many by default", Breaks: []string{"ENV-08"}, Parts: byDefault(65)},
		{Name: "retains one session too few by default", Breaks: []string{"ENV-08"}, Parts: byDefault(63)},
		{Name: "retains every session by default", Breaks: []string{"ENV-08"}, Parts: byDefault(math.MaxInt)},
		{
			Name: "says 64 by default and retains 32", Breaks: []string{"ENV-08"},
			Parts: saying(byDefault(32), func(r *spec.Resolution) {
				if r.Cap == "32" {
					r.Cap = "64"
				}
			}),
		}, {
			Name: "ignores the cap variable", Breaks: []string{"ENV-09"},
			Parts: recapping(func(string, int) int { return config.DefaultMaxSessions }),
		}, {
			Name: "lets the cap variable only lower the cap", Breaks: []string{"ENV-09"},
			Parts: recapping(func(_ string, n int) int { return min(n, config.DefaultMaxSessions) }),
		}, {
			Name: "raises a cap of one to two", Breaks: []string{"ENV-09"},
			Parts: recapping(func(_ string, n int) int { return max(n, 2) }),
		}, {
			Name: "retains one session more than the variable says", Breaks: []string{"ENV-09"},
			Parts: revising(func(d *decision) {
				if !d.capless() {
					d.MaxSessions++
				}
			}),
		}, {
			Name: "keeps a cap in sixteen bits", Breaks: []string{"ENV-09"},
			Parts: recapping(func(_ string, n int) int { return int(uint16(n)) }),
		}, {
			Name: "says the variable's cap and retains the default", Breaks: []string{"ENV-09"},
			Parts: sayingTheCap,
		},
	}
}

// saying is a subject that says something else than it does.
func saying(parts func() subject.Parts, change func(*spec.Resolution)) func() subject.Parts {
	return func() subject.Parts {
		p := parts()
		p.Resolution = change
		return p
	}
}

// sayingTheCap ignores the variable, and says that it did not.
func sayingTheCap() subject.Parts {
	var said atomic.Int64
	return saying(
		resolving(func(c config.Config, get lookup, log *slog.Logger) config.Resolution {
			r := config.Resolve(c, get, log)
			said.Store(int64(r.MaxSessions))
			r.MaxSessions = config.DefaultMaxSessions
			return r
		}),
		func(r *spec.Resolution) { r.Cap = strconv.FormatInt(said.Load(), 10) },
	)()
}

// unusableCaps holds faults of values that must not become a cap.
func unusableCaps() []Fault {
	numeric := func(change func(n int) int) func() subject.Parts {
		return recapping(func(text string, n int) int {
			if asked, ok := whole(text); ok && asked < 1 {
				return change(asked)
			}
			return n
		})
	}
	worded := func(instead int) func() subject.Parts {
		return recapping(func(text string, n int) int {
			if text != "" && wordless(text) {
				return instead
			}
			return n
		})
	}
	return []Fault{
		{Name: "takes a cap of letters for zero", Breaks: []string{"ENV-10"}, Parts: worded(0)},
		{Name: "takes a cap of letters for one", Breaks: []string{"ENV-10"}, Parts: worded(1)},
		{Name: "takes a cap of letters for none", Breaks: []string{"ENV-10"}, Parts: worded(math.MaxInt)},
		{
			Name: "takes an empty cap for zero", Breaks: []string{"ENV-10"},
			Parts: recapping(func(text string, n int) int {
				if text == "" {
					return 0
				}
				return n
			}),
		}, {
			Name: "takes a comma for a mark of thousands", Breaks: []string{"ENV-10"},
			Parts: spelt(func(text string) string { return strings.ReplaceAll(text, ",", "") }),
		}, {
			Name: "takes two signs for none", Breaks: []string{"ENV-10"},
			Parts: spelt(func(text string) string { return strings.ReplaceAll(text, "--", "") }),
		}, {
			Name: "takes the number before a unit", Breaks: []string{"ENV-10"},
			Parts: spelt(func(text string) string { n, _, _ := strings.Cut(text, " "); return n }),
		}, {
			Name: "reads a cap up to what is no digit", Breaks: []string{"ENV-10", "ENV-16", "ENV-16.underscore"},
			Parts: spelt(func(text string) string {
				if end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsDigit(r) }); end > 0 {
					return text[:end]
				}
				return text
			}),
		},
		{Name: "takes a zero in the cap variable for none", Breaks: []string{"ENV-11"}, Parts: numeric(func(int) int { return math.MaxInt })},
		{Name: "takes a zero in the cap variable for one", Breaks: []string{"ENV-11"}, Parts: numeric(func(int) int { return 1 })},
		{
			Name: "takes a negative cap for its size", Breaks: []string{"ENV-11"},
			Parts: numeric(func(n int) int {
				if n == 0 {
					return config.DefaultMaxSessions
				}
				return -n
			}),
		}, {
			Name: "counts a negative cap from the default", Breaks: []string{"ENV-11"},
			Parts: numeric(func(n int) int { return max(1, config.DefaultMaxSessions+n) }),
		}, {
			// It crashes.
			Name: "divides its room by a cap of zero", Breaks: []string{"ENV-11", "ENV-12"},
			Parts: numeric(func(n int) int {
				const room = 64 << 30
				if share := room / n; share > room {
					return 1
				}
				return config.DefaultMaxSessions
			}),
		},
	}
}

// largeCaps holds faults of a cap beyond what a machine counts in.
func largeCaps() []Fault {
	return []Fault{
		{Name: "wraps a large cap around", Breaks: []string{"ENV-15"}, Parts: large(func(digits string) int {
			n := uint64(0)
			for _, d := range digits {
				n = n*10 + uint64(d-'0')
			}
			return max(1, int(n%(1<<63)))
		})},
		{Name: "clips a large cap", Breaks: []string{"ENV-15"}, Parts: large(func(string) int { return math.MaxInt })},
		{Name: "rounds a large cap", Breaks: []string{"ENV-15"}, Parts: rounding},
		{
			Name: "ignores a large cap without a word", Breaks: []string{"ENV-15"},
			Parts: silent(isLarge),
		},
	}
}

func isLarge(text string) bool {
	return len(text) > 18 && !strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
}

// large is a subject that makes something of a cap that it cannot count to.
func large(change func(digits string) int) func() subject.Parts {
	return recapping(func(text string, n int) int {
		if isLarge(text) {
			return change(text)
		}
		return n
	})
}

// rounding takes a large cap through a float, and has no cap in effect.
func rounding() subject.Parts {
	var rounded atomic.Value // text
	return saying(
		large(func(digits string) int {
			f, _ := strconv.ParseFloat(digits, 64)
			rounded.Store(strconv.FormatFloat(f, 'f', 0, 64))
			return math.MaxInt
		}),
		func(r *spec.Resolution) {
			if text, ok := rounded.Load().(string); ok {
				r.Cap = text
			}
		},
	)()
}
