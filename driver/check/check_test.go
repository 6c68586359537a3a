package check_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/driver/check"
	"github.com/statespec/statespec/driver/reap"
	"github.com/statespec/statespec/reference/subject"
)

// wrongVar makes this test binary a driver that breaks a rule.
const wrongVar = "STATESPEC_WRONG"

func TestMain(m *testing.M) {
	if name := os.Getenv(wrongVar); name != "" && os.Getenv(driver.IDVar) != "" {
		if w, ok := wrongs[name]; ok {
			w.serve()
		}
		driver.Main(subject.New)
	}
	os.Exit(m.Run())
}

type object = map[string]any

// A wrong is the reference over the wire, with its requests or answers changed.
type wrong struct {
	breaks string // the rule
	says   string // part of what is seen

	request  func(q object)                  // before it is answered
	answer   func(q, a object)               // after
	line     func(q object, a []byte) []byte // the answer's line
	standard bool                            // standard output is left as it is
	lasting  bool                            // it stays at the end of input
}

// in goes down into an object by its members.
func in(o object, path ...string) object {
	for _, name := range path {
		next, ok := o[name].(object)
		if !ok {
			return object{}
		}
		o = next
	}
	return o
}

// of makes a change for one method alone.
func of(method string, do func(q, a object)) func(q, a object) {
	return func(q, a object) {
		if q["method"] == method {
			do(q, a)
		}
	}
}

// result changes a part of a method's result.
func result(method, part string, do func(r object)) func(q, a object) {
	return of(method, func(_, a object) { do(in(a, "result", part)) })
}

// readingOf changes what a value of one kind or dtype reads as.
func readingOf(what string, do func(r object)) func(q, a object) {
	return result("read", "reading", func(r object) {
		if r["kind"] == what || r["dtype"] == what {
			do(r)
		}
	})
}

var held = object{} // what a wrong driver remembers

var wrongs = map[string]wrong{
	"answers start with nothing": {breaks: "answers start, one line, with its id and a result", says: "neither",
		answer: of("start", func(_, a object) { delete(a, "result") })},
	"answers with another id": {breaks: "answers start, one line, with its id and a result", says: "want 1",
		answer: func(_, a object) { a["id"] = 99 }},
	"prints before it answers": {breaks: "answers start, one line, with its id and a result", says: "Loading",
		line: func(_ object, a []byte) []byte { return append([]byte("Loading weights\n"), a...) }},
	"writes an answer over two lines": {breaks: "answers start, one line, with its id and a result", says: "unexpected end",
		line: func(_ object, a []byte) []byte { return bytes.Replace(a, []byte(`,`), []byte(",\n"), 1) }},
	"speaks another version": {breaks: "says hello", says: "protocol is 2",
		answer: result("hello", "hello", func(r object) { r["protocol"] = 2 })},
	"has a slip of the pen in its claims": {breaks: "says hello", says: "colect",
		answer: result("hello", "hello", func(r object) { r["can"] = []any{"colect"} })},
	"has no name": {breaks: "says hello", says: "name is empty", answer: result("hello", "hello", func(r object) { r["name"] = "" })},
	"counts its hellos": {breaks: "says the same hello again", says: "another",
		answer: result("hello", "hello", func(r object) {
			held["n"] = fmt.Sprint(held["n"], "i")
			r["version"] = held["n"]
		})},
	"talks on standard output": {breaks: "keeps standard output to itself", says: "standard", standard: true},
	"raises at an unknown method": {breaks: "answers unsupported to what it does not know", says: `"error"`,
		answer: of("no_such_method", func(_, a object) { a["error"] = object{"kind": "error", "message": "KeyError"} })},
	"answers an unknown method": {breaks: "answers unsupported to what it does not know", says: "with a result",
		answer: of("no_such_method", func(_, a object) { delete(a, "error"); a["result"] = object{} })},
	"refuses members that it does not know": {breaks: "passes over members that it does not know", says: "later",
		answer: func(q, a object) {
			if q["later"] != nil {
				delete(a, "result")
				a["error"] = object{"kind": "internal", "message": "unexpected keyword argument 'later'"}
			}
		}},
	"needs params": {breaks: "does without params", says: "output ended", request: func(q object) {
		if q["method"] == "start" && q["params"] == nil {
			os.Exit(1)
		}
	}},
	"sets no variables": {breaks: "sets the feature's variables at start", says: "enabled false",
		request: func(q object) { delete(in(q, "params"), "env") }},
	"unsets no variables": {breaks: "sets the feature's variables at start", says: "enabled true", request: func(q object) {
		if q["method"] == "start" {
			if env, ok := in(q, "params")["env"]; ok {
				held["env"] = env
			}
			q["params"] = object{"env": held["env"]}
		}
	}},
	"says that everything is retained": {breaks: "has a table of sessions", says: `"is": true`,
		answer: of("contains", func(_, a object) { in(a, "result")["is"] = true })},
	"has no total": {breaks: "has a table of sessions", says: "total_nbytes",
		answer: result("stats", "stats", func(r object) { delete(in(r, "counts"), "total_nbytes") })},
	"wants a session id": {breaks: "names sessions as asked", says: "KeyError", answer: of("session", func(q, a object) {
		if in(q, "params")["session"] == nil {
			delete(a, "result")
			a["error"] = object{"kind": "error", "message": "KeyError: 'session'"}
		}
	})},
	"never lets go": {breaks: "lets go at release", says: "result", answer: of("release", func(_, a object) {
		delete(a, "error")
		a["result"] = object{}
	})},
	"holds on at start": {breaks: "lets go at start", says: "result", request: func(q object) {
		if q["method"] == "start" && held["started"] != nil && len(in(q, "params", "env")) == 0 {
			q["method"], q["params"] = "resolve", object{"config": object{}}
		}
		held["started"] = true
	}},
	"has an error of its own for a handle that it does not hold": {breaks: "refuses a handle that it does not hold", says: "not_found",
		answer: of("release", func(q, a object) {
			if in(q, "params")["on"] == "no such handle" {
				in(a, "error")["kind"] = "not_found"
			}
		})},
	"has a kind of its own": {breaks: "has errors of the kinds of the document", says: "ValueError", answer: func(_, a object) {
		if e := in(a, "error"); e["kind"] == "invalid_argument" {
			e["kind"] = "ValueError"
		}
	}},
	"reads a flag as true":     {breaks: "carries scalars", says: "bool", answer: readingOf("bool", func(r object) { delete(r, "int"); r["text"] = "True" })},
	"reads a float as decimal": {breaks: "carries scalars", says: "1.5", answer: readingOf("float", func(r object) { r["text"] = "1.5" })},
	"rounds integers to float64": {breaks: "carries whole numbers beyond 53 bits as text", says: "9007199254740993", answer: readingOf("int", func(r object) {
		if r["text"] != nil {
			r["text"] = "9007199254740992"
		}
	})},
	"writes text in Latin-1": {breaks: "carries text beyond ASCII", says: "UTF-8",
		line: func(_ object, a []byte) []byte { return bytes.ReplaceAll(a, []byte("ï"), []byte{0xef}) }},
	"has a generator of its own": {breaks: "fills tensors by the generator", says: "int16", answer: readingOf("int16", func(r object) { r["sha256"] = "00" })},
	"makes tensors of no dtype": {breaks: "fills tensors by the generator", says: "no dtype", answer: of("make", func(q, a object) {
		if in(q, "params", "recipe")["step"] == "tensor" {
			delete(a, "result")
			a["error"] = object{"kind": "unsupported", "message": "dtype"}
		}
	})},
	"sends large tensors along": {breaks: "reads tensors by their digest", says: "a byte more", answer: readingOf("uint8", func(r object) {
		if r["bytes"] == nil {
			r["bytes"] = "AAAA"
		}
	})},
	"copies views": {breaks: "shares what a view is of", says: "refilled", answer: readingOf("uint8", func(r object) {
		if shape, _ := r["shape"].([]any); len(shape) == 1 && shape[0] == 3.0 {
			if held["view"] == nil {
				held["view"] = object{"sha256": r["sha256"], "bytes": r["bytes"]}
			}
			r["sha256"], r["bytes"] = in(held, "view")["sha256"], in(held, "view")["bytes"]
		}
	})},
	"passes over the file": {breaks: "takes raw bytes", says: "file", request: func(q object) { delete(in(q, "params", "recipe"), "file") }},
	"loses a list's second item": {breaks: "keeps what a container is made of", says: "twice", answer: readingOf("list", func(r object) {
		if items, _ := r["items"].([]any); len(items) > 1 {
			r["items"] = items[:1]
		}
	})},
	"never writes attributes": {breaks: "has attributes", says: "none", request: func(q object) {
		if q["method"] == "set_attr" {
			delete(in(q, "params"), "values")
		}
	}},
	"commits nothing": {breaks: "has the objects that it declares", says: "view", request: func(q object) {
		if q["method"] == "commit" {
			q["method"], q["params"] = "state", object{"on": in(q, "params")["on"]}
		}
	}},
	"has no path": {breaks: "has the models that it claims", says: "path", answer: of("path", func(_, a object) { in(a, "result")["text"] = "" })},
	"claims the adapter and has no model": {breaks: "has the models that it claims", says: "neither dreamzero nor cosmos3",
		answer: result("hello", "hello", func(r object) {
			r["can"] = slices.DeleteFunc(r["can"].([]any), func(c any) bool { return c == "dreamzero" || c == "cosmos3" })
		})},
	"cannot drop": {breaks: "has what it claims", says: "claims drop", answer: of("drop", func(_, a object) {
		delete(a, "result")
		a["error"] = object{"kind": "unsupported", "message": "drop"}
	})},
	"stops a batch at an error": {breaks: "answers every call of a batch", says: "2 answers", answer: of("batch", func(_, a object) {
		r := in(a, "result")
		r["answers"] = r["answers"].([]any)[:2]
	})},
	"says no times": {breaks: "times its calls", says: "times", answer: result("bench", "timing", func(r object) { r["times"] = 1 })},
	"loses a thread": {breaks: "answers every call of a race", says: "1 threads", answer: of("race", func(_, a object) {
		r := in(a, "result")
		r["events"] = r["events"].([]any)[:1]
	})},
	"keeps everything alive": {breaks: "says which storages live", says: "released", answer: result("memory", "memory", func(r object) {
		r["alive"] = []any{"held", "released"}
	})},
	"stays": {breaks: "leaves at the end of input", says: "killed", lasting: true},
}

// serve answers as the reference, but for what is wrong.
func (w wrong) serve() {
	in, out := os.Stdin, os.Stdout
	if !w.standard { // as driver.Main would, without becoming it
		var err error
		if in, out, err = driver.ClaimStandard(); err != nil {
			panic(err)
		}
	}
	requests, toServe := io.Pipe()
	served, answers := io.Pipe()
	go driver.Serve(subject.New, requests, answers)
	lines, back := bufio.NewScanner(in), bufio.NewReader(served)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var q, a object
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			panic(err)
		}
		if w.request != nil {
			w.request(q)
		}
		line, _ := json.Marshal(q)
		toServe.Write(append(line, '\n'))
		text, _ := back.ReadBytes('\n')
		if w.answer != nil {
			d := json.NewDecoder(bytes.NewReader(text))
			if err := d.Decode(&a); err != nil {
				panic(err)
			}
			w.answer(q, a)
			text, _ = json.Marshal(a)
			text = append(text, '\n')
		}
		if w.line != nil {
			text = w.line(q, text)
		}
		out.Write(text)
	}
	for w.lasting {
		time.Sleep(time.Hour)
	}
	os.Exit(0)
}

// findings of the driver that this test binary is under a name.
func findings(t *testing.T, name string) (found []check.Finding) {
	t.Helper()
	t.Setenv(wrongVar, name)
	if err := reap.Adopt(); err != nil {
		t.Fatal(err)
	}
	found, err := check.Run(t.Context(), driver.Command{Args: []string{os.Args[0]}, Start: 5 * time.Second, Request: 5 * time.Second}, func(check.Finding) {})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestNothingIsWrongWithTheReference(t *testing.T) {
	for _, f := range findings(t, "nothing") {
		if f.Word != check.Right {
			t.Errorf("%s: %s, %s", f.Rule, f.Word, f.What)
		}
	}
}

func TestEachRuleIsBrokenByADriver(t *testing.T) {
	broken := map[string]bool{}
	for name, w := range wrongs {
		t.Run(name, func(t *testing.T) {
			seen := false
			for _, f := range findings(t, name) {
				switch {
				case f.Rule != w.breaks:
				case f.Word != check.Wrong || !strings.Contains(f.What, w.says) || f.Mend == "":
					t.Errorf("%s: %s, seen %.600q, mend %q; want it wrong, with %q", f.Rule, f.Word, f.What, f.Mend, w.says)
				default:
					seen = true
				}
			}
			if !seen && !t.Failed() {
				t.Errorf("there is no rule %q", w.breaks)
			}
		})
		broken[w.breaks] = true
	}
	for _, f := range findings(t, "nothing") {
		if !broken[f.Rule] {
			t.Errorf("no driver breaks %q", f.Rule)
		}
	}
}
