package config

import (
	"slices"
	"strings"
	"unicode"
)

// namesCap reports whether a key would set the cap on sessions. What such a
// key is about is the sessions, or the manager, and beside that it says that
// they are limited: max_retained_sessions, sessions_max, session_cap,
// maxSessions. Keys about what a session has are other people's:
// session_max_tokens, max_session_seconds, max_tokens_per_session. Among the
// manager's own settings (managed) a bare limit is the cap, too: max.
func namesCap(key string, managed bool) bool {
	all := words(key)
	if managed && isBareLimit(all) {
		return true
	}
	head := len(all) // what stands before it is what the key is about
	limited := false
	for head > 0 && (isLimit(all[head-1]) || isCount(all[head-1])) {
		head--
		limited = limited || isLimit(all[head])
	}
	about := all[:head]
	if head == 0 || ofSomethingElse(about) {
		return false
	}
	last := about[head-1]
	switch {
	case isSessions(last):
		return limited || slices.ContainsFunc(about, isLimit)
	case strings.HasSuffix(strings.Join(about, " "), managerWords):
		return limited
	}
	return limitsSessions(last)
}

// limits say that there may be so many and no more.
var limits = []string{"max", "maximum", "cap", "capacity"}

func isLimit(word string) bool    { return slices.Contains(limits, word) }
func isSessions(word string) bool { return word == "session" || word == "sessions" }

// isCount reports whether a word only says that there is a number of them.
func isCount(word string) bool { return word == "count" || word == "number" || word == "num" }

// isBareLimit reports whether a key says that there is a limit, and not on what.
func isBareLimit(all []string) bool {
	said := func(word string) bool { return isLimit(word) || isCount(word) || word == "retained" }
	return slices.ContainsFunc(all, isLimit) && !slices.ContainsFunc(all, func(word string) bool { return !said(word) })
}

// limitsSessions reports whether one word says it all: maxsessions, sessioncap.
func limitsSessions(word string) bool {
	return slices.ContainsFunc(limits, func(l string) bool {
		after, limited := strings.CutPrefix(word, l)
		if limited && (strings.HasSuffix(after, "session") || strings.HasSuffix(after, "sessions")) {
			return true
		}
		before, limited := strings.CutSuffix(word, l)
		return limited && isSessions(before)
	})
}

// ofSomethingElse reports whether the words speak of something that sessions
// have: tokens per session, but number of sessions.
func ofSomethingElse(about []string) bool {
	for i, word := range about {
		switch word {
		case "per", "each", "every", "in", "within", "by", "for":
			return true
		case "of":
			return i == 0 || !isCount(about[i-1])
		}
	}
	return false
}

const managerWords = "session state manager"

// inManager reports whether a key's value is the manager's own settings, or
// the part of them (managed) that bounds its sessions. Settings of something
// else, a log's say, are not, though they stand inside.
func inManager(key string, managed bool) bool {
	all := words(key)
	if !managed || len(all) == 0 {
		return strings.Contains(strings.Join(all, " "), managerWords)
	}
	last := all[len(all)-1]
	return isSessions(last) || last == "limits"
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
