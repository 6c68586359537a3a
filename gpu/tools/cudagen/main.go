// Command cudagen writes the C that follows from the vendor's cuda.h and from the
// kernels: it is run by gpu.mk, and its output is kept out of the repository.
//
//	cudagen jumps HEADER             the shim's jump table: every declared entry point
//	cudagen errors HEADER            the names of the CUDA driver's errors
//	cudagen stubs HEADER OBJECT...   what simulated CUDA's objects do not define
//	cudagen twins KERNELS            the table of the kernels' host twins
//
// HEADER is cuda.h after the C preprocessor, so that the spelling (CUDAAPI) and the
// versions that macros add (cuMemAlloc becomes cuMemAlloc_v2) are resolved by the
// compiler's own rules. It is no reader of C in general.
package main

import (
	"fmt"
	"io"
	"os"
)

var commands = map[string]func(w io.Writer, args []string) error{
	"jumps":  jumps,
	"errors": errorNames,
	"stubs":  stubs,
	"twins":  twins,
}

func main() {
	if len(os.Args) < 3 || commands[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: cudagen jumps|errors|stubs|twins FILE...")
		os.Exit(2)
	}
	if err := commands[os.Args[1]](os.Stdout, os.Args[2:]); err != nil {
		fmt.Fprintf(os.Stderr, "cudagen %s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}
