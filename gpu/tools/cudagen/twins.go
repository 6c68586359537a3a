package main

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
)

var (
	kernelLine = regexp.MustCompile(`(?m)^KERNEL\b.*$`)
	kernel     = regexp.MustCompile(`^KERNEL (\w+)\(([^)]*)\) \{`)
	parameter  = regexp.MustCompile(`^u64 \w+$`)
)

// twins writes the table of the kernels in a file; of none where the file's name is
// empty. Each is called through a function of its own, with its own number of
// parameters.
func twins(w io.Writer, args []string) error {
	text := ""
	if args[0] != "" {
		b, err := os.ReadFile(args[0])
		if err != nil {
			return err
		}
		text = string(b)
	}
	fmt.Fprintln(w, "// From the kernels, by cudagen twins.")
	fmt.Fprintln(w, "typedef unsigned long long u64;")
	fmt.Fprintln(w, "struct twin { const char *name; int parameters; void (*run)(const u64 *); };")
	table := &strings.Builder{}
	for _, line := range kernelLine.FindAllString(text, -1) {
		m := kernel.FindStringSubmatch(line)
		if m == nil {
			return fmt.Errorf("%s: %s: want a kernel on one line: KERNEL name(u64 a, u64 b) {", args[0], line)
		}
		n := 0
		if strings.TrimSpace(m[2]) != "" {
			for p := range strings.SplitSeq(m[2], ",") {
				if !parameter.MatchString(strings.TrimSpace(p)) {
					return fmt.Errorf("%s: kernel %s: parameter %q: want a u64", args[0], m[1], strings.TrimSpace(p))
				}
				n++
			}
		}
		types, values := make([]string, n), make([]string, n)
		for i := range n {
			types[i], values[i] = "u64", fmt.Sprintf("a[%d]", i)
		}
		if n == 0 {
			types = []string{"void"}
		}
		fmt.Fprintf(w, "void %s(%s);\n", m[1], strings.Join(types, ", "))
		fmt.Fprintf(w, "static void run_%s(const u64 *a) { (void)a; %s(%s); }\n", m[1], m[1], strings.Join(values, ", "))
		fmt.Fprintf(table, "    {%q, %d, run_%s},\n", m[1], n, m[1])
	}
	_, err := fmt.Fprintf(w, "const struct twin cudasim_twins[] = {\n%s    {0}};\n", table)
	return err
}
