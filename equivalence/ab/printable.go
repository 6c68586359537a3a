package ab

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable keeps names and a program's words from doing anything but being read:
// control characters, escape sequences among them, become visible.
func Printable(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < 0x20:
			return 0x2400 + r // the picture of the control character
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return utf8.RuneError
		}
		return r
	}, text)
}
