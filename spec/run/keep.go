package run

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec/suite"
	"github.com/statespec/statespec/spec/verdict"
)

// keeping is which specs' files a worker sends.
type keeping string

const (
	keepNone   keeping = ""
	keepFailed keeping = "failed" // of those that did not hold, without working files
	keepAll    keeping = "all"
)

func (o Options) keeping() keeping {
	switch {
	case o.Keep == nil:
		return keepNone
	case o.KeepAll:
		return keepAll
	}
	return keepFailed
}

// A file is what a spec kept, on its way to the process that has a place for it.
// It travels with the outcome, so that no file is there without one, whatever
// becomes of the worker.
type file struct {
	Name    string `json:"name"` // within the folder of the row
	Content []byte `json:"content"`
}

// maxFile bounds one file, in bytes: many times what a picture of a history
// takes, and little enough for a line of the stream.
const maxFile = 4 << 20

// files writes what a spec kept. What cannot be written is a note of its
// outcome, and changes no verdict.
func (k keeping) files(s ginkgo.SpecReport, o *verdict.Outcome) (all []file) {
	passed := o.Outcome == verdict.Held || o.Outcome == verdict.Unclaimed
	for _, a := range suite.Told(s).Artefacts {
		if k == keepNone || k == keepFailed && (passed || a.Working()) {
			continue
		}
		content, err := contentOf(a)
		if err != nil {
			o.Notes = append(o.Notes, fmt.Sprintf("%s is not kept: %v", a.Name(), err))
			continue
		}
		all = append(all, file{a.Name(), content})
	}
	return all
}

func contentOf(a *suite.Artefact) (content []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("writing it panics: %v", v)
		}
	}()
	var b bounded
	err = a.Write(&b)
	return b.content, err
}

// bounded takes at most maxFile bytes.
type bounded struct{ content []byte }

func (b *bounded) Write(p []byte) (int, error) {
	if len(b.content)+len(p) > maxFile {
		return 0, fmt.Errorf("more than %d bytes", maxFile)
	}
	b.content = append(b.content, p...)
	return len(p), nil
}

// keep puts the files of a spec where they belong, and their names into its
// outcome.
func (r *collector) keep(o *verdict.Outcome, files []file) {
	for _, f := range files {
		name := r.free(o.Row, f.Name)
		if err := r.write(name, f.Content); err != nil {
			r.fault(fmt.Sprintf("keep %s: %v", name, err))
			continue
		}
		o.Artefacts = append(o.Artefacts, name)
	}
}

// folder is where the kept files of all rows are.
const folder = "artefacts"

// free is a name that no file of the run has: several specs of a row may choose
// the same.
func (r *collector) free(row, name string) string {
	ext := path.Ext(name)
	free := path.Join(folder, row, name)
	for n := 2; r.kept[free]; n++ {
		free = path.Join(folder, row, fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext))
	}
	r.kept[free] = true
	return free
}

func (r *collector) write(name string, content []byte) error {
	w, err := r.o.Keep(name)
	if err != nil {
		return err
	}
	_, err = w.Write(content)
	return errors.Join(err, w.Close())
}
