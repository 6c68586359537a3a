package main

import (
	"fmt"
	"io"
	"slices"
)

// own are the entry points that the shim answers itself.
var own = []string{"cuInit", "cuDeviceGetCount", "cuDriverGetVersion"}

// jumps writes the names of the entry points and one jump for each, through a table.
// The shim says what the table is and what JUMP expands to.
func jumps(w io.Writer, args []string) error {
	names, err := declared(args[0])
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(own, name) })
	fmt.Fprintf(w, "// From cuda.h, by cudagen jumps.\nenum { entries = %d };\n", len(names))
	fmt.Fprintf(w, "static const char *const names[entries] = {\n")
	for _, name := range names {
		fmt.Fprintf(w, "    %q,\n", name)
	}
	fmt.Fprintln(w, "};\n#define JUMPS \\")
	for i, name := range names {
		fmt.Fprintf(w, "  JUMP(%s, %d) \\\n", name, i)
	}
	_, err = fmt.Fprintln(w)
	return err
}
