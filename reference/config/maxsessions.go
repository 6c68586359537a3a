package config

import (
	"math"
	"strconv"
	"strings"
	"unicode"
)

// parseCap reads a positive decimal integer in any script's digits, with an
// optional sign and single underscores between digits, and white space around
// it: what the page's own language takes for one. Otherwise it says why not.
func parseCap(text string) (n int, why string) {
	digits := strings.TrimSpace(text)
	if digits == "" {
		return 0, "it is empty"
	}
	negative := digits[0] == '-'
	if negative || digits[0] == '+' {
		digits = digits[1:]
	}
	const notNumber = "not a decimal integer"
	tooLarge, underscore := false, true // an underscore must follow a digit
	for _, r := range digits {
		if r == '_' && !underscore {
			underscore = true
			continue
		}
		d, ok := digit(r)
		if !ok {
			return 0, notNumber
		}
		underscore = false
		if n > (math.MaxInt-d)/10 {
			tooLarge = true
			continue
		}
		n = n*10 + d
	}
	switch {
	case underscore: // at the end, or no digit at all
		return 0, notNumber
	case negative || n == 0:
		return 0, "not positive"
	case tooLarge:
		return 0, "more than this machine can count"
	}
	return n, ""
}

// digit is the value of a decimal digit of any script. Unicode keeps the ten
// of a script together, from zero on.
func digit(r rune) (int, bool) {
	if '0' <= r && r <= '9' {
		return int(r - '0'), true
	}
	for _, block := range unicode.Nd.R16 {
		if rune(block.Lo) <= r && r <= rune(block.Hi) {
			return int(r-rune(block.Lo)) % 10, true
		}
	}
	for _, block := range unicode.Nd.R32 {
		if rune(block.Lo) <= r && r <= rune(block.Hi) {
			return int(r-rune(block.Lo)) % 10, true
		}
	}
	return 0, false
}

// shown is a value as a log line can carry it: quoted, escaped, and cut.
func shown(text string) string {
	const most = 64
	if len(text) <= most {
		return strconv.Quote(text)
	}
	cut := most
	for cut > most-4 && text[cut]&0xc0 == 0x80 { // not inside a rune
		cut--
	}
	return strconv.Quote(text[:cut]) + "… (" + strconv.Itoa(len(text)) + " bytes)"
}
