package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// progress shows how far a run is: on a terminal one line that is written over,
// elsewhere a line now and then, and nothing at all for a run that is quick.
type progress struct {
	w        io.Writer
	terminal bool
	began    time.Time
	last     time.Time // something was shown
	shown    bool
}

// Intervals between two lines of progress.
const (
	overwriting = 100 * time.Millisecond
	appending   = 10 * time.Second
)

func newProgress(w io.Writer) *progress {
	f, ok := w.(*os.File)
	now := time.Now()
	return &progress{w: w, terminal: ok && term.IsTerminal(int(f.Fd())), began: now, last: now}
}

// show shows how far it is, for how long it has run, and what is done now.
func (p *progress) show(far, now string) {
	interval := appending
	if p.terminal {
		interval = overwriting
	}
	if time.Since(p.last) < interval {
		return
	}
	p.last, p.shown = time.Now(), true
	line := fmt.Sprintf("%s, %s, %s", far, time.Since(p.began).Round(time.Second), now)
	if p.terminal {
		fmt.Fprintf(p.w, "\r\x1b[K%s", line)
	} else {
		fmt.Fprintln(p.w, line)
	}
}

// done takes the line away.
func (p *progress) done() {
	if p.terminal && p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
