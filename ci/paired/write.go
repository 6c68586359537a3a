package paired

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Ratio is the unit of a benchmark's time divided by its control's. Package regress
// knows it.
const Ratio = "x/control"

// WriteHead writes lines of Go's benchmark format that say what follows: key, value,
// key, value. A key without a value is left out.
func WriteHead(w io.Writer, config ...string) error {
	for pair := range slices.Chunk(config, 2) {
		value := strings.Join(strings.Fields(pair[1]), " ") // on one line
		if value == "" {
			continue
		}
		if _, err := fmt.Fprintf(w, "%s: %s\n", pair[0], value); err != nil {
			return err
		}
	}
	return nil
}

// Write writes a measurement as a line of Go's benchmark format.
func Write(w io.Writer, l Line) error {
	return writeLine(w, l, fmt.Sprintf("\t%s ns/op", number(l.PerOp)), l.Units)
}

// WritePortable writes what of a measurement says something on another machine, too:
// ratios, and what is counted. Times and rates are left out.
func WritePortable(w io.Writer, l Line) error {
	units := maps.Clone(l.Units)
	maps.DeleteFunc(units, func(unit string, _ float64) bool {
		return strings.HasSuffix(unit, "ns/op") || strings.HasSuffix(unit, "/s")
	})
	if l.Ratio == 0 && l.Counted == nil && len(units) == 0 {
		return nil
	}
	return writeLine(w, l, "", units)
}

func writeLine(w io.Writer, l Line, times string, units map[string]float64) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Benchmark%s\t%10d%s", l.Name, l.Times, times)
	if l.Ratio != 0 {
		fmt.Fprintf(&b, "\t%s %s", number(l.Ratio), Ratio)
	}
	if l.Counted != nil {
		fmt.Fprintf(&b, "\t%.0f B/op\t%.0f allocs/op", l.Counted.Bytes, l.Counted.Allocs)
	}
	for _, unit := range slices.Sorted(maps.Keys(units)) {
		fmt.Fprintf(&b, "\t%s %s", number(units[unit]), unit)
	}
	_, err := fmt.Fprintln(w, b.String())
	return err
}

// number has four digits that say something, as Go's own benchmarks have, and of a
// thousand and more one after the point.
func number(x float64) string {
	if x == float64(int64(x)) {
		return fmt.Sprintf("%d", int64(x))
	}
	if x < 0.1 {
		return fmt.Sprintf("%.4g", x)
	}
	digits := 4
	for limit := 1.0; digits > 1 && x >= limit; limit *= 10 {
		digits--
	}
	return fmt.Sprintf("%.*f", digits, x)
}
