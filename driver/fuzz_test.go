package driver_test

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec/op"
)

// FuzzServe holds for every input: the reference does not panic, and each line
// is answered with a line, in time.
func FuzzServe(f *testing.F) {
	const made = `{"id":1,"method":"new_manager","params":{"as":"m1","manager_spec":{"cap":2}}}` + "\n"
	for _, lines := range []string{
		"", "\n\n", "{}", "null", "[]", `{"id":1}`, `{"id":1,"method":"hello"}`, `{"id":9223372036854775808}`, `{"id":1,"method":"hello","params":null}`,
		made + `{"id":2,"method":"session","params":{"on":"m1","as":"s1","session":"a"}}` + "\n" + `{"id":3,"method":"release","params":{"on":"m1"}}`,
		made + made, `{"id":1,"method":"make","params":{"as":"v1","recipe":{"step":"tensor","dtype":"uint8","shape":[2,3]}}}`,
		`{"id":1,"method":"race","params":{"threads":[[{"method":"hello"}],[{"method":"race"}]]}}`, `{"id":1,"method":"resolve","params":{"config":{"file":"a: ["}}}`,
		`{"id":1,"method":"make","params":{"as":"v1","recipe":{"step":"narrow"},"from":["v1"]}}`, "\xff\xfe", `{"id":1,"method":"\u0000"}` + "\r\n" + `{"id":2,}`,
	} {
		f.Add([]byte(lines))
	}
	f.Fuzz(func(t *testing.T, lines []byte) { served(t, lines) })
}

// FuzzCalls holds for every list of calls of the port's operations, with
// operands that fit or do not: the reference does not panic, and answers each in
// time.
func FuzzCalls(f *testing.F) {
	f.Add([]byte{})
	for i := range byte(len(cheap)) {
		f.Add(slices.Repeat([]byte{i, 3 * i, 0, 1, 5 * i, 2, 7, i}, 24))
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		d := dice{bytes: choices}
		var lines bytes.Buffer
		for id := int64(1); len(d.bytes) > 0 && id <= 60; id++ {
			line, err := json.Marshal(op.Request{ID: id, Call: d.call()})
			if err != nil {
				t.Fatal(err)
			}
			lines.Write(append(line, '\n'))
		}
		served(t, lines.Bytes())
	})
}

// served answers lines with the reference, and checks that there is an answer to
// each.
func served(t *testing.T, lines []byte) {
	t.Helper()
	var out bytes.Buffer
	done := make(chan error, 1)
	go func() { done <- driver.Serve(subject.New, bytes.NewReader(lines), &out) }()
	select {
	case err := <-done:
		if err != nil {
			t.Fatalf("Serve = %v, want all requests answered:\n%s", err, lines)
		}
	case <-time.After(30 * time.Second):
		t.Fatalf("Serve did not answer in 30 s:\n%s", lines)
	}
	asked := bytes.Split(lines, []byte("\n"))
	if len(asked[len(asked)-1]) == 0 { // as a scanner splits
		asked = asked[:len(asked)-1]
	}
	answers := json.NewDecoder(&out)
	for i := range asked {
		var a op.Response
		if err := answers.Decode(&a); err != nil || (a.Result == nil) == (a.Error == nil) {
			t.Fatalf("answer %d = %+v, %v, want a result or an error, to %q", i, a, err, asked[i])
		}
	}
	if answers.More() {
		t.Fatalf("more answers than the %d requests of %q", len(asked), lines)
	}
}

// dice choose calls by the bytes of an input, and by zeros when they are used up.
type dice struct {
	bytes []byte
	made  map[op.Receiver][]op.Handle
}

func (d *dice) roll(n int) int {
	if len(d.bytes) == 0 {
		return 0
	}
	b := d.bytes[0]
	d.bytes = d.bytes[1:]
	return int(b) % n
}

// cheap are the operations of the port without the one that collects garbage: it
// takes nothing of a request, and longer than all the others.
var cheap = slices.DeleteFunc(slices.Clone(op.Table()), func(r op.Row) bool { return r.Method == "memory" })

// call is an operation on things that were made before, as a rule of the kind
// that it is for.
func (d *dice) call() op.Call {
	row := cheap[d.roll(len(cheap))]
	c := op.Call{Method: row.Method}
	p := reflect.ValueOf(&c.Params).Elem()
	for _, q := range row.Params {
		if q.Required || d.roll(2) == 0 {
			d.fill(field(p, q.Name), 4)
		}
	}
	if row.On != op.OnSubject {
		c.Params.On = d.handle(row.On)
	}
	if row.Makes != "" {
		c.Params.As = d.handle(op.OnSubject)
		if d.roll(8) > 0 {
			c.Params.As = string(row.Makes) + string(rune('a'+len(d.made[row.Makes])%26))
		}
		if d.made == nil {
			d.made = map[op.Receiver][]op.Handle{}
		}
		d.made[row.Makes] = append(d.made[row.Makes], c.Params.As)
	}
	return c
}

// handle is one that was made: of a kind, or of any.
func (d *dice) handle(kind op.Receiver) op.Handle {
	all := d.made[kind]
	if len(all) == 0 || d.roll(8) == 0 {
		for _, r := range []op.Receiver{op.OnManager, op.OnSession, op.OnObject, op.OnValue, op.OnModel, op.OnState} {
			all = append(all, d.made[r]...)
		}
	}
	if len(all) == 0 {
		return "nobody"
	}
	return all[d.roll(len(all))]
}

// field finds a field by its name in JSON.
func field(of reflect.Value, name string) reflect.Value {
	for f, v := range of.Fields() {
		if n, _, _ := strings.Cut(f.Tag.Get("json"), ","); n == name {
			return v
		}
	}
	panic("no parameter " + name)
}

// texts and numbers are what the port's fields are about, and what they are not.
var texts = []string{
	"tensor", "narrow", "transpose", "expand", "retype", "reshape", "alias", "borrow", "item", "nest", "none", "bool", "int", "float", "text",
	"list", "tuple", "map", "set", "record", "instance", "stored", "opaque", "source", "refill", "append", "replace", "clear",
	"export", "buffer", "part-of-array", "mapped-file", "uint8", "float32", "bfloat16", "cpu", "cuda:0", "latent-buffer", "encode-once", "spy",
	"payloads", "frames", "dreamzero", "bespoke", "managed", "pointwise", "a", "b", "x", "", "é\x00", "3ff0000000000000",
	"enable_session_state_manager: true\n", "enable_session_state_manager", "accumulate_frames", "append_video_latents", "concatenated_video_latents",
	"clear_video_latents", "seed_encoder", "append_encoder_chunk", "observe_latents", "encoder_frames", "get", "reset_reason", "window_reset",
	"session_reset", "bytes", "name", "value", "chunk", "latents", "num_video_frames", "local_attn_size", "text_tokens", "vae_enc_feat_map", "clip_feas",
	"call_count", "current_start_frame", "vae_encoder_out", "stitched_buffer",
}

// Between the small ones and the large ones lies what a machine can set about
// doing, and would take long to.
var numbers = []int64{0, 1, 2, 3, 4, 5, 7, 8, -1, -2, 64, math.MaxInt64, math.MinInt64, math.MaxInt64 / 2}

// fill sets a field of the messages, whatever its type.
func (d *dice) fill(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.String:
		if v.Type() == reflect.TypeFor[op.Handle]() && d.roll(3) == 0 {
			v.SetString(d.handle(op.OnValue))
			return
		}
		v.SetString(texts[d.roll(len(texts))])
	case reflect.Int, reflect.Int64:
		v.SetInt(numbers[d.roll(len(numbers))])
	case reflect.Uint64:
		v.SetUint(uint64(d.roll(256)))
	case reflect.Bool:
		v.SetBool(d.roll(2) == 0)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.fill(v.Elem(), depth)
	case reflect.Slice:
		if depth > 0 {
			v.Set(reflect.MakeSlice(v.Type(), d.roll(5), 5))
		}
		for i := range v.Len() {
			d.fill(v.Index(i), depth-1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range d.roll(4) {
			value := reflect.New(v.Type().Elem()).Elem()
			d.fill(value, depth-1)
			v.SetMapIndex(reflect.ValueOf(texts[d.roll(len(texts))]), value)
		}
	case reflect.Interface:
		d.fillAny(v)
	case reflect.Uint8:
		v.SetUint(uint64(d.roll(256)))
	case reflect.Struct:
		d.fillStruct(v, depth)
	}
}

func (d *dice) fillAny(v reflect.Value) {
	if v.Type() == reflect.TypeFor[any]() {
		v.Set(reflect.ValueOf([]any{true, float64(numbers[d.roll(len(numbers))]), texts[d.roll(len(texts))]}[d.roll(3)]))
	}
}

func (d *dice) fillStruct(v reflect.Value, depth int) {
	if c, is := v.Addr().Interface().(*op.Call); is {
		if depth > 0 {
			*c = d.call()
		}
		return
	}
	for f, v := range v.Fields() {
		if f.Tag.Get("json") != "-" && d.roll(3) > 0 {
			d.fill(v, depth-1)
		}
	}
}
