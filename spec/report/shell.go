package report

import "strings"

// ShellWord is a text as one word of a command that a person copies into a POSIX
// shell: as it is where the shell sees nothing in it, else in quotes.
func ShellWord(text string) string {
	special := func(r rune) bool {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', strings.ContainsRune("-_./:=@%+,", r):
			return false
		}
		return true
	}
	if text != "" && !strings.ContainsFunc(text, special) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
