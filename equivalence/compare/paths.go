package compare

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/statespec/statespec/equivalence/artefact"
)

// Paths compares two files, or two folders with all that is in them. Its error
// says what could not be read: then nothing was proved, and there is no report.
// Where nothing could be compared the report has no artefacts and is not equal.
func Paths(ctx context.Context, a, b string, o Options) (*Report, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	infoA, err := os.Stat(a)
	if err != nil {
		return nil, err
	}
	infoB, err := os.Stat(b)
	if err != nil {
		return nil, err
	}
	c := &comparison{ctx: ctx, options: o, sides: [2]string{a, b}}
	c.report = &Report{Schema: Schema, A: a, B: b, Artefacts: []Artefact{}, NotJudged: []string{}, Notes: []string{}}
	if infoA.IsDir() != infoB.IsDir() {
		folder, file := a, b
		if infoB.IsDir() {
			folder, file = b, a
		}
		return nil, fmt.Errorf("%s is a folder and %s is not: want two files or two folders", folder, file)
	}
	if infoA.IsDir() {
		err = c.folders()
	} else {
		err = c.single()
	}
	if err != nil {
		return nil, err
	}
	_, different := c.report.Counts()
	c.report.Equal = different == 0 && len(c.report.Artefacts) > 0
	return c.report, nil
}

// comparison is one call of Paths.
type comparison struct {
	ctx     context.Context
	options Options
	sides   [2]string
	report  *Report
}

// single compares two files. They go by the first one's name.
func (c *comparison) single() error {
	var open [2]*os.File
	for i, path := range c.sides {
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("%s: no regular file", path)
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		open[i] = f
	}
	name := filepath.Base(c.sides[0])
	raw := matches(c.options.Bytes, name) || matches(c.options.Bytes, filepath.Base(c.sides[1]))
	return c.files(name, open, raw)
}

// files compares two open files.
func (c *comparison) files(name string, open [2]*os.File, raw bool) error {
	var sets [2]*artefact.Set
	for i, f := range open {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if raw {
			sets[i] = artefact.Bytes(f, info.Size())
			continue
		}
		if sets[i], err = artefact.Read(f, info.Size(), f.Name()); err != nil {
			return err
		}
	}
	return c.sets(name, sets)
}

// sets compares the values of two files by their names, in the first one's order.
// A file of one value without a name is compared with any other file of one value.
func (c *comparison) sets(file string, sets [2]*artefact.Set) error {
	a, b := sets[0].Entries, sets[1].Entries
	if len(a) == 1 && len(b) == 1 && (a[0].Name == "" || b[0].Name == "") {
		return c.add(named(file, a[0].Name+b[0].Name), a[0], b[0])
	}
	others := map[string]artefact.Entry{}
	for _, e := range b {
		others[e.Name] = e
	}
	for _, e := range a {
		name := named(file, e.Name)
		other, there := others[e.Name]
		delete(others, e.Name)
		if !there {
			c.alone(name, e, "missing in B")
			continue
		}
		if err := c.add(name, e, other); err != nil {
			return err
		}
	}
	for _, e := range b {
		if _, extra := others[e.Name]; extra {
			c.alone(named(file, e.Name), e, "missing in A")
		}
	}
	return nil
}

// named is the name of a value in a file.
func named(file, value string) string {
	if value == "" {
		return file
	}
	return file + ":" + value
}

func (c *comparison) alone(name string, e artefact.Entry, problem string) {
	if matches(c.options.Ignore, name) {
		return
	}
	art := Artefact{Name: name, Kind: string(e.Kind), Problem: problem, Elements: 1}
	if e.Kind == artefact.Tensor {
		art.Elements, art.DType, art.Shape = e.Array.Elements(), e.Array.Type.Name, e.Array.Shape
	}
	c.report.Artefacts = append(c.report.Artefacts, art)
}

func (c *comparison) add(name string, a, b artefact.Entry) error {
	if matches(c.options.Ignore, name) {
		return nil
	}
	art, err := c.entries(name, a, b)
	if err != nil {
		return c.named(name, err)
	}
	c.report.Artefacts = append(c.report.Artefacts, art)
	return nil
}

// named says which artefact an error is about.
func (c *comparison) named(name string, err error) error {
	if c.ctx.Err() != nil {
		return c.ctx.Err()
	}
	return fmt.Errorf("%s: %w", name, err)
}

// guarded calls a function with both sides open. What it fails with is told with
// the side, and mapped memory that is gone is an error.
func guarded[T io.Closer](c *comparison, openA, openB func() (T, error), read func(a, b T) (side int, err error)) error {
	a, err := openA()
	if err != nil {
		return fmt.Errorf("%s: %w", c.sides[0], err)
	}
	defer a.Close()
	b, err := openB()
	if err != nil {
		return fmt.Errorf("%s: %w", c.sides[1], err)
	}
	defer b.Close()
	side := -1
	err = artefact.Guard(func() (err error) {
		side, err = read(a, b)
		return err
	}, a, b)
	if fault, ok := errors.AsType[*artefact.FaultError](err); ok {
		side = fault.Of
	}
	if err != nil && side >= 0 {
		err = fmt.Errorf("%s: %w", c.sides[side], err)
	}
	return err
}
