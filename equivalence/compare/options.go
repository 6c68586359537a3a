package compare

import (
	"fmt"
	"math"
	"path"
	"strings"
)

// Options say what is compared, and what else is told. A glob with a slash matches
// the whole name, one without it the last part of it.
type Options struct {
	Bytes    []string // globs of files that are compared byte for byte, whatever they are
	BFloat16 []string // globs of artefacts whose uint16 are bfloat16: it changes how values read, not whether they differ
	Ignore   []string // globs of files and artefacts that are passed over

	// Reported beside the verdict: how many elements are further apart. 0: not asked.
	ULP            uint64
	AbsTol, RelTol float64 // further than AbsTol + RelTol·|b|

	CountOnly bool // the first divergence and the count, which is all that a quick look needs
}

func (o Options) check() error {
	for _, globs := range [][]string{o.Bytes, o.BFloat16, o.Ignore} {
		for _, g := range globs {
			if _, err := path.Match(g, ""); err != nil {
				return fmt.Errorf("glob %q: %w", g, err)
			}
		}
	}
	for _, t := range []float64{o.AbsTol, o.RelTol} {
		if t < 0 || math.IsNaN(t) || math.IsInf(t, 0) {
			return fmt.Errorf("tolerance %v: want a number of 0 or more", t)
		}
	}
	return nil
}

func (o Options) tolerance() bool { return o.AbsTol > 0 || o.RelTol > 0 }

// matches reports whether one of the globs is of a name.
func matches(globs []string, name string) bool {
	for _, g := range globs {
		subject := name
		if !strings.Contains(g, "/") {
			subject = path.Base(name)
		}
		if ok, _ := path.Match(g, subject); ok {
			return true
		}
	}
	return false
}
