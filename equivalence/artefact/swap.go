package artefact

import "slices"

// LittleEndian is a Stream of an array's bytes, turned where the array is
// big-endian.
func (a Array) LittleEndian() (Stream, error) {
	s, err := a.Source.Stream()
	if err != nil || !a.Big || a.Type.Lane() == 1 {
		return s, err
	}
	return &turned{mappedOrNot: mappedOrNot{s}, lane: a.Type.Lane()}, nil
}

// Turn reverses the bytes of each lane.
func Turn(bytes []byte, lane int) {
	for lane > 1 && len(bytes) >= lane {
		slices.Reverse(bytes[:lane])
		bytes = bytes[lane:]
	}
}

type turned struct {
	mappedOrNot
	lane  int
	bytes []byte
}

func (t *turned) Next(n int) ([]byte, error) {
	bytes, err := t.Stream.Next(n)
	t.bytes = append(t.bytes[:0], bytes...)
	Turn(t.bytes, t.lane)
	return t.bytes, err
}

// mappedOrNot is a Stream that may be a Mapping as well.
type mappedOrNot struct{ Stream }

func (s mappedOrNot) Covers(address uintptr) bool {
	m, ok := s.Stream.(Mapping)
	return ok && m.Covers(address)
}

func (s mappedOrNot) Cut() bool {
	m, ok := s.Stream.(Mapping)
	return ok && m.Cut()
}
