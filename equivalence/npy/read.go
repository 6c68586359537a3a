package npy

import (
	"fmt"
	"io"
	"os"
)

// ReadFile reads an array whole: its header and its data, as they lie in the
// file. It allocates the data's own size and nothing that a header merely claims.
func ReadFile(path string) (Header, []byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return Header{}, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Header{}, nil, err
	}
	if !info.Mode().IsRegular() {
		return Header{}, nil, fmt.Errorf("%s: no regular file", path)
	}
	h, err := ReadHeader(f, info.Size())
	if err != nil {
		return Header{}, nil, fmt.Errorf("%s: %w", path, err)
	}
	data := make([]byte, h.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return Header{}, nil, fmt.Errorf("%s: %w", path, cut(err, info.Size()))
	}
	return h, data, nil
}
