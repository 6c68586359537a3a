//go:build !linux

package artefact

import (
	"errors"
	"io"
)

// Elsewhere files are read into buffers.

func mappable(io.ReaderAt) bool { return false }

type windows struct{ section }

func (w *windows) Next(int) ([]byte, error) { return nil, errors.ErrUnsupported }
func (w *windows) Close() error             { return nil }

func mapWhole(section) (*blocks, error) { return nil, errors.ErrUnsupported }
