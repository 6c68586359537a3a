package artefact

import (
	"archive/zip"
	"fmt"
	"io"
	"strings"

	"github.com/statespec/statespec/equivalence/pickle"
)

// longestPickle is the most bytes of data.pkl, which has names and shapes only.
const longestPickle = 64 << 20

// readTorch reads what torch.save writes: a zip of a pickle and of a record for
// each storage.
func readTorch(r io.ReaderAt, size int64, name string) (*Set, error) {
	var start [4]byte
	if n, _ := r.ReadAt(start[:], 0); n == 4 && string(start[:2]) != "PK" {
		return nil, &Error{Name: name, Why: "no zip archive: files of torch before 1.6 are not read; save it again"}
	}
	a, err := openArchive(r, size, name)
	if err != nil {
		return nil, err
	}
	t := &torch{archive: a, size: size}
	data, err := t.find()
	if err != nil {
		return nil, err
	}
	root, err := pickle.Load(data, t)
	if err != nil {
		return nil, a.wrong(t.prefix+"data.pkl", "%v", err)
	}
	f := flattener{names: 64*len(data) + 1<<20, values: len(data), within: map[any]bool{}}
	if err := f.add("", root, 0); err != nil {
		return nil, a.wrong(t.prefix+"data.pkl", "%v", err)
	}
	return &Set{Format: "torch", Entries: f.entries}, nil
}

// torch is the host of a torch file's pickle.
type torch struct {
	*archive
	size   int64 // of the file
	prefix string
	big    bool
}

// find reads the pickle and what else is said of the whole file.
func (t *torch) find() ([]byte, error) {
	var main *member
	for _, m := range t.members {
		folder, is := strings.CutSuffix(m.Name, "data.pkl")
		if !is || strings.Count(folder, "/") > 1 || folder != "" && !strings.HasSuffix(folder, "/") {
			continue
		}
		if main != nil {
			return nil, t.wrong(m.Name, "a second pickle beside %q", main.Name)
		}
		main, t.prefix = &m, folder
	}
	if main == nil {
		return nil, t.wrong("", "no data.pkl in the archive: has torch.save written it?")
	}
	if _, code := t.archive.find(t.prefix + "constants.pkl"); code {
		return nil, t.wrong(t.prefix+"constants.pkl", "a TorchScript archive, which is code; save the tensors")
	}
	if err := t.byteOrder(); err != nil {
		return nil, err
	}
	return t.read(*main, longestPickle)
}

func (t *torch) byteOrder() error {
	m, there := t.archive.find(t.prefix + "byteorder")
	if !there {
		return nil // older than the record, and then little
	}
	word, err := t.read(m, 16)
	if err == nil && string(word) != "little" && string(word) != "big" {
		err = t.wrong(m.Name, "%q, want little or big", word)
	}
	t.big = string(word) == "big"
	return err
}

// read reads a member whole. What it allocates grows with what is there.
func (t *torch) read(m member, most int64) ([]byte, error) {
	if m.size() > most {
		return nil, t.wrong(m.Name, "%d bytes, want at most %d", m.size(), most)
	}
	r, err := m.open()
	if err != nil {
		return nil, t.wrong(m.Name, "%v", err)
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, m.size()+1))
	if err == nil && int64(len(data)) != m.size() {
		err = fmt.Errorf("%d bytes, and said to have %d", len(data), m.size())
	}
	if err != nil {
		return nil, t.wrong(m.Name, "%v", err)
	}
	return data, nil
}

// record is the source of a storage.
func (t *torch) record(key string, bytes int64) (Source, error) {
	name := t.prefix + "data/" + key
	m, there := t.archive.find(name)
	switch {
	case !there:
		return nil, fmt.Errorf("storage %q is not in the archive", key)
	case m.Method != zip.Store:
		return nil, fmt.Errorf("storage %q is compressed, which torch never does", key)
	case m.size() != bytes:
		return nil, fmt.Errorf("storage %q has %d bytes, and is said to have %d", key, m.size(), bytes)
	}
	return m.source(0), nil
}
