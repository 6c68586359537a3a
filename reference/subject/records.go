package subject

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"github.com/statespec/statespec/spec"
)

// records hands what the library logs to the harness.
type records struct {
	to    func(spec.Record)
	attrs []slog.Attr
}

func (r *records) Enabled(context.Context, slog.Level) bool { return r.to != nil }

func (r *records) Handle(_ context.Context, rec slog.Record) error {
	var text strings.Builder
	text.WriteString(rec.Message)
	write := func(a slog.Attr) bool {
		fmt.Fprintf(&text, " %s=%v", a.Key, a.Value)
		return true
	}
	for _, a := range r.attrs {
		write(a)
	}
	rec.Attrs(write)
	r.to(spec.Record{Level: level(rec.Level), Text: text.String()})
	return nil
}

func (r *records) WithAttrs(as []slog.Attr) slog.Handler {
	return &records{r.to, append(append([]slog.Attr(nil), r.attrs...), as...)}
}

func (r *records) WithGroup(string) slog.Handler { return r }

func level(l slog.Level) string {
	switch {
	case l >= slog.LevelError:
		return "error"
	case l >= slog.LevelWarn:
		return "warning"
	case l >= slog.LevelInfo:
		return "info"
	}
	return "debug"
}
