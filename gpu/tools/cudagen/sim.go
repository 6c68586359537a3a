package main

import (
	"debug/elf"
	"fmt"
	"io"
)

// errorNames writes E(NAME) for each error, a line each.
func errorNames(w io.Writer, args []string) error {
	names, err := errorConstants(args[0])
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "// From cuda.h, by cudagen errors.")
	for _, name := range names {
		fmt.Fprintf(w, "E(%s)\n", name)
	}
	return nil
}

// stubs writes a function for each declared entry point that no object defines.
func stubs(w io.Writer, args []string) error {
	names, err := declared(args[0])
	if err != nil {
		return err
	}
	defined := map[string]bool{}
	for _, file := range args[1:] {
		if err := definitions(file, defined); err != nil {
			return err
		}
	}
	fmt.Fprintln(w, "// From cuda.h, by cudagen stubs.")
	fmt.Fprintln(w, "int cudasim_unsupported(const char *name, int *said);")
	fmt.Fprintln(w, "#define STUB(name) int name(void) { static int said; return cudasim_unsupported(#name, &said); }")
	stubbed := 0
	for _, name := range names {
		if !defined[name] {
			fmt.Fprintf(w, "STUB(%s)\n", name)
			stubbed++
		}
	}
	_, err = fmt.Fprintf(w, "// %d simulated, %d stubs\n", len(names)-stubbed, stubbed)
	return err
}

// definitions adds the functions that an object file defines.
func definitions(file string, to map[string]bool) error {
	object, err := elf.Open(file)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	defer object.Close()
	symbols, err := object.Symbols()
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for _, s := range symbols {
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC && elf.ST_BIND(s.Info) == elf.STB_GLOBAL && s.Section != elf.SHN_UNDEF {
			to[s.Name] = true
		}
	}
	return nil
}
