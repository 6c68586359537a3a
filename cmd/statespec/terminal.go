package main

import (
	"io"
	"os"

	"golang.org/x/term"

	"github.com/statespec/statespec/spec/report"
)

// terminal says what the place that output goes to can do. Escape sequences are
// for terminals, and not where NO_COLOR is set or TERM is dumb.
func terminal(w io.Writer) report.Options {
	if s, is := w.(*stdout); is {
		w = s.w
	}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return report.Options{}
	}
	o := report.Options{Color: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil {
		o.Width = width
	}
	return o
}
