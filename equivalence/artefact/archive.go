package artefact

import (
	"archive/zip"
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
)

// archive is a zip whose members are what they seem: no two of one name, none
// inside another, none larger than its compressed bytes can become.
type archive struct {
	name    string
	r       io.ReaderAt
	members []member
}

// member is a file in a zip.
type member struct {
	*zip.File
	r     io.ReaderAt // of the whole archive
	start int64       // of its bytes in the archive
}

// ratio is the most that deflate makes of a byte.
const ratio = 1032

func openArchive(r io.ReaderAt, size int64, name string) (*archive, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, &Error{Name: name, Why: fmt.Sprintf("no zip archive that can be read: %v", err)}
	}
	a := &archive{name: name, r: r}
	seen := map[string]bool{}
	for _, f := range z.File {
		if seen[f.Name] {
			return nil, a.wrong(f.Name, "the archive has two of this name")
		}
		seen[f.Name] = true
		m := member{File: f, r: r}
		if m.start, err = f.DataOffset(); err != nil {
			return nil, a.wrong(f.Name, "its header cannot be read: %v", err)
		}
		if why := m.odd(size); why != "" {
			return nil, a.wrong(f.Name, "%s", why)
		}
		a.members = append(a.members, m)
	}
	return a, a.apart()
}

func (a *archive) wrong(part, format string, args ...any) error {
	return &Error{Name: a.name, Part: part, Why: fmt.Sprintf(format, args...)}
}

// odd says what is wrong with a member by itself.
func (m member) odd(size int64) string {
	packed, full := m.CompressedSize64, m.UncompressedSize64
	switch {
	case m.Flags&1 != 0:
		return "it is encrypted"
	case m.Method != zip.Store && m.Method != zip.Deflate:
		return fmt.Sprintf("compression method %d, want stored or deflated", m.Method)
	case m.start > size || packed > uint64(size-m.start):
		return fmt.Sprintf("%d bytes at %d reach beyond the archive's %d", packed, m.start, size)
	case m.Method == zip.Store && packed != full:
		return fmt.Sprintf("stored as %d bytes, and said to have %d", packed, full)
	case m.Method == zip.Deflate && full/ratio > packed:
		return fmt.Sprintf("%d compressed bytes cannot become the %d that are claimed", packed, full)
	}
	return ""
}

// apart refuses members that share bytes: so a small archive cannot claim the same
// ones many times.
func (a *archive) apart() error {
	sorted := slices.Clone(a.members)
	slices.SortFunc(sorted, func(x, y member) int { return cmp.Compare(x.start, y.start) })
	for i := 1; i < len(sorted); i++ {
		before, m := sorted[i-1], sorted[i]
		if before.start+int64(before.CompressedSize64) > m.start {
			return a.wrong(m.Name, "it shares bytes of the archive with %q", before.Name)
		}
	}
	return nil
}

// find returns the member of a name.
func (a *archive) find(name string) (member, bool) {
	i := slices.IndexFunc(a.members, func(m member) bool { return m.Name == name })
	if i < 0 {
		return member{}, false
	}
	return a.members[i], true
}

// size is the member's, uncompressed.
func (m member) size() int64 { return int64(m.UncompressedSize64) }

// open reads the member from its start.
func (m member) open() (io.ReadCloser, error) {
	if m.Method == zip.Store {
		// Not through archive/zip, which would read all of it for a checksum.
		return io.NopCloser(io.NewSectionReader(m.r, m.start, m.size())), nil
	}
	return m.Open()
}

// source is the member after its first bytes.
func (m member) source(skip int64) Source {
	if m.Method == zip.Store {
		return section{m.r, m.start + skip, m.size() - skip}
	}
	return deflated{m, skip}
}

// deflated is what a compressed member has after its first bytes.
type deflated struct {
	member
	skip int64
}

func (d deflated) Size() int64 { return d.size() - d.skip }

func (d deflated) Window() int { return bufferWindow }

func (d deflated) Stream() (Stream, error) {
	r, err := d.Open()
	if err != nil {
		return nil, err
	}
	if _, err := io.CopyN(io.Discard, r, d.skip); err != nil {
		r.Close()
		return nil, fmt.Errorf("it cannot be decompressed: %w", err)
	}
	// The checksum is compared by the read that finds the end.
	return &buffer{r: &checked{r, d.Size()}, finish: r.Close}, nil
}

// checked makes a reader of n bytes look for its end with the last of them.
type checked struct {
	r    io.Reader
	left int64
}

func (c *checked) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.left -= int64(n)
	if err == io.EOF && c.left > 0 || err != nil && err != io.EOF {
		// No bytes: who has got all that was wanted does not look at an error.
		return 0, fmt.Errorf("it cannot be decompressed: %w", noEOF(err))
	}
	if c.left == 0 && err == nil {
		if _, err := io.ReadFull(c.r, make([]byte, 1)); err != io.EOF {
			return 0, fmt.Errorf("it cannot be decompressed: %w", noEOF(err))
		}
	}
	return n, err
}

func noEOF(err error) error {
	if err == nil {
		return fmt.Errorf("it has more bytes than are claimed")
	}
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Access decompresses to a file that nobody else sees, since compressed bytes are
// only to be had in order.
func (d deflated) Access() (Access, error) {
	s, err := d.Stream()
	if err != nil {
		return nil, err
	}
	defer s.Close()
	f, err := os.CreateTemp("", "statespec-*")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name())
	for left := d.Size(); left > 0; {
		part, err := s.Next(int(min(left, bufferWindow)))
		if err == nil {
			_, err = f.Write(part)
		}
		if err != nil {
			f.Close()
			return nil, err
		}
		left -= int64(len(part))
	}
	a, err := section{f, 0, d.Size()}.Access()
	if err != nil {
		f.Close()
		return nil, err
	}
	return &spooled{a, f}, nil
}

type spooled struct {
	Access
	file *os.File
}

func (s *spooled) Close() error {
	err := s.Access.Close()
	if closed := s.file.Close(); err == nil {
		err = closed
	}
	return err
}

func (s *spooled) Covers(address uintptr) bool {
	m, ok := s.Access.(Mapping)
	return ok && m.Covers(address)
}

func (s *spooled) Cut() bool {
	m, ok := s.Access.(Mapping)
	return ok && m.Cut()
}
