package artefact_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/statespec/statespec/equivalence/artefact"
)

// npyFile is an array with these bytes.
func npyFile(descr, fortran, shape string, data []byte) []byte {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr, fortran, shape)
	return append(fmt.Appendf(nil, "\x93NUMPY\x01\x00\x76\x00%-117s\n", header), data...)
}

// counting is n bytes that are not all alike.
func counting(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(7*i + 1)
	}
	return b
}

// A record is a member of an archive.
type record struct {
	name string
	data []byte
}

// zipped is an archive.
func zipped(tb testing.TB, method uint16, records ...record) []byte {
	tb.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, r := range records {
		f, err := w.CreateHeader(&zip.FileHeader{Name: r.name, Method: method})
		if err == nil {
			_, err = f.Write(r.data)
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// safetensors is a file with this header.
func safetensors(header string, data []byte) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), data...)
}

// torchFile is an archive with this pickle and these storages.
func torchFile(tb testing.TB, pickle string, storages ...[]byte) []byte {
	tb.Helper()
	records := []record{{"archive/data.pkl", []byte(pickle)}, {"archive/byteorder", []byte("little")}}
	for i, s := range storages {
		records = append(records, record{fmt.Sprintf("archive/data/%d", i), s})
	}
	return zipped(tb, zip.Store, append(records, record{"archive/version", []byte("3\n")}, record{"archive/.data/serialization_id", []byte("1")})...)
}

// The following write pickles, of protocol 2.

func pickled(body ...string) string { return "\x80\x02" + strings.Join(body, "") + "." }

func text(s string) string {
	return "X" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(s)))) + s
}

func number(n int) string { return "J" + string(binary.LittleEndian.AppendUint32(nil, uint32(n))) }

func tuple(items ...string) string { return "(" + strings.Join(items, "") + "t" }

func dict(items ...string) string { return "}(" + strings.Join(items, "") + "u" }

func global(module, name string) string { return "c" + module + "\n" + name + "\n" }

func numbersOf(all ...int) string {
	items := make([]string, len(all))
	for i, n := range all {
		items[i] = number(n)
	}
	return tuple(items...)
}

const noHooks = "ccollections\nOrderedDict\n)R"

// storageOf is the persistent id of storage 0.
func storageOf(class string, elements int) string {
	module := "torch"
	if class == "UntypedStorage" {
		module = "torch.storage"
	}
	return tuple(text("storage"), global(module, class), text("0"), text("cpu"), number(elements)) + "Q"
}

// tensorOf is a tensor over a storage.
func tensorOf(storage string, offset int, shape, strides string, more ...string) string {
	args := append([]string{storage, number(offset), shape, strides, "\x89", noHooks}, more...)
	return global("torch._utils", "_rebuild_tensor_v2") + tuple(args...) + "R"
}

// read reads a file of these bytes.
func read(file []byte, name string) (*artefact.Set, error) {
	return artefact.Read(bytes.NewReader(file), int64(len(file)), name)
}

// only is the single value of a file.
func only(t *testing.T, file []byte, name string) artefact.Entry {
	t.Helper()
	set, err := read(file, name)
	if err != nil {
		t.Fatalf("Read(%s) = %v", name, err)
	}
	if len(set.Entries) != 1 {
		t.Fatalf("Read(%s) = %d values, want 1", name, len(set.Entries))
	}
	return set.Entries[0]
}
