package config

import (
	"errors"
	"strings"
	"testing"

	"github.com/statespec/statespec/reference/fault"
)

func text(c Config) string {
	switch {
	case c.EnableSessionStateManager == nil:
		return "unset"
	case *c.EnableSessionStateManager:
		return "true"
	}
	return "false"
}

func TestADeployConfigSwitchesTheManager(t *testing.T) {
	for document, want := range map[string]string{
		"":                                       "unset",
		"# only a comment\n":                     "unset",
		"null":                                   "unset",
		"---\n":                                  "unset",
		"a: 1\n":                                 "unset",
		"enable_session_state_manager: true\n":   "true",
		"enable_session_state_manager: False\n":  "false",
		"\"enable_session_state_manager\": true": "true",
		"{enable_session_state_manager: true, a: 1}":                                                "true",
		"1: 2\nenable_session_state_manager: true\n":                                                "true",
		"on: &on true\nenable_session_state_manager: *on\n":                                         "true",
		"base: &b\n  enable_session_state_manager: true\n<<: *b\n":                                  "true",
		"b: &b {enable_session_state_manager: true}\n<<: [*b]\n":                                    "true",
		"b: &b {enable_session_state_manager: true}\nenable_session_state_manager: false\n<<: *b\n": "false",
		"stages:\n  - enable_session_state_manager: true\n":                                         "unset",
		"a: 1\n---\n":                            "unset",
		"p: &x {k: 1}\nq: &x {<<: *x}\n<<: *x\n": "unset",
		"max_model_len: 4096\nsession_captions: 1\nsession: {maximise: 1}\n":   "unset",
		"max_num_seqs: 4\nstages:\n- {session_id: 3, capture: true, max: 2}\n": "unset",
	} {
		got, err := ParseDeploy([]byte(document))
		if err != nil || text(got) != want {
			t.Errorf("ParseDeploy(%q) = %s, %v, want %s", document, text(got), err, want)
		}
	}
}

func TestADeployConfigThatCannotBeUsedIsRefusedByLine(t *testing.T) {
	for document, want := range map[string]string{
		"enable_session_state_manager: \"false\"\n":                                     `line 1: enable_session_state_manager is the text "false": write true or false`,
		"a: 1\nenable_session_state_manager: yes\n":                                     `line 2: enable_session_state_manager is the text "yes"`,
		"enable_session_state_manager: 1\n":                                             `line 1: enable_session_state_manager is "1"`,
		"enable_session_state_manager:\n":                                               `line 1: enable_session_state_manager is empty`,
		"enable_session_state_manager: [true]\n":                                        `line 1: enable_session_state_manager is a list`,
		"enable_session_state_manager: {a: true}\n":                                     `line 1: enable_session_state_manager is a mapping`,
		"a: &a 3\nenable_session_state_manager: *a\n":                                   `line 2: enable_session_state_manager is "3"`,
		"\n\nmax_sessions: 8\n":                                                         `line 3: "max_sessions" is no config field`,
		"session_state_manager_max_sessions: 8\n":                                       MaxSessionsVar,
		"omni_diffusion_session_state_manager_max_sessions: 8\n":                        MaxSessionsVar,
		"env: {OMNI_DIFFUSION_SESSION_STATE_MANAGER_MAX_SESSIONS: '8'}\n":               MaxSessionsVar,
		"a:\n  b:\n  - maxSessions: 8\n":                                                `line 3: "maxSessions" is no config field`,
		"max-retained-sessions: 8\n":                                                    "is no config field",
		"session_cap: 8\n":                                                              "is no config field",
		"sessioncap: 8\n":                                                               "is no config field",
		"session_state_manager:\n  max: 8\n":                                            `line 2: "max" is no config field`,
		"a: 1\nb: 2\na: 3\n":                                                            `line 3: mapping key "a" already defined at [1:1]`,
		"enable_session_state_manager: true\n\"enable_session_state_manager\": false\n": "line 2: ",
		"- 1\n":                             "line 1: a deploy config is a mapping of keys to values, not a list",
		"just words":                        `line 1: a deploy config is a mapping of keys to values, not the text "just words"`,
		"a: [1\n":                           "line 1: ",
		"a: 1\n---\nb: 1\n":                 "line 3: a second document",
		"# a\r\n# b\r\nmax_sessions: 8\r\n": `line 3: "max_sessions" is no config field`,
		"a: *nobody\n":                      "line 1: *nobody names no anchor",
		"a: &x\n  b: *x\n":                  "line 2: *x names no anchor",
		"<<: 3\n":                           "merges a mapping",
	} {
		_, err := ParseDeploy([]byte(document))
		if !errors.Is(err, fault.ErrConfig) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("ParseDeploy(%q) = %v, want one line, of ErrConfig, with %q", document, err, want)
		}
	}
}

func TestFieldsDecideAsFilesDo(t *testing.T) {
	for want, fields := range map[string]map[string]any{
		"unset": {"a": 1, "max_model_len": 4096},
		"true":  {EnableField: true, "stages": []any{map[string]any{"x": nil}}},
		"false": {EnableField: false},
	} {
		if got, err := FromFields(fields); err != nil || text(got) != want {
			t.Errorf("FromFields(%v) = %s, %v, want %s", fields, text(got), err, want)
		}
	}
	self := map[string]any{}
	self["self"] = self
	for want, fields := range map[string]map[string]any{
		`enable_session_state_manager is "\"false\""`: {EnableField: "false"},
		"a boolean":                         {EnableField: nil},
		`"max_sessions" is no config field`: {"stages": []any{map[string]any{"max_sessions": 4}}},
		"nested deeper":                     self,
	} {
		if _, err := FromFields(fields); !errors.Is(err, fault.ErrConfig) || !strings.Contains(err.Error(), want) {
			t.Errorf("FromFields of a bad field = %v, want ErrConfig with %q", err, want)
		}
	}
}
