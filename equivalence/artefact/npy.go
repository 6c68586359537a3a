package artefact

import (
	"io"
	"strings"

	"github.com/statespec/statespec/equivalence/element"
	"github.com/statespec/statespec/equivalence/npy"
)

func readNPY(r io.ReaderAt, size int64, name string) (*Set, error) {
	h, err := npy.ReadHeader(io.NewSectionReader(r, 0, size), size)
	if err != nil {
		return nil, &Error{Name: name, Why: err.Error()}
	}
	return &Set{Format: "npy", Entries: []Entry{{Kind: Tensor, Array: arrayOf(h, section{r, h.Data, h.Size()})}}}, nil
}

func arrayOf(h npy.Header, s Source) Array {
	a := Array{Type: element.Of(h.DType), Big: h.Big, Shape: h.Shape, Order: C, Source: s}
	if h.Fortran {
		a.Order = Fortran
	}
	a.Strides = strides(a.Shape, a.Order)
	return a
}

func readNPZ(r io.ReaderAt, size int64, name string) (*Set, error) {
	a, err := openArchive(r, size, name)
	if err != nil {
		return nil, err
	}
	set := &Set{Format: "npz"}
	for _, m := range a.members {
		array, is := strings.CutSuffix(m.Name, ".npy")
		if !is {
			return nil, a.wrong(m.Name, "no .npy, and an .npz holds nothing else")
		}
		h, err := m.header()
		if err != nil {
			return nil, a.wrong(m.Name, "%v", err)
		}
		set.Entries = append(set.Entries, Entry{Name: array, Kind: Tensor, Array: arrayOf(h, m.source(h.Data))})
	}
	return set, nil
}

func (m member) header() (npy.Header, error) {
	r, err := m.open()
	if err != nil {
		return npy.Header{}, err
	}
	defer r.Close()
	return npy.ReadHeader(r, m.size())
}
