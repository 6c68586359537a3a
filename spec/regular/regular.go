// Package regular reads files that a user names: regular ones, and of a bounded size. A
// pipe might never end, a device never.
//
// Not here: what is in them.
package regular

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// ErrNoFile is of a path at which there is something else than a file.
var ErrNoFile = errors.New("no regular file, want one")

// Read is the content of a regular file of at most so many bytes.
func Read(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path) // before it is opened, which of a pipe might never end either
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is %w", path, ErrNoFile)
	case info.Size() > most:
		return nil, fmt.Errorf("%s has %d bytes, want at most %d", path, info.Size(), most)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1)) // some of the system's files say that they are empty
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s has more than %d bytes, want at most those", path, most)
	}
	return data, err
}
