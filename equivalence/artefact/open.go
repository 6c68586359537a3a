package artefact

import (
	"io"
	"path"
	"strings"
)

// readers by the end of a file's name.
var readers = map[string]func(r io.ReaderAt, size int64, name string) (*Set, error){
	".npy": readNPY, ".npz": readNPZ, ".safetensors": readSafetensors, ".pt": readTorch, ".pth": readTorch,
}

// Extensions lists the ends of names that are read, for a message.
const Extensions = ".npy, .npz, .safetensors, .pt, .pth"

// Known reports whether files of this name are read.
func Known(name string) bool { return readers[extension(name)] != nil }

func extension(name string) string { return strings.ToLower(path.Ext(name)) }

// Read reads what a file of this name and size holds, as far as headers go. Its
// error is an *Error, or one of the reader's.
func Read(r io.ReaderAt, size int64, name string) (*Set, error) {
	read := readers[extension(name)]
	if read == nil {
		return nil, &Error{Name: name, Why: "a format that is not read; those are " + Extensions}
	}
	set, err := read(r, size, name)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, e := range set.Entries {
		if seen[e.Name] {
			return nil, &Error{name, e.Name, "two values have this name"}
		}
		seen[e.Name] = true
	}
	return set, nil
}
