package generate_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/statespec/statespec/spec/search/generate"
	"github.com/statespec/statespec/spec/search/history"
)

var update = flag.Bool("update", false, "write the golden file anew")

// What a seed means is relied on: a saved seed finds the same again. When this
// file changes, say so where releases are told of.
func TestASeedMeansTheSameOperations(t *testing.T) {
	const golden = "testdata/operations-seed1.txt"
	var b bytes.Buffer
	for _, stream := range []uint64{0, 1, 2, 1 << 40} {
		b.Write(generate.History(1, stream).Text())
		b.WriteByte('\n')
	}
	if *update {
		if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("the operations of seed 1 are others than those of %s; -update writes it anew", golden)
	}
}

func TestEveryGeneratedHistoryParsesToItself(t *testing.T) {
	for stream := range uint64(200) {
		h := generate.History(1, stream)
		got, err := history.ParseHistory(h.Text())
		if err != nil {
			t.Fatalf("stream %d: %v\n%s", stream, err, h.Text())
		}
		if !bytes.Equal(got.Text(), h.Text()) {
			t.Fatalf("stream %d: parsed and printed =\n%s\nwant\n%s", stream, got.Text(), h.Text())
		}
	}
}

func TestHistoriesUseEveryVerb(t *testing.T) {
	used := map[string]int{}
	for stream := range uint64(300) {
		h := generate.History(2, stream)
		if n := len(h.Operations); n < generate.Shortest || n > generate.Longest+20 {
			t.Errorf("stream %d has %d operations, want %d to %d and what belongs to the last", stream, n, generate.Shortest, generate.Longest)
		}
		for _, o := range h.Operations {
			used[o.Verb]++
		}
	}
	for _, f := range history.Forms() {
		if used[f.Verb] == 0 {
			t.Errorf("%s is used in none of 300 histories", f.Verb)
		}
	}
}
