package protocol

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

//go:generate go test -run TestTheDocument -update .

var update = flag.Bool("update", false, "write the files that the tests compare")

const (
	document   = "../PROTOCOL.md"
	schemaFile = "../schema/messages.json"
	root       = "../.."
)

// same compares a file with what it should be, or writes it.
func same(t *testing.T, file string, want []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not what the table makes (%v): run go generate ./driver/protocol", file, err)
	}
}

var (
	table    = regexp.MustCompile(`(?s)(<!-- begin: (\w+) -->\n).*?(<!-- end -->)`)
	exchange = regexp.MustCompile("(?s)(```exchange\n)(.*?)(```)")

	// What is another in each run: times, and what an allocator holds.
	clock     = regexp.MustCompile(`("\w+_ns":)\d+`)
	allocated = regexp.MustCompile(`,"allocated":\{[^}]*\}`)
)

func TestTheDocumentIsTheTable(t *testing.T) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	text = table.ReplaceAllFunc(text, func(part []byte) []byte {
		m := table.FindSubmatch(part)
		made, err := Table(string(m[2]), root)
		if err != nil {
			t.Error(err)
		}
		return slices.Concat(m[1], []byte(made), m[3])
	})
	said := map[string]bool{}
	text = exchange.ReplaceAllFunc(text, func(part []byte) []byte {
		m := exchange.FindSubmatch(part)
		return slices.Concat(m[1], []byte(replayed(t, string(m[2]), said)), m[3])
	})
	same(t, document, text)
	for _, r := range messages() {
		if !said[r.Method] {
			t.Errorf("%s is in no exchange of the document", r.Method)
		}
	}
}

// replayed is an exchange with the answers that the reference gives.
func replayed(t *testing.T, text string, said map[string]bool) string {
	t.Helper()
	var requests []string
	for line := range strings.Lines(text) {
		if q, ok := strings.CutPrefix(line, "> "); ok {
			requests = append(requests, q)
		}
	}
	var out bytes.Buffer
	if err := driver.Serve(subject.New, strings.NewReader(strings.Join(requests, "")), &out); err != nil {
		t.Error(err)
	}
	answers := strings.SplitAfter(allocated.ReplaceAllString(clock.ReplaceAllString(out.String(), "${1}0"), ""), "\n")
	var b strings.Builder
	for i, q := range requests {
		var request op.Request
		if err := json.Unmarshal([]byte(q), &request); err != nil {
			t.Errorf("%s: %v", q, err)
		}
		said[request.Method] = true
		for _, calls := range slices.Concat(request.Params.Threads, [][]op.Call{request.Params.Calls}) {
			for _, c := range calls {
				said[c.Method] = true
			}
		}
		b.WriteString("> " + q + "< " + answers[i])
	}
	return b.String()
}

func TestTheDocumentHasTheSchemas(t *testing.T) {
	want, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	same(t, schemaFile, want)
}

func TestEveryWordIsExplained(t *testing.T) {
	for _, k := range spec.Kinds() {
		if kinds[k] == "" {
			t.Errorf("the kind %q is not explained", k)
		}
	}
	for _, c := range spec.Capabilities() {
		if capabilities[c] == "" {
			t.Errorf("the capability %q is not explained", c)
		}
	}
	if h, err := Table("hello", root); err != nil || strings.Contains(h, "|  |") {
		t.Errorf("a member of hello is not explained: %v\n%s", err, h)
	}
}
