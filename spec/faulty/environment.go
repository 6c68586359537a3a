package faulty

import (
	"log/slog"
	"slices"
	"strings"

	"github.com/statespec/statespec/reference/config"
	"github.com/statespec/statespec/reference/subject"
)

// environment holds faults of the switch, the cap and their precedence, and of
// the path that is taken when the manager is off.
func environment() []Fault {
	return slices.Concat(silentSwitch(), switchWords(), noSwitchWords(), caps(), unusableCaps(), capWarnings(),
		largeCaps(), capSpellings(), configCaps(), configFiles(), paths(), offPath())
}

// lookup reads a variable, false when it is unset.
type lookup = func(name string) (string, bool)

// resolving is a subject that resolves its configuration in another way.
func resolving(resolve func(config.Config, lookup, *slog.Logger) config.Resolution) func() subject.Parts {
	return func() subject.Parts { return subject.Parts{Resolve: resolve} }
}

// taking is a subject that takes the text of a variable for another one. What it
// warns of is the other one, too.
func taking(variable string, as func(text string) string) func() subject.Parts {
	return resolving(func(c config.Config, get lookup, log *slog.Logger) config.Resolution {
		return config.Resolve(c, func(name string) (string, bool) {
			text, set := get(name)
			if set && name == variable {
				text = as(text)
			}
			return text, set
		}, log)
	})
}

// A decision is what a subject came to, and from what.
type decision struct {
	config.Resolution
	field       *bool   // what the config says of the switch
	switched    *string // the switch's variable, nil when it is unset
	maxSessions *string // the cap's
}

func (d *decision) said() bool { return d.field != nil && *d.field } // by the config alone
func (d *decision) off() bool  { return d.switched != nil && *d.switched == "0" }

// capless says that the cap is the one of a subject that was told none.
func (d *decision) capless() bool {
	if d.maxSessions == nil {
		return true
	}
	said, _ := whole(strings.ReplaceAll(*d.maxSessions, "_", ""))
	return d.MaxSessions == config.DefaultMaxSessions && d.MaxSessions != said
}

// decided resolves by the book and keeps what was asked.
func decided(c config.Config, get lookup, log *slog.Logger) *decision {
	d := &decision{Resolution: config.Resolve(c, get, log), field: c.EnableSessionStateManager}
	if text, set := get(config.EnableVar); set {
		d.switched = &text
	}
	if text, set := get(config.MaxSessionsVar); set {
		d.maxSessions = &text
	}
	return d
}

// revising is a subject that decides by the book, and then otherwise.
func revising(change func(*decision)) func() subject.Parts {
	return resolving(func(c config.Config, get lookup, log *slog.Logger) config.Resolution {
		d := decided(c, get, log)
		change(d)
		return d.Resolution
	})
}
