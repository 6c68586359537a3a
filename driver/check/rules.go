package check

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"

	"github.com/statespec/statespec/fixtures/fill"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// vital is how many of the rules come first without which nothing can be asked.
const vital = 2

// rules are in the order in which somebody who writes a driver comes to them.
var rules = []rule{
	{"answers start, one line, with its id and a result",
		`Read a line, and write one line of JSON with the same "id" and a "result", {} for start; flush it. Print nothing else to standard output.`, startRule},
	{"says hello", `Answer hello with {"result": {"hello": {…}}}: protocol 1, a name, at least one device, and words of the document alone.`, helloRule},
	{"says the same hello again", "hello never changes: make it once.", sameHello},
	{"keeps standard output to itself", "Before anything is imported: duplicate descriptors 0 and 1, point 0 at the null device and 1 at 2, and talk on the duplicates.", ownOutput},
	{"answers unsupported to what it does not know", `Look methods up in a table; what is not there is {"error": {"kind": "unsupported", "message": "…"}}.`, unknownMethod},
	{"passes over members that it does not know", "Read the members that you need, and let others be: later versions add some.", unknownMember},
	{"does without params", `"params" may be left out, and so may any empty member.`, withoutParams},
	{"sets the feature's variables at start", "At start set every variable in env, and unset every other one that begins with " + spec.EnableVar + ".", environmentRule},
	{"has a table of sessions", "new_manager, session, contains and stats are what the layer manager claims.", managerRule},
	{"names sessions as asked", `"session" that is not there is no id; "" is an empty one. Both are sessions that can be had.`, emptyID},
	{"lets go at release", "Remove the handle from your table: a later use of it is an error of kind internal.", releaseRule},
	{"lets go at start", "start empties the table of handles.", startLetsGo},
	{"refuses a handle that it does not hold", `An unknown handle is an error of kind "internal": it is no refusal of the implementation's.`, unknownHandle},
	{"has errors of the kinds of the document", "Use the kinds of the document; of an exception whose cause you do not know, \"error\".", errorKinds},
	{"carries scalars", "none, bool (0 or 1), int, float (16 hex digits of its bits) and text come back from read as they were made.", scalars},
	{"carries whole numbers beyond 53 bits as text", `An int that is not exact as a float64 is {"step": "int", "text": "9223372036854775807"}, in recipes and in readings.`, wideIntegers},
	{"carries text beyond ASCII", "Read and write UTF-8; JSON escapes are allowed, and surrogates alone are not.", unicodeText},
	{"fills tensors by the generator", "splitmix64 from the seed, words little-endian, elements as the document's table: compare the first four elements of seed 1.", generator},
	{"reads tensors by their digest", "sha256 is in hex, of the row-major little-endian bytes, whatever the strides; bytes come along in base64 up to 64 KiB.", readings},
	{"shares what a view is of", "A view is over the same storage: an edit of the one is seen through the other.", views},
	{"takes raw bytes", `"raw" is base64 of the row-major little-endian bytes; "file" names a file that has them.`, rawBytes},
	{"keeps what a container is made of", "A container holds the things themselves: an edit of one is seen in it.", containers},
	{"has attributes", "attr, set_attr (without values it clears), contents and reset belong to the table of sessions.", attributes},
	{"has the objects that it declares", "For each kind in hello: ensure, commit, view, state, evict and reset.", objects},
	{"has the models that it claims", "new_model, path, open and do are what the layer adapter claims.", models},
	{"has what it claims", "Each capability has its operation: unsupported contradicts the claim.", claims},
	{"answers every call of a batch", `batch answers {"answers": […]}, a result or an error each, whatever came of those before.`, batchRule},
	{"times its calls", `bench answers {"timing": {"times", "took_ns", "floor_ns"}}.`, benchRule},
	{"answers every call of a race", `race answers {"events": [[…], […]]}, for each list and call start_ns, end_ns and a result or an error.`, raceRule},
	{"says which storages live", "A recipe with a tag is tracked; memory collects, and lists the tags of storages that live.", memoryRule},
	{"leaves at the end of input", "When a read returns nothing more, exit with status 0, whatever threads there are.", endOfInput},
}

func startRule(v *visit) error { return v.begin(nil) }

func helloRule(v *visit) error {
	r, err := v.must("hello", nil)
	if err != nil {
		return err
	}
	if r.Hello == nil {
		return fmt.Errorf(`the result has no "hello"`)
	}
	v.hello = *r.Hello
	if v.hello.Protocol != spec.ProtocolVersion {
		return fmt.Errorf("protocol is %d, want %d", v.hello.Protocol, spec.ProtocolVersion)
	}
	return op.CheckHello(v.hello)
}

func sameHello(v *visit) error {
	r, err := v.must("hello", nil)
	if err != nil {
		return err
	}
	if r.Hello == nil || !reflect.DeepEqual(*r.Hello, v.hello) {
		return fmt.Errorf("the second hello is another than the first")
	}
	return nil
}

func unknownMethod(v *visit) error {
	a, err := v.ask("no_such_method", nil)
	switch {
	case err != nil:
		return err
	case a.Error == nil:
		return fmt.Errorf("it answers no_such_method with a result")
	case a.Error.Kind != spec.Unsupported:
		return fmt.Errorf("it answers no_such_method with an error of kind %q, want %q", a.Error.Kind, spec.Unsupported)
	}
	return nil
}

func unknownMember(v *visit) error {
	a, err := v.probe.Raw(v.ctx, v.command.Request, map[string]any{"method": "resolve", "later": true,
		"params": map[string]any{"config": map[string]any{"later": 1}, "later": []int{1}}})
	if err == nil && a.Error != nil {
		err = a.Error
	}
	return err
}

func withoutParams(v *visit) error {
	_, err := v.probe.Raw(v.ctx, v.command.Start, map[string]any{"method": "start"})
	return err
}

func environmentRule(v *visit) error {
	defer v.begin(nil)
	for _, on := range []bool{true, false} {
		var env map[string]string
		if on {
			env = map[string]string{spec.EnableVar: "1", spec.MaxSessionsVar: "7"}
		}
		if err := v.begin(env); err != nil {
			return err
		}
		if v.hello.Environment == "process" {
			return nil // read when the process starts: another one is started
		}
		r, err := v.must("resolve", map[string]any{"config": map[string]any{}})
		if err != nil {
			return err
		}
		if r.Resolution == nil {
			return fmt.Errorf(`resolve answers without a "resolution"`)
		}
		if want := map[bool]string{true: "7", false: "64"}[on]; r.Resolution.Enabled != on || r.Resolution.Cap != want {
			return fmt.Errorf("started with %v, resolve says enabled %t and a cap of %q, want %t and %q", env, r.Resolution.Enabled, r.Resolution.Cap, on, want)
		}
	}
	return nil
}

func (v *visit) layer(l spec.Layer) error {
	if !slices.Contains(v.hello.Layers, l) {
		return errNotClaimed
	}
	return nil
}

func (v *visit) capability(c spec.Capability) error {
	if !slices.Contains(v.hello.Can, c) {
		return errNotClaimed
	}
	return nil
}

// manager makes a manager with attributes "x" and "n", and a session of it.
func (v *visit) manager() (manager, session string, err error) {
	if err := v.layer(spec.LayerManager); err != nil {
		return "", "", err
	}
	manager, err = v.make("new_manager", map[string]any{"manager_spec": map[string]any{"cap": 4,
		"attrs": []any{map[string]any{"name": "x", "default": map[string]any{"step": "none"}}}}})
	if err == nil {
		session, err = v.make("session", map[string]any{"on": manager, "session": "a"})
	}
	return manager, session, err
}

func managerRule(v *visit) error {
	m, _, err := v.manager()
	if err != nil {
		return err
	}
	for id, want := range map[string]bool{"a": true, "b": false} {
		r, err := v.must("contains", map[string]any{"on": m, "session": id})
		if err != nil {
			return err
		}
		if r.Is != want {
			return fmt.Errorf(`contains of session %q answers "is": %t, want %t`, id, r.Is, want)
		}
	}
	r, err := v.must("stats", map[string]any{"on": m})
	if err != nil {
		return err
	}
	if r.Stats == nil {
		return fmt.Errorf(`stats answers without "stats"`)
	}
	if _, ok := r.Stats.Counts["total_nbytes"]; !ok {
		return fmt.Errorf(`stats.counts has no "total_nbytes": %v`, r.Stats.Counts)
	}
	return nil
}

func emptyID(v *visit) error {
	m, _, err := v.manager()
	if err != nil {
		return err
	}
	if _, err := v.make("session", map[string]any{"on": m}); err != nil {
		return err
	}
	_, err = v.make("session", map[string]any{"on": m, "session": ""})
	return err
}

// internal asks for something of a handle that is not held.
func (v *visit) internal(handle string) error {
	a, err := v.ask("release", map[string]any{"on": handle})
	switch {
	case err != nil:
		return err
	case a.Error == nil:
		return fmt.Errorf("release of a handle that is not held answers a result")
	case a.Error.Kind != spec.Internal:
		return fmt.Errorf("release of a handle that is not held answers an error of kind %q, want %q", a.Error.Kind, spec.Internal)
	}
	return nil
}

func releaseRule(v *visit) error {
	h, err := v.value(map[string]any{"step": "none"})
	if err != nil {
		return err
	}
	if _, err := v.must("release", map[string]any{"on": h}); err != nil {
		return err
	}
	return v.internal(h)
}

func startLetsGo(v *visit) error {
	h, err := v.value(map[string]any{"step": "none"})
	if err != nil {
		return err
	}
	if err := v.begin(nil); err != nil {
		return err
	}
	return v.internal(h)
}

func unknownHandle(v *visit) error { return v.internal("no such handle") }

func errorKinds(v *visit) error {
	if err := v.layer(spec.LayerManager); err != nil {
		return err
	}
	a, err := v.ask("new_manager", map[string]any{"as": v.name(), "manager_spec": map[string]any{"cap": 0}})
	if err != nil {
		return err
	}
	if a.Error != nil && !slices.Contains(spec.Kinds(), a.Error.Kind) {
		return fmt.Errorf("a cap of 0 is refused as %q, which is no kind of the document", a.Error.Kind)
	}
	return nil
}

// reads asks that a value reads as it should.
func (v *visit) reads(handle string, want spec.Reading) error {
	r, err := v.must("read", map[string]any{"on": handle})
	switch {
	case err != nil:
		return err
	case r.Reading == nil:
		return fmt.Errorf(`read answers without a "reading"`)
	}
	got, _ := json.Marshal(r.Reading)
	due, _ := json.Marshal(want.Wide())
	if !bytes.Equal(got, due) {
		return fmt.Errorf("it reads as %.300s, want %.300s", got, due)
	}
	return nil
}

// carries asks that a scalar reads as it was made.
func (v *visit) carries(recipe spec.Recipe, want spec.Reading) error {
	if !slices.Contains(v.hello.Holds, want.Kind) {
		return nil
	}
	var members map[string]any
	text, err := json.Marshal(recipe)
	if err == nil {
		err = json.Unmarshal(text, &members)
	}
	if err != nil {
		return err
	}
	h, err := v.value(members)
	if err != nil {
		return err
	}
	if err := v.reads(h, want); err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	return nil
}

func scalars(v *visit) error {
	for _, s := range []struct {
		recipe spec.Recipe
		want   spec.Reading
	}{
		{spec.Nothing(), spec.Reading{Kind: spec.KindNone}},
		{spec.Bool(true), spec.Reading{Kind: spec.KindBool, Int: 1}},
		{spec.Bool(false), spec.Reading{Kind: spec.KindBool}},
		{spec.Int(-3), spec.Reading{Kind: spec.KindInt, Int: -3}},
		{spec.Int(0), spec.Reading{Kind: spec.KindInt}},
		{spec.Float("3ff8000000000000"), spec.Reading{Kind: spec.KindFloat, Text: "3ff8000000000000"}},
		{spec.Float("8000000000000000"), spec.Reading{Kind: spec.KindFloat, Text: "8000000000000000"}},
		{spec.Text(""), spec.Reading{Kind: spec.KindText}},
		{spec.Text("3"), spec.Reading{Kind: spec.KindText, Text: "3"}},
	} {
		if err := v.carries(s.recipe, s.want); err != nil {
			return err
		}
	}
	return nil
}

func wideIntegers(v *visit) error {
	if !slices.Contains(v.hello.Holds, spec.KindInt) {
		return errNotClaimed
	}
	for _, n := range []int64{1<<53 + 1, -1<<63 + 1, 1<<63 - 1} {
		if err := v.carries(spec.Int(n), spec.Reading{Kind: spec.KindInt, Int: n}); err != nil {
			return err
		}
	}
	return nil
}

func unicodeText(v *visit) error {
	if !slices.Contains(v.hello.Holds, spec.KindText) {
		return errNotClaimed
	}
	const text = "naïve ☃ 𝄞 \"quoted\" \\ \n\t\x00"
	return v.carries(spec.Text(text), spec.Reading{Kind: spec.KindText, Text: text})
}

// tensors ends a rule about them where there are none.
func (v *visit) tensors() error {
	if !slices.Contains(v.hello.Holds, spec.KindTensor) {
		return errNotClaimed
	}
	return nil
}

// readingOf is what a tensor of some bytes reads as.
func readingOf(dtype string, raw []byte, shape ...int) spec.Reading {
	return spec.Reading{Kind: spec.KindTensor, DType: dtype, Shape: shape, Device: "cpu",
		SHA256: fmt.Sprintf("%x", sha256.Sum256(raw)), Bytes: raw}
}

func generator(v *visit) error {
	if err := v.tensors(); err != nil {
		return err
	}
	made := 0
	for _, dtype := range []string{"uint8", "int8", "int16", "int32", "int64", "bool", "float16", "bfloat16", "float32", "float64", "complex64", "complex128"} {
		h := v.name()
		a, err := v.ask("make", map[string]any{"as": h, "recipe": map[string]any{"step": "tensor", "dtype": dtype, "shape": []int{3, 5}, "seed": 1}})
		switch {
		case err != nil:
			return err
		case a.Error != nil && a.Error.Kind == spec.Unsupported:
			continue
		case a.Error != nil:
			return fmt.Errorf("make of a %s: %w", dtype, a.Error)
		}
		made++
		if err := v.reads(h, readingOf(dtype, fill.Bytes(dtype, 1, 15), 3, 5)); err != nil {
			return fmt.Errorf("%s of seed 1: %w", dtype, err)
		}
	}
	if made == 0 {
		return fmt.Errorf("it holds tensors, and makes one of no dtype")
	}
	return nil
}

// counted is a tensor of the bytes 0, 1, 2, … n-1.
func counted(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}

// raw makes a tensor of such bytes.
func (v *visit) raw(b []byte, shape ...int) (string, error) {
	return v.value(map[string]any{"step": "tensor", "dtype": "uint8", "shape": shape, "raw": base64.StdEncoding.EncodeToString(b)})
}

func readings(v *visit) error {
	if err := v.tensors(); err != nil {
		return err
	}
	base, err := v.raw(counted(6), 2, 3)
	if err != nil {
		return err
	}
	turned, err := v.value(map[string]any{"step": "transpose", "axes": []int{0, 1}}, base)
	if err != nil {
		return err
	}
	if err := v.reads(turned, readingOf("uint8", []byte{0, 3, 1, 4, 2, 5}, 3, 2)); err != nil {
		return fmt.Errorf("0 to 5 in two rows, transposed: %w", err)
	}
	large, err := v.value(map[string]any{"step": "tensor", "dtype": "uint8", "shape": []int{spec.ReadLimit + 1}, "seed": 3})
	if err != nil {
		return err
	}
	want := readingOf("uint8", fill.Bytes("uint8", 3, spec.ReadLimit+1), spec.ReadLimit+1)
	want.Bytes = nil
	if err := v.reads(large, want); err != nil {
		return fmt.Errorf("a tensor of a byte more than comes along: %w", err)
	}
	return nil
}

func views(v *visit) error {
	if err := v.tensors(); err != nil {
		return err
	}
	base, err := v.raw(counted(6), 6)
	if err != nil {
		return err
	}
	part, err := v.value(map[string]any{"step": "narrow", "axes": []int{0, 2, 3}}, base)
	if err != nil {
		return err
	}
	if err := v.reads(part, readingOf("uint8", []byte{2, 3, 4}, 3)); err != nil {
		return fmt.Errorf("0 to 5, three from index 2 on: %w", err)
	}
	if _, err := v.must("edit", map[string]any{"on": base, "edit": map[string]any{"do": "refill", "seed": 9}}); err != nil {
		return err
	}
	if err := v.reads(part, readingOf("uint8", fill.Bytes("uint8", 9, 6)[2:5], 3)); err != nil {
		return fmt.Errorf("a view, after what it is of was refilled: %w", err)
	}
	return nil
}

func rawBytes(v *visit) error {
	if err := v.tensors(); err != nil {
		return err
	}
	nan := []byte{0x45, 0x23, 0xc1, 0x7f, 0, 0, 0, 0x80} // a NaN with a payload, and -0
	h, err := v.value(map[string]any{"step": "tensor", "dtype": "float32", "shape": []int{2}, "raw": base64.StdEncoding.EncodeToString(nan)})
	if err != nil {
		return err
	}
	if err := v.reads(h, readingOf("float32", nan, 2)); err != nil {
		return fmt.Errorf("a NaN with a payload and a negative zero: %w", err)
	}
	f, err := os.CreateTemp("", "statespec-check-*.raw")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(counted(256))
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	if h, err = v.value(map[string]any{"step": "tensor", "dtype": "uint8", "shape": []int{256}, "file": f.Name()}); err != nil {
		return err
	}
	if err := v.reads(h, readingOf("uint8", counted(256), 256)); err != nil {
		return fmt.Errorf("bytes from a file: %w", err)
	}
	return nil
}
