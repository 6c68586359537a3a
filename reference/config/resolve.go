package config

import (
	"log/slog"
	"strings"
)

// Where the switch and the cap are set, and what holds when nobody does.
const (
	EnableVar          = "OMNI_DIFFUSION_SESSION_STATE_MANAGER"
	MaxSessionsVar     = "OMNI_DIFFUSION_SESSION_STATE_MANAGER_MAX_SESSIONS"
	EnableField        = "enable_session_state_manager"
	DefaultMaxSessions = 64 // as the bespoke path's constant
)

// A Config is the part of a deploy config that concerns the manager.
type Config struct {
	EnableSessionStateManager *bool // nil when the config does not say
}

// A Resolution is the decision.
type Resolution struct {
	Enabled     bool
	MaxSessions int // at least 1
}

// Resolve decides. Lookup is os.LookupEnv or the like (nil: no variable is
// set). A cap that is set and
// unusable is ignored with one warning to log (nil for silence), whether the
// manager is on or not: silence would hide a typo.
func Resolve(cfg Config, lookup func(string) (string, bool), log *slog.Logger) Resolution {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if lookup == nil {
		lookup = func(string) (string, bool) { return "", false }
	}
	r := Resolution{MaxSessions: DefaultMaxSessions}
	if cfg.EnableSessionStateManager != nil {
		r.Enabled = *cfg.EnableSessionStateManager
	}
	if text, set := lookup(EnableVar); set {
		if on, parses := parseSwitch(text); parses {
			r.Enabled = on
		} else {
			log.Debug("variable is no switch, the config decides", "variable", EnableVar, "value", shown(text))
		}
	}
	if text, set := lookup(MaxSessionsVar); set {
		if n, why := parseCap(text); why == "" {
			r.MaxSessions = n
		} else {
			log.Warn("ignoring "+MaxSessionsVar+"="+shown(text)+": "+why,
				"variable", MaxSessionsVar, "value", shown(text), "max_sessions", DefaultMaxSessions)
		}
	}
	return r
}

// parseSwitch reads the eight words, in any letter case and between ASCII
// white space. Nothing else is a switch, near words included.
func parseSwitch(text string) (on, parses bool) {
	switch word := strings.Trim(text, " \t\n\r\v\f"); {
	case word == "1", equalASCII(word, "true"), equalASCII(word, "yes"), equalASCII(word, "on"):
		return true, true
	case word == "0", equalASCII(word, "false"), equalASCII(word, "no"), equalASCII(word, "off"):
		return false, true
	}
	return false, false
}

// equalASCII compares with ASCII letters folded, and only those: Unicode folds
// other letters into these words.
func equalASCII(text, lower string) bool {
	if len(text) != len(lower) {
		return false
	}
	for i := range len(text) {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
