package config

import (
	"errors"
	"testing"

	"github.com/statespec/statespec/reference/fault"
)

// decided reads one key, by itself and in a list of fields, and says whether
// it was refused as the cap. The two must agree.
func decided(t *testing.T, document string, fields map[string]any) (refused bool) {
	t.Helper()
	_, byFile := ParseDeploy([]byte(document))
	_, byFields := FromFields(fields)
	if errors.Is(byFile, fault.ErrConfig) != errors.Is(byFields, fault.ErrConfig) {
		t.Errorf("%q: a file gives %v, fields give %v, want the same", document, byFile, byFields)
	}
	return byFile != nil
}

func TestAKeyThatWouldSetTheCapIsRefused(t *testing.T) {
	for _, key := range []string{
		"max_sessions", "max_session", "maximum_sessions", "MAX_SESSIONS", "maxSessions", "max-retained-sessions", "max.sessions",
		"max_retained_sessions", "max_dreamzero_sessions", "MAX_DREAMZERO_SESSIONS", "maxsessions", "sessions_max", "sessions_cap",
		"session_cap", "sessioncap", "session_capacity", "session_max", "session_max_count", "max_session_count",
		"max_number_of_sessions", "max_num_sessions", "retained_sessions_cap", "session_state_max_sessions",
		"session_state_manager_max_sessions", "session_state_manager_cap", "session_state_manager_max",
		EnableField + "_max_sessions", MaxSessionsVar, "omni_diffusion_session_state_manager_max_sessions",
	} {
		if !decided(t, key+": 3\n", map[string]any{key: 3}) {
			t.Errorf("%s: 3 was taken, want it refused", key)
		}
	}
	for _, key := range []string{"max", "cap", "max_sessions", "maximum", "max_retained", "max_count"} {
		if !decided(t, "session_state_manager: {"+key+": 3}\n", map[string]any{"session_state_manager": map[string]any{key: 3}}) {
			t.Errorf("session_state_manager: {%s: 3} was taken, want it refused", key)
		}
	}
	within := map[string]any{"session_state_manager": map[string]any{"sessions": []any{map[string]any{"max": 3}}}}
	if !decided(t, "session_state_manager: {sessions: [{max: 3}]}\n", within) {
		t.Errorf("session_state_manager: {sessions: [{max: 3}]} was taken, want it refused")
	}
}

func TestAKeyAboutSomethingElseOfASessionPasses(t *testing.T) {
	for _, key := range []string{
		"max_session_seconds", "session_max_tokens", "maximum_session_idle", "max_sessions_log_lines", "session_capabilities",
		"session_captions", "sessions", "session_id", "session_count", "max_tokens_per_session", "max_bytes_for_each_session",
		"tokens_per_session_max", "max_length_of_session", "session_timeout_max_seconds", "max_model_len", "max", "cap",
		"obsession_max_level", "session_state_manager_log_max_bytes", "session_state_manager", "maximise_sessions",
	} {
		if decided(t, key+": 3\n", map[string]any{key: 3}) {
			t.Errorf("%s: 3 was refused, want it to pass", key)
		}
	}
	for _, key := range []string{"log_max_bytes", "max_session_seconds", "max_bytes", "retained"} {
		if decided(t, "session_state_manager_options: {"+key+": 3}\n", map[string]any{"session_state_manager_options": map[string]any{key: 3}}) {
			t.Errorf("session_state_manager_options: {%s: 3} was refused, want it to pass", key)
		}
	}
	if decided(t, "session_state_manager: {log: {max: 3}}\n", map[string]any{"session_state_manager": map[string]any{"log": map[string]any{"max": 3}}}) {
		t.Errorf("session_state_manager: {log: {max: 3}} was refused, want it to pass")
	}
}
