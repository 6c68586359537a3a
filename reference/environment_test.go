package reference_test

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"testing"

	"github.com/statespec/statespec/fixtures/upstream"
	"github.com/statespec/statespec/reference/config"
)

// A warningCounter is a log handler that counts warnings and worse.
type warningCounter struct{ n int }

func (c *warningCounter) Enabled(context.Context, slog.Level) bool { return true }
func (c *warningCounter) WithAttrs([]slog.Attr) slog.Handler       { return c }
func (c *warningCounter) WithGroup(string) slog.Handler            { return c }
func (c *warningCounter) Handle(_ context.Context, r slog.Record) error {
	if r.Level >= slog.LevelWarn {
		c.n++
	}
	return nil
}

// quoted is a value as a row's key shows it.
func quoted[T any](v *T) string {
	if v == nil {
		return "unset"
	}
	return strconv.Quote(fmt.Sprint(*v))
}

// decision is an answer of the resolver in words.
func decision(enabled bool, maxSessions string, warnings int) string {
	return fmt.Sprintf("enabled %v, cap %s, warnings %d", enabled, maxSessions, warnings)
}

// resolved is the reference's answer to a row.
func resolved(t *testing.T, row upstream.EnvironmentRow) string {
	t.Helper()
	lookup := func(name string) (string, bool) {
		text, recorded := map[string]*string{config.EnableVar: row.EnvEnable, config.MaxSessionsVar: row.EnvMaxSessions}[name]
		if !recorded {
			t.Errorf("Resolve looked up %q, want the switch and the cap alone", name)
		}
		if text == nil {
			return "", false
		}
		return *text, true
	}
	var warnings warningCounter
	got := config.Resolve(config.Config{EnableSessionStateManager: row.ConfigEnable}, lookup, slog.New(&warnings))
	return decision(got.Enabled, strconv.Itoa(got.MaxSessions), warnings.n)
}

func TestTheResolverDecidesAsRecorded(t *testing.T) {
	rows, err := upstream.Environment()
	if err != nil {
		t.Fatal(err)
	}
	r := newReplay("environment.json", differences)
	for _, row := range rows {
		key := fmt.Sprintf("switch %s, cap %s, config %s", quoted(row.EnvEnable), quoted(row.EnvMaxSessions), quoted(row.ConfigEnable))
		if err := r.row(key, decision(row.Enabled, row.MaxSessions, row.Warnings), resolved(t, row)); err != nil {
			t.Error(err)
		}
	}
	r.finish(t)
}
