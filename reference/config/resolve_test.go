package config

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"unicode"
)

// resolve runs Resolve against a made-up environment and returns the log.
func resolve(cfg Config, env map[string]string) (Resolution, string) {
	var log bytes.Buffer
	lookup := func(name string) (string, bool) { v, set := env[name]; return v, set }
	r := Resolve(cfg, lookup, slog.New(slog.NewTextHandler(&log, nil)))
	return r, log.String()
}

func TestTheSwitchTakesEightWordsAndElseLeavesTheConfig(t *testing.T) {
	const leaves = "leaves"
	for text, want := range map[string]string{
		"1": "on", "true": "on", "TRUE": "on", " True ": "on", "tRuE": "on", "yes": "on", "on": "on", "\ttrue\n": "on",
		"0": "off", "false": "off", "no": "off", "off": "off", "OFF": "off", "false\n": "off", "\v\f0\r": "off",
		"": leaves, " ": leaves, "y": leaves, "n": leaves, "t": leaves, "f": leaves, "2": leaves, "-1": leaves, "01": leaves,
		"1.0": leaves, "enabled": leaves, "none": leaves, "true;": leaves, "１": leaves, "\u00a01": leaves, "o\u212a": leaves, "fal\u017fe": leaves,
	} {
		for _, config := range []*bool{nil, new(true), new(false)} {
			due := want == "on" || want == leaves && config != nil && *config
			got, log := resolve(Config{config}, map[string]string{EnableVar: text})
			if got.Enabled != due || got.MaxSessions != DefaultMaxSessions {
				t.Errorf("Resolve(%v, %s=%q) = %+v, want enabled %v and 64", config, EnableVar, text, got, due)
			}
			if log != "" {
				t.Errorf("Resolve(%v, %s=%q) logged %q, want nothing", config, EnableVar, text, log)
			}
		}
	}
}

func TestWithoutVariablesTheConfigDecides(t *testing.T) {
	for _, c := range []struct {
		config *bool
		want   bool
	}{{nil, false}, {new(true), true}, {new(false), false}} {
		got, _ := resolve(Config{c.config}, nil)
		if want := (Resolution{c.want, 64}); got != want {
			t.Errorf("Resolve(%v) = %+v, want %+v", c.config, got, want)
		}
	}
}

func TestTheCapIsAPositiveIntegerOrIsIgnoredWithOneWarning(t *testing.T) {
	for text, want := range map[string]int{
		"64": 64, " 64 ": 64, "\t7\n": 7, "+5": 5, "007": 7, "1": 1, "6_4": 64, "1_0_0": 100, "\u0663": 3, "６４": 64,
		"9223372036854775807": 9223372036854775807, "0000000000000000000000000000012": 12,
		"": 0, "  ": 0, "-5": 0, "0": 0, "-0": 0, "00": 0, "_64": 0, "6__4": 0, "64_": 0, "_": 0, "+": 0, "-": 0, "+_1": 0,
		"1e3": 0, "3.0": 0, "0x10": 0, "abc": 0, "5 5": 0, "5,000": 0, "inf": 0, "+-5": 0, "+ 5": 0, "²": 0, "Ⅷ": 0,
		"99999999999999999999": 0, "9223372036854775808": 0, "-99999999999999999999": 0, "1\x00": 0, "\xff": 0,
	} {
		got, log := resolve(Config{}, map[string]string{MaxSessionsVar: text})
		warnings, due := strings.Count(log, "level=WARN"), 0
		if want == 0 {
			want, due = DefaultMaxSessions, 1
		}
		if got.MaxSessions != want || got.Enabled {
			t.Errorf("Resolve(%s=%q) = %+v, want a cap of %d, disabled", MaxSessionsVar, text, got, want)
		}
		if warnings != due {
			t.Errorf("Resolve(%s=%q) logged %d warnings, want %d: %s", MaxSessionsVar, text, warnings, due, log)
		}
		if due == 1 && (!strings.Contains(log, MaxSessionsVar) || strings.Count(log, "\n") != 1) {
			t.Errorf("Resolve(%s=%q) logged %q, want one line that names the variable", MaxSessionsVar, text, log)
		}
	}
}

func TestTheWarningShowsTheValueEscapedAndCut(t *testing.T) {
	for text, want := range map[string]string{
		"five\nlevel=ERROR":                          `"five\nlevel=ERROR"`,
		strings.Repeat("9", 100):                     `"` + strings.Repeat("9", 64) + `"… (100 bytes)`,
		strings.Repeat("x", 63) + "é" + "yyyyyyyyyy": `"` + strings.Repeat("x", 63) + `"… (75 bytes)`,
	} {
		if got := shown(text); got != want {
			t.Errorf("shown(%q) = %s, want %s", text, got, want)
		}
	}
}

func TestEveryScriptsDigitsCountFromZeroToNine(t *testing.T) {
	zeros := map[rune]rune{'0': '0', '\u0660': '\u0660', '\u0966': '\u0966', '０': '０', '\U0001D7D8': '\U0001D7D8', '\U0001E950': '\U0001E950'}
	for zero := range zeros {
		for i := range rune(10) {
			if got, ok := digit(zero + i); !ok || got != int(i) {
				t.Errorf("digit(%U) = %d, %v, want %d", zero+i, got, ok, i)
			}
		}
	}
	n := 0
	for r := range rune(unicode.MaxRune) {
		if unicode.Is(unicode.Nd, r) {
			n++
		}
	}
	if n%10 != 0 {
		t.Errorf("Unicode has %d decimal digits, want a multiple of ten: digit rests on it", n)
	}
}

func TestWithoutALookUpNoVariableIsSet(t *testing.T) {
	for _, cfg := range []Config{{}, {EnableSessionStateManager: new(true)}} {
		want := Resolution{Enabled: cfg.EnableSessionStateManager != nil, MaxSessions: DefaultMaxSessions}
		if got := Resolve(cfg, nil, nil); got != want {
			t.Errorf("Resolve(%s, nil, nil) = %+v, want %+v", text(cfg), got, want)
		}
	}
}

func TestANilLoggerIsSilent(t *testing.T) {
	lookup := func(string) (string, bool) { return "nonsense", true }
	if got, want := Resolve(Config{}, lookup, nil), (Resolution{false, 64}); got != want {
		t.Errorf("Resolve with nonsense everywhere = %+v, want %+v", got, want)
	}
}
