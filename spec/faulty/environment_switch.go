package faulty

import (
	"log/slog"
	"slices"
	"strings"

	"github.com/statespec/statespec/reference/config"
	"github.com/statespec/statespec/reference/subject"
)

// silentSwitch holds faults of what is decided without the variable.
func silentSwitch() []Fault {
	return []Fault{
		{
			Name: "is on by default", Breaks: []string{"ENV-01"},
			Parts: resolving(func(c config.Config, get lookup, log *slog.Logger) config.Resolution {
				if c.EnableSessionStateManager == nil {
					c.EnableSessionStateManager = new(true)
				}
				return config.Resolve(c, get, log)
			}),
		}, {
			Name: "calls the path managed when nothing is set", Breaks: []string{"ENV-01"},
			Parts: deciding(func(d *decision, m modelOver) (store, error) {
				st, err := m.choose(d.Resolution)
				if err == nil && d.field == nil && d.switched == nil {
					st = renamed{st, managedPath}
				}
				return st, err
			}),
		}, {
			Name: "needs the variable beside the field", Breaks: []string{"ENV-02", "ENV-06"},
			Parts: revising(func(d *decision) { d.Enabled = d.Enabled && d.switched != nil }),
		}, {
			Name: "leaves a model bespoke by the field alone", Breaks: []string{"ENV-02"},
			Parts: deciding(func(d *decision, m modelOver) (store, error) {
				d.Enabled = d.Enabled && d.switched != nil
				return m.choose(d.Resolution)
			}),
		}, {
			Name: "takes a field that is there for one that is true", Breaks: []string{"ENV-06"},
			Parts: revising(func(d *decision) {
				if d.switched == nil {
					d.Enabled = d.field != nil
				}
			}),
		},
	}
}

// switchWords holds faults of the words that decide.
func switchWords() []Fault {
	return []Fault{
		{
			Name: "ignores the variable", Breaks: []string{"ENV-03", "ENV-04", "ENV-14"},
			Parts: revising(func(d *decision) { d.Enabled = d.said() }),
		}, {
			Name: "lets the environment win only when it enables", Breaks: []string{"ENV-04"}, Follows: []string{"ENV-14"},
			Parts: revising(func(d *decision) { d.Enabled = d.Enabled || d.said() }),
		}, {
			Name: "lets the environment win only when it disables", Breaks: []string{"ENV-03"}, Follows: []string{"ENV-14"},
			Parts: revising(func(d *decision) { d.Enabled = d.Enabled && d.said() }),
		}, {
			Name: "lets the config beat the variable", Breaks: []string{"ENV-03", "ENV-04"}, Follows: []string{"ENV-14"},
			Parts: revising(func(d *decision) {
				if d.field != nil {
					d.Enabled = d.said()
				}
			}),
		}, {
			Name: "reads the switch as a number", Breaks: []string{"ENV-03", "ENV-04"},
			Parts: takingWords(func(word string) string {
				if word == "1" || word == "0" {
					return word
				}
				return "a word"
			}),
		},
		unknown("does not know one and zero", []string{"ENV-14"}, "1", "0"),
		unknown("does not know true and false", nil, "true", "false"),
		unknown("does not know yes and no", nil, "yes", "no"),
		unknown("does not know on and off", nil, "on", "off"),
		{
			Name: "takes anything but a zero for on", Breaks: []string{"ENV-04", "ENV-07", "ENV-07.near"},
			Parts: takingWords(func(word string) string {
				if word == "0" {
					return word
				}
				return "1"
			}),
		}, {
			Name: "takes a word by its first letter", Breaks: []string{"ENV-04", "ENV-07"},
			Parts: takingWords(func(word string) string {
				switch {
				case word != "" && strings.Contains("oty", word[:1]):
					return "1"
				case word != "" && strings.Contains("nf", word[:1]):
					return "0"
				}
				return word
			}),
		}, {
			Name: "reads the switch in lower case only", Breaks: []string{"ENV-05"},
			Parts: taking(config.EnableVar, func(text string) string {
				if text != strings.ToLower(text) {
					return "a word"
				}
				return text
			}),
		}, {
			Name: "does not trim the switch", Breaks: []string{"ENV-05"},
			Parts: taking(config.EnableVar, func(text string) string {
				if text != strings.TrimSpace(text) {
					return "a word"
				}
				return text
			}),
		}, {
			Name: "trims the switch of blanks only", Breaks: []string{"ENV-05"},
			Parts: taking(config.EnableVar, func(text string) string {
				if strings.ContainsAny(text, "\t\r\n") {
					return "a word"
				}
				return text
			}),
		},
	}
}

// noSwitchWords holds faults of the values that decide nothing.
func noSwitchWords() []Fault {
	return []Fault{
		{
			Name: "takes anything that is no word for off", Breaks: []string{"ENV-07", "ENV-07.near"},
			Parts: takingWords(func(word string) string {
				if !isSwitch(word) {
					return "0"
				}
				return word
			}),
		},
		mistaken("takes an empty variable for off", "0", ""),
		{
			Name: "takes a blank variable for off", Breaks: []string{"ENV-07"},
			Parts: taking(config.EnableVar, func(text string) string {
				if text != "" && strings.TrimSpace(text) == "" {
					return "0"
				}
				return text
			}),
		},
		mistaken("takes enabled for a word", "1", "enabled"),
		mistaken("takes disabled for a word", "0", "disabled"),
		mistaken("takes any number but zero for on", "1", "2"),
		mistaken("looks no further than a comma", "1", "on,off"),
		{
			Name: "takes a word by its beginning", Breaks: []string{"ENV-07"},
			Parts: takingWords(func(word string) string {
				if strings.HasPrefix(word, "true") || strings.HasPrefix(word, "on") {
					return "1"
				}
				return word
			}),
		}, {
			// It hangs.
			Name: "waits for the rest of a doubled word", Breaks: []string{"ENV-07"},
			Parts: takingWords(func(word string) string {
				if word == "truetrue" {
					select {}
				}
				return word
			}),
		},
		near("takes a single letter for on", "1", "n", "f"),
		near("takes a single letter for off", "0", "y", "t"),
		near("takes a full-width digit for on", "1", "０"),
		near("takes a full-width digit for off", "0", "１"),
	}
}

// takingWords is taking of the switch as it is read: trimmed, in lower case.
func takingWords(as func(word string) string) func() subject.Parts {
	return taking(config.EnableVar, func(text string) string { return as(strings.ToLower(strings.TrimSpace(text))) })
}

func isSwitch(word string) bool {
	return slices.Contains([]string{"1", "true", "yes", "on", "0", "false", "no", "off"}, word)
}

// unknown is a subject that does not know two of the words.
func unknown(name string, follows []string, on, off string) Fault {
	return Fault{Name: name, Breaks: []string{"ENV-03", "ENV-04"}, Follows: follows, Parts: takingWords(func(word string) string {
		if word == on || word == off {
			return "a word"
		}
		return word
	})}
}

// mistaken is a subject to which one value that is no word is one.
func mistaken(name, as, value string) Fault {
	f := near(name, as, value)
	f.Breaks = []string{"ENV-07"}
	return f
}

// near is a subject to which near words are a word that they do not mean.
func near(name, as string, values ...string) Fault {
	return Fault{Name: name, Breaks: []string{"ENV-07.near"}, Parts: taking(config.EnableVar, func(text string) string {
		if slices.Contains(values, strings.ToLower(text)) {
			return as
		}
		return text
	})}
}
