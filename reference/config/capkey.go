package config

import (
	"slices"
	"strings"
	"unicode"
)

// namesCap reports whether a key would set the cap on sessions: it speaks of
// sessions, or stands inside a key that names the manager (managed), and one
// of its words is max or cap. session_captions, max_model_len are not such.
func namesCap(key string, managed bool) bool {
	bound, sessions := false, managed
	for _, word := range words(key) {
		bound = bound || slices.Contains(limits, word)
		if !strings.Contains(word, "session") {
			continue
		}
		sessions = true
		for _, l := range limits { // maxsessions, sessioncap
			bound = bound || strings.HasPrefix(word, l) || strings.HasSuffix(word, l)
		}
	}
	return bound && sessions
}

var limits = []string{"max", "maximum", "cap", "capacity"}

// namesManager reports whether a key's value is the manager's own settings.
func namesManager(key string) bool {
	return strings.Contains(strings.Join(words(key), " "), "session state manager")
}

// words splits snake_case, kebab-case, dotted and camelCase keys.
func words(key string) []string {
	var split strings.Builder
	lower := false // the rune before was a lower-case letter
	for _, r := range key {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = ' '
		case unicode.IsUpper(r) && lower:
			split.WriteByte(' ')
		}
		lower = unicode.IsLower(r)
		split.WriteRune(unicode.ToLower(r))
	}
	return strings.Fields(split.String())
}

func capIsNoField(key string) string {
	return shown(key) + " is no config field: the cap on retained sessions is set by the variable " + MaxSessionsVar
}
