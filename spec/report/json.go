package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/statespec/statespec/spec/verdict"
)

// ResultsFile is the name of the file that the others are made from.
const ResultsFile = "results.json"

// JSON writes results.json.
func JSON(w io.Writer, r verdict.Results) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// Read reads results.json, or the one in a folder of results. It refuses what is
// not whole, and what a later version wrote.
func Read(path string) (verdict.Results, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, ResultsFile)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return verdict.Results{}, err
	}
	r, err := parse(data)
	if err != nil {
		return verdict.Results{}, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

func parse(data []byte) (verdict.Results, error) {
	var r verdict.Results
	if err := json.Unmarshal(bytes.TrimSpace(data), &r); err != nil {
		return verdict.Results{}, fmt.Errorf("not results: %w", err)
	}
	if r.Schema != verdict.Schema {
		return verdict.Results{}, fmt.Errorf("results of schema %d, want %d", r.Schema, verdict.Schema)
	}
	return r, nil
}
