package ab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"slices"

	"github.com/statespec/statespec/equivalence/plot"
	"github.com/statespec/statespec/equivalence/rollout"
)

// maxHeld bounds what is read of a file of bytes held, in bytes.
const maxHeld = 64 << 20

// held reads what a run says its state held after each step, in rollout.HeldFile.
// It is no artefact: it is the one thing in which the paths are meant to differ.
// Nothing comes of a run that has no such file, or a file of something else.
func (r Run) held() (c rollout.Curve, told bool) {
	path := filepath.Join(r.Dir, rollout.HeldFile)
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > maxHeld {
		return c, false
	}
	text, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(text, &c) != nil {
		return c, false
	}
	for _, row := range c.Steps {
		if len(row) != len(c.Columns) {
			return c, false
		}
	}
	return c, len(c.Steps) > 0
}

// Curves draws the bytes held over the steps, both sides in one picture: of each
// value of which they hold different amounts. There is none where the runs do not
// tell of their memory.
func (r *Result) Curves() (pictures []template.HTML, err error) {
	a, b := r.first(A), r.first(B)
	if a == nil || b == nil {
		return nil, nil
	}
	one, told := a.held()
	other, toldToo := b.held()
	if !told || !toldToo {
		return nil, nil
	}
	for _, name := range one.Columns {
		x, y := one.Column(name), other.Column(name)
		if y == nil || slices.Equal(x, y) {
			continue
		}
		var svg bytes.Buffer
		err := plot.Write(&svg, fmt.Sprintf("%s: bytes held after each step", name),
			plot.Series{Name: a.path(), Bytes: x}, plot.Series{Name: b.path(), Bytes: y})
		if err != nil {
			return nil, err
		}
		pictures = append(pictures, template.HTML(svg.String()))
	}
	return pictures, nil
}

// first is the first run of a side; nil where there was none.
func (r *Result) first(s Side) *Run {
	at := slices.IndexFunc(r.Runs, func(run Run) bool { return run.Side == s })
	if at < 0 {
		return nil
	}
	return &r.Runs[at]
}
