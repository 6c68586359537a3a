package artefact

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"unicode/utf8"

	"github.com/statespec/statespec/equivalence/element"
)

// safetensorsTypes are the format's names for types of whole bytes.
var safetensorsTypes = map[string]string{
	"BOOL": "bool", "U8": "uint8", "I8": "int8", "U16": "uint16", "I16": "int16", "U32": "uint32", "I32": "int32",
	"U64": "uint64", "I64": "int64", "F16": "float16", "BF16": "bfloat16", "F32": "float32", "F64": "float64",
	"C64": "complex64", "F8_E4M3": "float8_e4m3fn", "F8_E5M2": "float8_e5m2",
}

// longestHeader is the format's own bound.
const longestHeader = 100_000_000

// tensorHeader is a tensor of a header, as it stands.
type tensorHeader struct {
	name       string
	typ        element.Type
	shape      []int64
	begin, end int64
}

func readSafetensors(r io.ReaderAt, size int64, name string) (*Set, error) {
	wrong := func(part, format string, args ...any) error {
		return &Error{Name: name, Part: part, Why: fmt.Sprintf(format, args...)}
	}
	if size < 8 {
		return nil, wrong("", "a file of %d bytes is too short for a header", size)
	}
	var length [8]byte
	if _, err := r.ReadAt(length[:], 0); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint64(length[:])
	if n > uint64(size-8) || n > longestHeader {
		return nil, wrong("", "a header of %d bytes, where the file has %d left (and %d are allowed)", n, size-8, longestHeader)
	}
	text := make([]byte, n)
	if _, err := r.ReadAt(text, 8); err != nil {
		return nil, err
	}
	p := headerParser{text: text}
	if err := p.parse(); err != nil {
		return nil, wrong(p.in, "%v", err)
	}
	start := 8 + int64(n)
	if part, err := contiguous(p.tensors, size-start); err != nil {
		return nil, wrong(part, "%v", err)
	}
	set := &Set{Format: "safetensors", Entries: p.metadata}
	for _, t := range p.tensors {
		set.Entries = append(set.Entries, Entry{Name: t.name, Kind: Tensor, Array: Array{
			Type: t.typ, Shape: t.shape, Strides: strides(t.shape, C), Source: section{r, start + t.begin, t.end - t.begin},
		}})
	}
	return set, nil
}

// contiguous checks that tensors fill the rest of the file, one after the other.
func contiguous(tensors []tensorHeader, have int64) (part string, err error) {
	sorted := slices.Clone(tensors)
	slices.SortStableFunc(sorted, func(a, b tensorHeader) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end))
	})
	at := int64(0)
	for _, t := range sorted {
		if t.begin != at {
			return t.name, fmt.Errorf("its data start at byte %d, want %d, where those before it end", t.begin, at)
		}
		if t.end > have {
			return t.name, fmt.Errorf("its data end at byte %d of %d", t.end, have)
		}
		at = t.end
	}
	if at != have {
		return "", fmt.Errorf("%d bytes after the data of the last tensor", have-at)
	}
	return "", nil
}

// headerParser reads the header's JSON by tokens: encoding/json would take the
// last of two equal keys and say nothing.
type headerParser struct {
	text     []byte
	d        *json.Decoder
	in       string // the tensor that is being read
	tensors  []tensorHeader
	metadata []Entry
}

func (p *headerParser) parse() error {
	if len(p.text) == 0 || p.text[0] != '{' {
		return fmt.Errorf("the header does not start with a brace")
	}
	if !utf8.Valid(p.text) {
		return fmt.Errorf("the header is no UTF-8")
	}
	p.d = json.NewDecoder(bytes.NewReader(p.text))
	p.d.UseNumber()
	err := p.object(func(key string) error {
		p.in = key
		if key == "__metadata__" {
			return p.meta()
		}
		return p.tensor(key)
	})
	if err != nil {
		return err
	}
	p.in = ""
	if rest := bytes.TrimRight(p.text[p.d.InputOffset():], " "); len(rest) > 0 {
		return fmt.Errorf("at byte %d: %q after the header", 8+p.d.InputOffset(), rest[0])
	}
	return nil
}

// object reads an object, and refuses a key that comes twice.
func (p *headerParser) object(value func(key string) error) error {
	if err := p.delim('{'); err != nil {
		return err
	}
	seen := map[string]bool{}
	for p.d.More() {
		key, err := p.str()
		if err != nil {
			return err
		}
		if seen[key] {
			return fmt.Errorf("at byte %d: %q for the second time", 8+p.d.InputOffset(), key)
		}
		seen[key] = true
		if err := value(key); err != nil {
			return err
		}
	}
	return p.delim('}')
}

func (p *headerParser) delim(want json.Delim) error {
	token, err := p.token()
	if err != nil {
		return err
	}
	if token != want {
		return fmt.Errorf("at byte %d: %v, want %v", 8+p.d.InputOffset(), token, want)
	}
	return nil
}

func (p *headerParser) token() (json.Token, error) {
	token, err := p.d.Token()
	if err != nil {
		return nil, fmt.Errorf("at byte %d: %w", 8+p.d.InputOffset(), noEOF(err))
	}
	return token, nil
}

func (p *headerParser) str() (string, error) {
	token, err := p.token()
	if err != nil {
		return "", err
	}
	s, ok := token.(string)
	if !ok {
		return "", fmt.Errorf("at byte %d: %v, want a text", 8+p.d.InputOffset(), token)
	}
	return s, nil
}

// meta reads texts about the file. They are values like others.
func (p *headerParser) meta() error {
	return p.object(func(key string) error {
		text, err := p.str()
		p.metadata = append(p.metadata, Entry{Name: "__metadata__." + key, Kind: Text, Text: text})
		return err
	})
}

func (p *headerParser) tensor(name string) error {
	t := tensorHeader{name: name, begin: -1}
	err := p.object(func(key string) (err error) {
		switch key {
		case "dtype":
			var code string
			if code, err = p.str(); err != nil {
				return err
			}
			known := false
			if t.typ, known = element.Named(safetensorsTypes[code]); !known {
				return fmt.Errorf("dtype %q, which is not read", code)
			}
		case "shape":
			t.shape, err = p.numbers()
		case "data_offsets":
			var at []int64
			if at, err = p.numbers(); err == nil && len(at) != 2 {
				err = fmt.Errorf("data_offsets %v, want two", at)
			} else if err == nil {
				t.begin, t.end = at[0], at[1]
			}
		default:
			err = fmt.Errorf("unknown key %q", key)
		}
		return err
	})
	if err != nil {
		return err
	}
	if t.typ.Size == 0 || t.shape == nil || t.begin < 0 {
		return fmt.Errorf("want dtype, shape and data_offsets")
	}
	p.tensors = append(p.tensors, t)
	return t.fit()
}

// fit compares a tensor's shape with its bytes.
func (t tensorHeader) fit() error {
	n, fits := volume(t.shape, t.typ.Size)
	if t.end < t.begin || !fits || n != t.end-t.begin {
		return fmt.Errorf("data_offsets [%d, %d] are not those of shape %v of %s", t.begin, t.end, t.shape, t.typ.Name)
	}
	return nil
}

// numbers reads a list of whole numbers.
func (p *headerParser) numbers() ([]int64, error) {
	if err := p.delim('['); err != nil {
		return nil, err
	}
	list := []int64{}
	for p.d.More() {
		token, err := p.token()
		if err != nil {
			return nil, err
		}
		number, _ := token.(json.Number)
		n, err := number.Int64()
		if err != nil || n < 0 {
			return nil, fmt.Errorf("at byte %d: %v, want a number of 0 or more in 63 bits", 8+p.d.InputOffset(), token)
		}
		list = append(list, n)
	}
	return list, p.delim(']')
}

// volume is the bytes of a shape, and whether 63 bits have room for them.
func volume(shape []int64, size int) (int64, bool) {
	n := uint64(size)
	if slices.Contains(shape, 0) {
		return 0, true
	}
	for _, d := range shape {
		high, low := bits.Mul64(n, uint64(d))
		if high != 0 || low > 1<<62 {
			return 0, false
		}
		n = low
	}
	return int64(n), true
}
