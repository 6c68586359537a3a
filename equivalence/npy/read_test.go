package npy_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sbinet/npyio"

	"github.com/statespec/statespec/equivalence/npy"
	"github.com/statespec/statespec/reference/dtype"
)

// made is a file with a header of this text and n bytes of data.
func made(major byte, text string, n int) []byte {
	file := append([]byte("\x93NUMPY"), major, 0)
	if major == 1 {
		file = binary.LittleEndian.AppendUint16(file, uint16(len(text)))
	} else {
		file = binary.LittleEndian.AppendUint32(file, uint32(len(text)))
	}
	file = append(file, text...)
	for i := range n {
		file = append(file, byte(i*7+1))
	}
	return file
}

// dict is the text of a header as numpy writes it.
func dict(descr, fortran, shape string) string {
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr, fortran, shape)
	return text + strings.Repeat(" ", 117-len(text)) + "\n"
}

func read(file []byte) (npy.Header, error) {
	return npy.ReadHeader(bytes.NewReader(file), int64(len(file)))
}

func TestHeadersOfEveryVersionTypeAndOrderAreRead(t *testing.T) {
	for _, row := range []struct {
		major byte
		text  string
		bytes int
		want  npy.Header
	}{
		{1, dict("<f4", "False", "(2, 3)"), 24, npy.Header{Descr: "<f4", DType: dtype.Float32, Shape: []int64{2, 3}}},
		{2, dict(">f8", "True", "(2, 3)"), 48, npy.Header{Descr: ">f8", DType: dtype.Float64, Big: true, Fortran: true, Shape: []int64{2, 3}}},
		{3, dict("<V2", "False", "(5,)"), 10, npy.Header{Descr: "<V2", DType: dtype.BFloat16, Shape: []int64{5}}},
		{1, dict("|V2", "False", "()"), 2, npy.Header{Descr: "|V2", DType: dtype.BFloat16, Shape: []int64{}}},
		{1, dict("|b1", "False", "(0, 7)"), 0, npy.Header{Descr: "|b1", DType: dtype.Bool, Shape: []int64{0, 7}}},
		{1, dict(">u1", "False", "(3,)"), 3, npy.Header{Descr: ">u1", DType: dtype.UInt8, Shape: []int64{3}}},
		{1, dict("<c16", "False", "(1, 1,)"), 16, npy.Header{Descr: "<c16", DType: dtype.Complex128, Shape: []int64{1, 1}}},
		{1, dict("<i8", "False", "(0, 9223372036854775807)"), 0, npy.Header{Descr: "<i8", DType: dtype.Int64, Shape: []int64{0, 1<<63 - 1}}},
		{1, "{\"shape\":(1,),\"descr\":\"<u2\",\"fortran_order\":False}\n", 2, npy.Header{Descr: "<u2", DType: dtype.UInt16, Shape: []int64{1}}},
	} {
		file := made(row.major, row.text, row.bytes)
		row.want.Major, row.want.Data = int(row.major), int64(len(file)-row.bytes)
		got, err := read(file)
		if diff := cmp.Diff(row.want, got); err != nil || diff != "" {
			t.Errorf("ReadHeader(%q) = error %v, difference (-want +got)\n%s", row.text, err, diff)
		}
	}
}

func TestWhatIsNoArrayIsRefusedWithAReason(t *testing.T) {
	good := dict("<f4", "False", "(2, 3)")
	for name, row := range map[string]struct {
		file []byte
		says string
	}{
		"an empty file":              {nil, "too short"},
		"another format":             {[]byte("PK\x03\x04 and so on"), "starts with"},
		"a version to come":          {made(4, good, 24), "version 4.0"},
		"a header beyond the file":   {made(1, good, 24)[:60], "where the file has 50 left"},
		"a header beyond all bounds": {append([]byte("\x93NUMPY\x02\x00\xff\xff\xff\xff"), "{"...), "where the file has 1 left"},
		"a long header":              {made(2, good[:117]+strings.Repeat(" ", 70000)+"\n", 24), "want at most 65536"},
		"data that end early":        {made(1, good, 23), "the data end here: 23 bytes of the 24"},
		"more than the data":         {made(1, good, 25), "1 bytes after the data"},
		"a shape that overflows":     {made(1, dict("<f4", "False", "(4294967296, 4294967296)"), 0), "claims more than any file has"},
		"a size that overflows":      {made(1, dict("<f4", "False", "(4611686018427387904,)"), 0), "claims more than any file has"},
		"a length of 64 bits":        {made(1, dict("<f4", "False", "(9223372036854775808,)"), 0), "63 bits"},
		"a negative length":          {made(1, dict("<f4", "False", "(-1,)"), 0), "want a length"},
		"a number for a shape":       {made(1, dict("<f4", "False", "(3)"), 12), "after the only length"},
		"a list for a shape":         {made(1, dict("<f4", "False", "[3]"), 12), "want '('"},
		"too many axes":              {made(1, "{'shape': ("+strings.Repeat("1,", 65)+")}\n", 4), "more than 64 axes"},
		"objects":                    {made(1, dict("|O", "False", "(2,)"), 16), "objects are pickled code"},
		"a structure":                {made(1, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}\n", 4), "structured type"},
		"texts":                      {made(1, dict("<U3", "False", "(1,)"), 12), "text is not compared"},
		"times":                      {made(1, dict("<M8[ns]", "False", "(1,)"), 8), "save them as int64"},
		"a long double":              {made(1, dict("<f16", "False", "(1,)"), 16), "long double"},
		"raw bytes":                  {made(1, dict("|V3", "False", "(1,)"), 3), "raw bytes"},
		"an unknown type":            {made(1, dict("<q9", "False", "(1,)"), 9), "not one of bool"},
		"no byte order":              {made(1, dict("|f4", "False", "(1,)"), 4), "byte order"},
		"a native byte order":        {made(1, dict("=f4", "False", "(1,)"), 4), "byte order"},
		"an empty type":              {made(1, dict("", "False", "(1,)"), 4), "byte order"},
		"only a byte order":          {made(1, dict("<", "False", "(1,)"), 4), "not one of"},
		"no line feed":               {made(1, strings.TrimRight(good, " \n"), 24), "line feed"},
		"no header at all":           {made(1, "", 24), "line feed"},
		"no brace":                   {made(1, "'descr': '<f4'\n", 24), "want '{'"},
		"a brace left open":          {made(1, "{'descr': '<f4'\n", 24), "want '}'"},
		"a text left open":           {made(1, "{'descr\n", 24), "without an end"},
		"a key twice":                {made(1, "{'descr': '<f4', 'descr': '<f4'}\n", 24), "second time"},
		"a key too many":             {made(1, "{'descr': '<f4', 'strides': 3}\n", 24), "unknown key \"strides\""},
		"a key too few":              {made(1, "{'descr': '<f4', 'shape': ()}\n", 4), "no \"fortran_order\""},
		"a truth that is none":       {made(1, dict("<f4", "1", "(1,)"), 4), "True or False"},
		"something after it":         {made(1, "{'descr': '<f4', 'fortran_order': False, 'shape': ()} x\n", 4), "after the dictionary"},
		"an escape":                  {made(1, "{'desc\\x72': 1}\n", 4), "want printable ASCII"},
	} {
		_, err := read(row.file)
		if e, ok := errors.AsType[*npy.Error](err); !ok || !strings.Contains(e.Error(), row.says) || e.At < 0 || e.At > int64(len(row.file)) {
			t.Errorf("%s: ReadHeader = %v, want an *Error that says %q, at a byte of the file", name, err, row.says)
		}
	}
}

func TestEveryTruncationOfAFileIsRefused(t *testing.T) {
	file := made(1, dict("<f4", "False", "(2, 3)"), 24)
	for n := range file {
		if _, err := read(file[:n]); err == nil {
			t.Errorf("ReadHeader(the first %d of %d bytes) = nil, want an error", n, len(file))
		}
	}
}

func TestAFileThatShrankIsAnError(t *testing.T) {
	file := made(1, dict("<f4", "False", "(2, 3)"), 24)
	for n := range 128 {
		_, err := npy.ReadHeader(bytes.NewReader(file[:n]), int64(len(file)))
		if _, ok := errors.AsType[*npy.Error](err); !ok {
			t.Errorf("ReadHeader of %d bytes that were %d = %v, want an *Error", n, len(file), err)
		}
	}
}

// npyio reads what it can read to the same bits, given the whole file at once.
func TestNpyioReadsTheSameNumbers(t *testing.T) {
	secondOpinion[uint8](t, "|u1")
	secondOpinion[int8](t, "|i1")
	secondOpinion[uint16](t, "<u2")
	secondOpinion[int16](t, ">i2")
	secondOpinion[uint32](t, "<u4")
	secondOpinion[int32](t, ">i4")
	secondOpinion[uint64](t, ">u8")
	secondOpinion[int64](t, "<i8")
	secondOpinion[float32](t, "<f4")
	secondOpinion[float64](t, ">f8")
	secondOpinion[complex64](t, "<c8")
	secondOpinion[complex128](t, ">c16")
}

func secondOpinion[E any](t *testing.T, descr string) {
	t.Helper()
	var one E
	size := binary.Size(one)
	for _, fortran := range []string{"False", "True"} {
		file := made(1, dict(descr, fortran, "(2, 3)"), 6*size)
		path := filepath.Join(t.TempDir(), "a.npy")
		if err := os.WriteFile(path, file, 0o644); err != nil {
			t.Fatal(err)
		}
		h, data, err := npy.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var order binary.ByteOrder = binary.LittleEndian
		if h.Big {
			order = binary.BigEndian
		}
		ours, second := make([]E, h.Elements()), []E(nil)
		if err := binary.Read(bytes.NewReader(data), order, ours); err != nil {
			t.Fatal(err)
		}
		if err := npyio.Read(bytes.NewReader(file), &second); err != nil {
			t.Fatalf("%s: npyio: %v", descr, err)
		}
		if diff := cmp.Diff(second, ours); diff != "" {
			t.Errorf("%s, fortran_order %s: -npyio +ReadFile\n%s", descr, fortran, diff)
		}
	}
}

func TestReadFileRefusesWhatIsNoFile(t *testing.T) {
	if _, _, err := npy.ReadFile(t.TempDir()); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("ReadFile(a folder) = %v, want a refusal", err)
	}
	if _, _, err := npy.ReadFile(filepath.Join(t.TempDir(), "none.npy")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("ReadFile(nothing) = %v, want ErrNotExist", err)
	}
}
