package compare

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
)

const (
	manifestFile = "manifest.json"
	stepAxis     = "step"
)

// A manifest is a folder's own list of its artefacts, in the order in which they
// come to be. Everything else in it is for others.
type manifest struct {
	Artefacts []promise `json:"artefacts"`
	places    map[string]int
}

// A promise is an artefact of a manifest: its file's name alone, or with the names
// of its axes.
type promise struct {
	File string   `json:"file"`
	Name string   `json:"name"` // where there is no file
	Axes []string `json:"axes"`
}

func (p promise) file() string {
	if p.File != "" {
		return p.File
	}
	return p.Name
}

func (p *promise) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &p.File)
	}
	type plain promise
	return json.Unmarshal(b, (*plain)(p))
}

// readManifest reads a folder's manifest; nil, and no error, where it has none.
func readManifest(root *os.Root) (*manifest, error) {
	info, err := root.Stat(manifestFile)
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	const most = 16 << 20
	if info.Size() > most {
		return nil, fmt.Errorf("it has %d bytes, want at most %d", info.Size(), most)
	}
	f, err := root.Open(manifestFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return nil, err
	}
	m := new(manifest)
	if err := json.Unmarshal(text, m); err != nil {
		return nil, err
	}
	if len(m.Artefacts) == 0 {
		return nil, fmt.Errorf("it lists no artefacts")
	}
	m.places = make(map[string]int, len(m.Artefacts))
	for i, a := range m.Artefacts {
		if !fs.ValidPath(a.file()) {
			return nil, fmt.Errorf("it lists %q, which is no file of the folder", a.file())
		}
		m.places[a.file()] = i
	}
	return m, nil
}

// place is the position of a file, -1: not listed.
func (m *manifest) place(file string) int {
	if m == nil {
		return -1
	}
	if i, listed := m.places[file]; listed {
		return i
	}
	return -1
}

// axes names the axes of a file's only array.
func (m *manifest) axes(file string) []string {
	if i := m.place(file); i >= 0 {
		return m.Artefacts[i].Axes
	}
	return nil
}
