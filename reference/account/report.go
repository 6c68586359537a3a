package account

import "github.com/statespec/statespec/reference/tensor"

// A Report is what a walk counted.
type Report struct {
	ByDevice   map[tensor.Device]int64 // bytes; a device that holds nothing is absent
	Total      int64                   // bytes, the sum of ByDevice
	Unmeasured []string                // what was met and could not be counted, sorted
}

// Measure counts what the roots keep alive together: shared memory once.
func Measure(roots ...any) Report {
	w := NewWalker()
	for _, root := range roots {
		w.Walk("", root)
	}
	return w.Report()
}
