package faulty

import (
	"context"
	"log/slog"
	"strings"

	"github.com/statespec/statespec/reference/config"
	"github.com/statespec/statespec/reference/subject"
)

// warning is a handler of log records that changes those of a level that is
// worth a warning, or keeps them to itself.
type warning struct {
	slog.Handler
	change func(slog.Record) (slog.Record, bool)
}

func (w warning) Handle(ctx context.Context, r slog.Record) error {
	if r.Level >= slog.LevelWarn {
		changed, tell := w.change(r)
		if !tell {
			return nil
		}
		r = changed
	}
	return w.Handler.Handle(ctx, r)
}

// warnings is a subject that says otherwise what is wrong with a cap variable of
// some texts.
func warnings(of func(text string) bool, change func(text string, r slog.Record) (slog.Record, bool)) func() subject.Parts {
	return resolving(func(c config.Config, get lookup, log *slog.Logger) config.Resolution {
		text, set := get(config.MaxSessionsVar)
		if set && of(text) {
			log = slog.New(warning{log.Handler(), func(r slog.Record) (slog.Record, bool) { return change(text, r) }})
		}
		return config.Resolve(c, get, log)
	})
}

// silent is a subject that does not warn of some texts.
func silent(of func(text string) bool) func() subject.Parts {
	return warnings(of, func(_ string, r slog.Record) (slog.Record, bool) { return r, false })
}

// worded is a subject that warns in other words.
func worded(words func(text string) string) func() subject.Parts {
	return warnings(every, func(text string, r slog.Record) (slog.Record, bool) {
		return slog.NewRecord(r.Time, r.Level, words(text), r.PC), true
	})
}

func every(string) bool { return true }

// capWarnings holds faults of what is said of a cap that is not used.
func capWarnings() []Fault {
	// Every row that lets a cap be ignored asks that this be said.
	all := []string{"ENV-10", "ENV-10.empty", "ENV-12", "ENV-15", "ENV-16", "ENV-16.hex"}
	return []Fault{
		{Name: "ignores a cap without a word", Breaks: all, Parts: silent(every)},
		{
			Name: "tells of an unusable cap at level info", Breaks: all,
			Parts: warnings(every, func(_ string, r slog.Record) (slog.Record, bool) { r.Level = slog.LevelInfo; return r, true }),
		}, {
			Name: "does not warn of a cap of letters", Breaks: []string{"ENV-10"},
			Parts: silent(func(text string) bool { return strings.TrimSpace(text) != "" && wordless(text) }),
		}, {
			Name: "does not warn of an empty cap", Breaks: []string{"ENV-10.empty"},
			Parts: silent(func(text string) bool { return text == "" }),
		}, {
			Name: "does not warn of a blank cap", Breaks: []string{"ENV-10.empty"},
			Parts: silent(func(text string) bool { return text != "" && strings.TrimSpace(text) == "" }),
		}, {
			Name: "warns of a cap in general terms", Breaks: []string{"ENV-10.names"},
			Parts: worded(func(string) string { return "invalid value, ignored" }),
		}, {
			Name: "warns of a cap without its value", Breaks: []string{"ENV-10.names"},
			Parts: worded(func(string) string { return "ignoring " + config.MaxSessionsVar }),
		}, {
			Name: "warns of a cap without its variable", Breaks: []string{"ENV-10.names"},
			Parts: worded(func(text string) string { return "ignoring a cap of " + text }),
		}, {
			Name: "warns of the first line of a cap", Breaks: []string{"ENV-10.names"},
			Parts: worded(func(text string) string {
				first, _, _ := strings.Cut(text, "\n")
				return "ignoring " + config.MaxSessionsVar + "=" + first
			}),
		}, {
			Name: "ignores a cap of zero without a warning", Breaks: []string{"ENV-12"},
			Met:   "the real manager, of zero and negative caps",
			Parts: silent(func(text string) bool { n, ok := whole(strings.TrimSpace(text)); return ok && n < 1 }),
		}, {
			Name: "does not warn of a negative cap", Breaks: []string{"ENV-12"},
			Parts: silent(func(text string) bool { n, ok := whole(strings.TrimSpace(text)); return ok && n < 0 }),
		},
	}
}
