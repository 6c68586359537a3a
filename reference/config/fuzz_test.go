package config

import (
	"encoding/json"
	"errors"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/statespec/statespec/reference/fault"
)

// FuzzParseDeploy holds for every document: no panic; a refusal is ErrConfig on
// one line, with the number of a line of the document; the same document is read
// the same again.
func FuzzParseDeploy(f *testing.F) {
	for _, document := range []string{
		"", "# only a comment\n", "enable_session_state_manager: true\n", "{enable_session_state_manager: false, a: [1, {b: c}]}",
		"b: &b {enable_session_state_manager: true}\n<<: [*b]\n", "p: &x {k: 1}\nq: &x {<<: *x}\n<<: *x\n", "a: &x\n  b: *x\n",
		"a:\n  b:\n  - max_sessions: 8\n", "a: 1\n---\nb: 1\n", "a: [1\n", "a: |\n  text\nb: >-\n  more\n", "? a\n: b\n", "<<: 3\n",
		"!!map {a: !x 1}", "\"a\\\nb\": 'it''s'\n", "%YAML 1.2\n---\na: 1\n...\n", "a:\t- b\r\n", "\ufeffa: 1", "- - - a", "a: *nobody\n", "\xff\x00",
	} {
		f.Add([]byte(document))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		c, err := ParseDeploy(document)
		if again, errAgain := ParseDeploy(document); text(again) != text(c) || told(errAgain) != told(err) {
			t.Errorf("ParseDeploy again = %s, %q, want %s, %q", text(again), told(errAgain), text(c), told(err))
		}
		if err != nil {
			checkRefusal(t, document, c, err)
		}
	})
}

var lineNumber = regexp.MustCompile(`^deploy config, line (\d+): .`)

func checkRefusal(t *testing.T, document []byte, c Config, err error) {
	t.Helper()
	if !errors.Is(err, fault.ErrConfig) || c != (Config{}) {
		t.Errorf("ParseDeploy = %s with error %v, want the zero Config with ErrConfig", text(c), err)
	}
	if strings.ContainsAny(err.Error(), "\n\r") {
		t.Errorf("ParseDeploy = error %q, want one line", err)
	}
	at := lineNumber.FindStringSubmatch(err.Error())
	if at == nil {
		t.Fatalf("ParseDeploy = error %q, want it to name a line", err)
	}
	if n, _ := strconv.Atoi(at[1]); n < 1 || n > lines(document) {
		t.Errorf("ParseDeploy = error %q, want one of the %d lines of the document", err, lines(document))
	}
}

// lines counts the lines of a document, whichever way they end.
func lines(document []byte) int {
	whole := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(document))
	return 1 + strings.Count(whole, "\n")
}

func told(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// FuzzFields holds for every JSON object, which is YAML too: as fields and as a
// file it is decided alike.
func FuzzFields(f *testing.F) {
	for _, object := range []string{
		`{}`, `{"enable_session_state_manager": true}`, `{"enable_session_state_manager": "true"}`, `{"enable_session_state_manager": null}`,
		`{"stages": [{"maxSessions": 8}]}`, `{"session_state_manager": {"limits": {"max": 3}}}`, `{"a": 1.5e300, "b": [true, null, ""], "é\u2028": "\u0000"}`,
		`{"<<": {"enable_session_state_manager": true}}`, `{"*a": "&b", "- c": "? d", "!e": "#f", "": "%"}`, `{"a": {"": {"max_session": {}}}}`,
	} {
		f.Add([]byte(object))
	}
	f.Fuzz(func(t *testing.T, object []byte) {
		var fields map[string]any
		if json.Unmarshal(object, &fields) != nil || fields == nil {
			t.Skip("no JSON object")
		}
		document, err := json.Marshal(fields) // each key once
		if err != nil {
			t.Fatal(err)
		}
		byFields, refused := FromFields(fields)
		byFile, err := ParseDeploy(document)
		if text(byFile) != text(byFields) || (err == nil) != (refused == nil) {
			t.Errorf("%s: as a file %s, %v; as fields %s, %v; want the same", document, text(byFile), err, text(byFields), refused)
		}
		if refused != nil && (!errors.Is(refused, fault.ErrConfig) || strings.ContainsAny(refused.Error(), "\n\r")) {
			t.Errorf("FromFields = error %q, want ErrConfig on one line", refused)
		}
	})
}

// FuzzResolve holds for every two values of the variables: the cap is at least
// one; the switch and, of ASCII, the cap are what a plain reading says; what is
// ignored is warned about once, on one line.
func FuzzResolve(f *testing.F) {
	for _, value := range []string{"", "1", " TRUE\n", "off", "64", "+6_4", "-0", "007", "９", "\u0663", "9223372036854775807", "9223372036854775808",
		"99999999999999999999", "0x10", "1e3", "_1", "1__2", "a\nlevel=ERROR", "\xff", "\x00"} {
		f.Add(value, value, byte(0))
		f.Add("yes", value, byte(1))
		f.Add(value, "12", byte(2))
	}
	f.Fuzz(func(t *testing.T, enable, sessions string, config byte) {
		cfg := []Config{{}, {new(true)}, {new(false)}}[config%3]
		got, log := resolve(cfg, map[string]string{EnableVar: enable, MaxSessionsVar: sessions})
		if want := enabled(enable, cfg); got.Enabled != want {
			t.Errorf("Resolve(%s, %q).Enabled = %v, want %v", text(cfg), enable, got.Enabled, want)
		}
		warnings := strings.Count(log, "level=WARN")
		if got.MaxSessions < 1 || warnings > 1 || strings.Count(log, "\n") > 2 {
			t.Errorf("Resolve(cap %q) = %d with %d warnings in %q, want 1 or more, at most one, a line each", sessions, got.MaxSessions, warnings, log)
		}
		if warnings == 1 && got.MaxSessions != DefaultMaxSessions {
			t.Errorf("Resolve(cap %q) = %d and a warning that it is ignored", sessions, got.MaxSessions)
		}
		if !isASCII(sessions) {
			return
		}
		if want, usable := plainCap(sessions); got.MaxSessions != want || usable != (warnings == 0) {
			t.Errorf("Resolve(cap %q) = %d with %d warnings, want %d, usable %v", sessions, got.MaxSessions, warnings, want, usable)
		}
	})
}

// enabled reads the switch by its document.
func enabled(text string, cfg Config) bool {
	switch strings.ToLower(strings.Trim(text, " \t\n\v\f\r")) {
	case "1", "true", "yes", "on":
		return isASCII(text) || cfg.EnableSessionStateManager != nil && *cfg.EnableSessionStateManager
	case "0", "false", "no", "off":
		return !isASCII(text) && cfg.EnableSessionStateManager != nil && *cfg.EnableSessionStateManager
	}
	return cfg.EnableSessionStateManager != nil && *cfg.EnableSessionStateManager
}

var decimal = regexp.MustCompile(`^[ \t\n\v\f\r]*(\+?)([0-9]+(?:_[0-9]+)*)[ \t\n\v\f\r]*$`)

// plainCap reads an ASCII cap with arithmetic that cannot overflow.
func plainCap(text string) (n int, usable bool) {
	m := decimal.FindStringSubmatch(text)
	if m == nil {
		return DefaultMaxSessions, false
	}
	v, _ := new(big.Int).SetString(strings.ReplaceAll(m[2], "_", ""), 10)
	if v.Sign() < 1 || !v.IsInt64() || int64(int(v.Int64())) != v.Int64() {
		return DefaultMaxSessions, false
	}
	return int(v.Int64()), true
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 })
}
