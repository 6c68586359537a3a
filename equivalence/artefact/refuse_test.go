package artefact_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/statespec/statespec/equivalence/artefact"
)

// refused checks that files are refused, and why.
func refused(t *testing.T, name string, files map[string][]byte) {
	t.Helper()
	for says, file := range files {
		_, err := read(file, name)
		if _, ok := errors.AsType[*artefact.Error](err); !ok || !strings.Contains(err.Error(), says) {
			t.Errorf("Read(%s) = %v, want an *Error that says %q", name, err, says)
		}
	}
}

func TestWhatIsNoSafetensorsIsRefused(t *testing.T) {
	one := func(tensor string) []byte { return safetensors(`{"a":`+tensor+`}`, counting(8)) }
	refused(t, "a.safetensors", map[string][]byte{
		"too short for a header":       {1, 2, 3},
		"where the file has 2 left":    append(binary.LittleEndian.AppendUint64(nil, 1<<40), "{}"...),
		"does not start with a brace":  safetensors(` {}`, nil),
		"no UTF-8":                     safetensors("{\"\xff\":1}", nil),
		"unexpected EOF":               safetensors(`{"a":`, nil),
		"after the header":             safetensors(`{} {}`, nil),
		"8 bytes after the data":       safetensors(`{}`, counting(8)),
		`"a" for the second time`:      safetensors(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, counting(8)),
		`"shape" for the second time`:  one(`{"dtype":"F32","shape":[2],"shape":[2],"data_offsets":[0,8]}`),
		`dtype "F4"`:                   one(`{"dtype":"F4","shape":[2],"data_offsets":[0,8]}`),
		`unknown key "strides"`:        one(`{"strides":[1]}`),
		"want dtype, shape and":        one(`{"dtype":"F32","shape":[2]}`),
		"are not those of shape [3]":   one(`{"dtype":"F32","shape":[3],"data_offsets":[0,8]}`),
		"are not those of shape [429":  one(`{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8]}`),
		"[8, 0] are not those":         one(`{"dtype":"F32","shape":[2],"data_offsets":[8,0]}`),
		"want two":                     one(`{"dtype":"F32","shape":[2],"data_offsets":[0]}`),
		"-2, want a number":            one(`{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}`),
		"2.5, want a number":           one(`{"dtype":"F32","shape":[2.5],"data_offsets":[0,8]}`),
		"data start at byte 4, want 0": safetensors(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}`, counting(8)),
		"data start at byte 0, want 8": safetensors(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, counting(8)),
		"data end at byte 12 of 8":     safetensors(`{"a":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}}`, counting(8)),
		"two values have this name":    safetensors(`{"__metadata__":{"a":""},"__metadata__.a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]}}`, counting(8)),
		"1, want a text":               safetensors(`{"__metadata__":{"a":1}}`, nil),
	})
}

func TestWhatIsNoArchiveOfArraysIsRefused(t *testing.T) {
	array := npyFile("<f4", "False", "(2, 3)", counting(24))
	good := zipped(t, zip.Store, record{"a.npy", array})
	deflated := zipped(t, zip.Deflate, record{"a.npy", append(array[:128:128], make([]byte, 24)...)})
	directory := bytes.LastIndex(deflated, []byte("PK\x01\x02"))
	refused(t, "a.npz", map[string][]byte{
		"no zip archive":            array,
		"holds nothing else":        zipped(t, zip.Store, record{"a.txt", []byte("x")}),
		"the data end here":         zipped(t, zip.Store, record{"a.npy", array[:140]}),
		"two of this name":          zipped(t, zip.Store, record{"a.npy", array}, record{"a.npy", array}),
		"it is encrypted":           changed(good, bytes.LastIndex(good, []byte("PK\x01\x02"))+8, 1),
		"compression method 12":     changed(good, bytes.LastIndex(good, []byte("PK\x01\x02"))+10, 12),
		"stored as":                 changed(good, bytes.LastIndex(good, []byte("PK\x01\x02"))+24, 0xff),
		"cannot become the":         changed(deflated, directory+26, 0xff),
		"its header cannot be read": changed(good, bytes.LastIndex(good, []byte("PK\x01\x02"))+42, 0x33),
		"bytes of the archive with": overlapping(t, array),
		"objects are pickled code":  zipped(t, zip.Store, record{"a.npy", npyFile("|O", "False", "(1,)", counting(8))}),
	})
}

// changed is a file with one byte set.
func changed(file []byte, at int, b byte) []byte {
	file = bytes.Clone(file)
	file[at] = b
	return file
}

// overlapping is an archive whose two members are the same bytes.
func overlapping(t *testing.T, array []byte) []byte {
	file := zipped(t, zip.Store, record{"a.npy", array}, record{"b.npy", array})
	second := bytes.LastIndex(file, []byte("PK\x01\x02"))
	file = bytes.Clone(file)
	copy(file[second+42:], []byte{0, 0, 0, 0})
	return file
}

func TestADeflatedMemberThatIsDamagedIsAnError(t *testing.T) {
	array := npyFile("<f4", "False", "(2500,)", bytes.Repeat(counting(100), 100))
	file := zipped(t, zip.Deflate, record{"a.npy", array})
	sum := bytes.LastIndex(file, []byte("PK\x01\x02")) + 16
	e := only(t, changed(file, sum, file[sum]^1), "a.npz")
	s, err := e.Array.Source.Stream()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Next(10000); err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("Next of a member with another checksum = %v, want an error that says so", err)
	}
	if _, err := e.Array.Source.Access(); err == nil {
		t.Error("Access of a member with another checksum = nil, want an error")
	}
}

func TestWhatIsNoFileOfTensorsIsRefused(t *testing.T) {
	floats := storageOf("FloatStorage", 6)
	file := func(pickle string) []byte { return torchFile(t, pickle, counting(24)) }
	whole := func(more ...string) string { return tensorOf(floats, 0, numbersOf(6), numbersOf(1), more...) }
	refused(t, "a.pt", map[string][]byte{
		"before 1.6":                      []byte("\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03."),
		"no zip archive that can be read": []byte("PK\x03\x04"),
		"no data.pkl":                     zipped(t, zip.Store, record{"archive/version", nil}),
		"a second pickle":                 zipped(t, zip.Store, record{"a/data.pkl", nil}, record{"b/data.pkl", nil}),
		"TorchScript":                     zipped(t, zip.Store, record{"a/data.pkl", nil}, record{"a/constants.pkl", nil}),
		"want little or big":              zipped(t, zip.Store, record{"a/data.pkl", nil}, record{"a/byteorder", []byte("middle")}),
		"without a STOP":                  file("\x80\x02"),
		`global "posix.system"`:           file(pickled(global("posix", "system") + tuple(text("true")) + "R")),
		`global "torch._utils._rebuild_sparse_tensor"`: file(pickled(global("torch._utils", "_rebuild_sparse_tensor"))),
		"(NEWOBJ: an instance of a class)":             file(pickled("\x81")),
		"by itself is no value":                        file(pickled(global("torch", "FloatStorage"))),
		"a storage by itself":                          file(pickled(floats)),
		"no storage's":                                 file(pickled(text("x") + "Q")),
		"is said to have 28":                           file(pickled(storageOf("FloatStorage", 7))),
		"is said to have 20":                           file(pickled(storageOf("FloatStorage", 5))),
		"is not in the archive":                        torchFile(t, pickled(floats)),
		"reaches beyond its storage":                   file(pickled(tensorOf(floats, 1, numbersOf(6), numbersOf(1)))),
		"strides [3]":                                  file(pickled(tensorOf(floats, 0, numbersOf(3), numbersOf(3)))),
		"times the file":                               file(pickled(tensorOf(floats, 0, numbersOf(1<<30), numbersOf(0)))),
		"an axis each":                                 file(pickled(tensorOf(floats, 0, numbersOf(6), numbersOf()))),
		"are not numbers of 0 or more":                 file(pickled(tensorOf(floats, 0, tuple(text("x")), numbersOf(1)))),
		"called in a way":                              file(pickled(whole(dict(text("conj"), "\x88")))),
		"holds itself":                                 file(pickled("]q\x00h\x00a")),
		"too often":                                    file(pickled(strings.Repeat("](", 200) + strings.Repeat("e", 200))),
		"two values have this name":                    file(pickled(dict(text("a.b"), number(1), text("a"), dict(text("b"), number(2))))),
		"which torch never does":                       zipped(t, zip.Deflate, record{"a/data.pkl", []byte(pickled(floats))}, record{"a/data/0", counting(24)}),
	})
	_, err := read(file(pickled(storageOf("QInt8Storage", 6))), "a.pt")
	if err == nil || !strings.Contains(err.Error(), `"torch.QInt8Storage"`) {
		t.Errorf("Read of a quantised storage = %v, want its class", err)
	}
}

// A list that holds one list twice, which holds one list twice, and so on, has
// more values than there are atoms.
func TestContainersThatMultiplyAreRefused(t *testing.T) {
	var b strings.Builder
	b.WriteString("]q\x00")
	for i := range byte(60) {
		b.WriteString("](h" + string([]byte{i}) + "h" + string([]byte{i}) + "eq" + string([]byte{i + 1}))
	}
	// Every list but the last is taken from the stack again by the next one's tuple.
	_, err := read(torchFile(t, pickled("("+b.String()+"t")), "a.pt")
	if err == nil || !strings.Contains(err.Error(), "too often") {
		t.Errorf("Read = %v, want a refusal", err)
	}
}

func TestAnotherPanicStaysOne(t *testing.T) {
	defer func() {
		if got := recover(); got != "mine" {
			t.Errorf("recover() = %v, want mine", got)
		}
	}()
	artefact.Guard(func() error { panic("mine") })
}
