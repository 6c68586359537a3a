package compare

import (
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/statespec/statespec/equivalence/artefact"
)

// folders compares what two folders have.
func (c *comparison) folders() error {
	var roots [2]*os.Root
	var listed [2]map[string]bool
	var manifests [2]*manifest
	var union []string
	for i, path := range c.sides {
		root, err := os.OpenRoot(path)
		if err != nil {
			return err
		}
		defer root.Close()
		roots[i] = root
		files, err := c.list(root)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		union, listed[i] = append(union, files...), map[string]bool{}
		for _, f := range files {
			listed[i][f] = true
		}
		if manifests[i], err = readManifest(root); err != nil {
			c.report.Notes = append(c.report.Notes, fmt.Sprintf("%s of %s says nothing of an order: %v", manifestFile, path, err))
		}
	}
	first := manifests[0]
	if first == nil {
		first = manifests[1]
	}
	union = append(union, c.promised(manifests)...)
	for _, name := range inSequence(union, first) {
		if err := c.file(name, roots, [2]bool{listed[0][name], listed[1][name]}); err != nil {
			return err
		}
	}
	c.name(first)
	for _, g := range c.options.Bytes {
		if !slices.ContainsFunc(union, func(name string) bool { return matches([]string{g}, name) }) {
			return fmt.Errorf("glob %q names no file of %s or %s", g, c.sides[0], c.sides[1])
		}
	}
	return nil
}

// promised are the files that a manifest names: one that is nowhere is missing.
func (c *comparison) promised(manifests [2]*manifest) (files []string) {
	for _, m := range manifests {
		if m == nil {
			continue
		}
		for _, a := range m.Artefacts {
			if !matches(c.options.Ignore, a.file()) {
				files = append(files, a.file())
			}
		}
	}
	return files
}

// list lists a folder's files, by their paths in it. Links are followed within the
// folder, and not to folders, which could hold themselves.
func (c *comparison) list(root *os.Root) (files []string, err error) {
	err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil {
			err = c.ctx.Err()
		}
		if err != nil || d.IsDir() || matches(c.options.Ignore, path) {
			return err
		}
		info, err := root.Stat(path)
		if err != nil {
			return fmt.Errorf("%w (links are followed within the folder only)", err)
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s: no regular file, nor a link to one", path)
		}
		files = append(files, path)
		return nil
	})
	return files, err
}

// file compares one file of the two folders, or says why it is not compared.
func (c *comparison) file(name string, roots [2]*os.Root, there [2]bool) error {
	raw := matches(c.options.Bytes, name)
	missing := ""
	switch {
	case !there[0] && !there[1]:
		missing = "missing on both sides, though a manifest names it"
	case !there[0]:
		missing = "missing in A"
	case !there[1]:
		missing = "missing in B"
	}
	switch {
	case !raw && !artefact.Known(name):
		if missing != "" {
			name += " (" + missing + ")"
		}
		c.report.NotJudged = append(c.report.NotJudged, name)
		return nil
	case missing != "":
		c.report.Artefacts = append(c.report.Artefacts, Artefact{Name: name, Kind: "file", Problem: missing})
		return nil
	}
	var open [2]*os.File
	for i, root := range roots {
		f, err := root.Open(name)
		if err != nil {
			return fmt.Errorf("%s: %w", c.sides[i], err)
		}
		defer f.Close()
		open[i] = f
	}
	return c.files(name, open, raw)
}

// name gives axes the names of the manifest.
func (c *comparison) name(m *manifest) {
	for i := range c.report.Artefacts {
		a := &c.report.Artefacts[i]
		axes := m.axes(a.Name)
		a.steps = len(axes) > 0 && axes[0] == stepAxis
		for j := range a.Axes {
			if j < len(axes) {
				a.Axes[j].Name = axes[j]
			}
		}
	}
}
