package ab

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/statespec/statespec/equivalence/rollout"
)

// WitnessFile is the file in the folder of OutVar by which a program says which
// path it took, asked of the path and not of the variable:
//
//	{"path": "managed", "facts": {"config": "sha256:…", "torch": "2.6.0"}}
//
// Facts are optional: whatever of its surroundings the program knows and must not
// differ between the runs.
const WitnessFile = rollout.WitnessFile

// ManifestFile lists the artefacts in their order. Like WitnessFile it says
// something of a run and is no artefact.
const ManifestFile = rollout.ManifestFile

// toldPrefix begins the names of facts that a program told of itself.
const toldPrefix = "program: "

type witness struct {
	Path  string            `json:"path"`
	Facts map[string]string `json:"facts"`
}

// testify fills in what a run says of its path.
func (o Options) testify(r *Run) error {
	if o.Witness != nil {
		path, err := search(r.Log, o.Witness)
		r.Witness = path
		if err == nil && path == "" {
			r.Doubt = fmt.Sprintf("no line of its log matches %s", o.Witness)
		}
		return err
	}
	w, err := readWitness(filepath.Join(r.Dir, WitnessFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.Doubt = fmt.Sprintf("it left no %s, and no pattern says where its log tells the path", WitnessFile)
	case err != nil:
		r.Doubt = err.Error()
	}
	r.Witness = w.Path
	for _, name := range slices.Sorted(maps.Keys(w.Facts)) {
		r.Facts = append(r.Facts, Fact{Name: toldPrefix + name, Value: w.Facts[name]})
	}
	return nil
}

// maxWitness bounds a witness file, in bytes.
const maxWitness = 1 << 20

func readWitness(path string) (witness, error) {
	var w witness
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return w, fmt.Errorf("%s: no regular file", WitnessFile)
	}
	file, err := os.Open(path)
	if err != nil {
		return w, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxWitness+1))
	if err != nil {
		return w, fmt.Errorf("%s: %w", WitnessFile, err)
	}
	if len(text) > maxWitness {
		return w, fmt.Errorf("%s: more than %d bytes", WitnessFile, maxWitness)
	}
	if err := json.Unmarshal(text, &w); err != nil {
		return witness{}, fmt.Errorf(`%s: %w; want {"path": "…"}`, WitnessFile, err)
	}
	if w.Path == "" {
		return w, fmt.Errorf(`%s: no path in it; want {"path": "…"}`, WitnessFile)
	}
	return w, nil
}

// search returns what a pattern finds in a log: its first group, or all of the
// match where it has none. What it finds several times, with several values, is
// all of them in order: a program that changed its path within a run took neither.
func search(log string, pattern *regexp.Regexp) (string, error) {
	file, err := os.Open(log)
	if err != nil {
		return "", err
	}
	defer file.Close()
	var found []string
	lines := bufio.NewReader(file)
	for {
		line, err := lines.ReadString('\n')
		for _, match := range pattern.FindAllStringSubmatch(line, -1) {
			if text := match[min(1, len(match)-1)]; text != "" && !slices.Contains(found, text) {
				found = append(found, text)
			}
		}
		if errors.Is(err, io.EOF) {
			return strings.Join(found, ", "), nil
		}
		if err != nil {
			return "", err
		}
	}
}
