package catalogue

import (
	"bytes"
	"os"
	"testing"
)

//go:generate go test -run TestTheDocumentIsTheTable -update .

func TestTheDocumentIsTheTable(t *testing.T) {
	var want bytes.Buffer
	if err := Markdown(&want); err != nil {
		t.Fatal(err)
	}
	const file = "CATALOGUE.md"
	if *update {
		if err := os.WriteFile(file, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s is not what the table makes (%v): run go generate ./spec/catalogue", file, err)
	}
}
