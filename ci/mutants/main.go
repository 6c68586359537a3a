package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
)

func main() {
	root := flag.String("root", ".", "the folder that the report's names of files are relative to")
	in := flag.String("in", "", "the folder of it that was mutated; empty for all of it")
	explained := flag.String("explained", "", "file of reasons why mutants survive")
	flag.Parse()
	if err := run(os.Stdin, os.Stdout, *root, *in, *explained); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(gremlins io.Reader, out io.Writer, root, in, explained string) error {
	var r results
	if err := json.NewDecoder(gremlins).Decode(&r); err != nil {
		return fmt.Errorf("what Gremlins wrote: %w", err)
	}
	if len(r.Files) == 0 {
		return errors.New("Gremlins names no mutant: was there something to mutate?")
	}
	for i, f := range r.Files { // named from the folder that was mutated
		r.Files[i].Name = path.Join(in, f.Name)
	}
	why, err := readReasons(explained)
	if err != nil {
		return err
	}
	code, err := readCode(root, r)
	if err != nil {
		return err
	}
	return write(out, r, code, why)
}
