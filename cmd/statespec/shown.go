package main

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/statespec/statespec/spec/report"
)

// line is a text that somebody else chose, on one line and doing nothing but being read:
// a file may have any name.
func line(text string) string {
	return strings.NewReplacer("\n", "\u240a", "\t", "\u2409").Replace(report.Printable(text))
}

// complaint is the text of an error, which has names of files in it and what drivers
// said. It may be of several lines, and no name makes one.
func complaint(err error) string {
	text := err.Error()
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		text = strings.ReplaceAll(text, at.Path, line(at.Path))
	}
	return report.Printable(text)
}
