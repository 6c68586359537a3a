package account

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/statespec/statespec/reference/tensor"
)

// An interval is memory that may overlap other memory: a host array, a
// wrapped or a foreign storage. The pointer of host memory keeps it alive, so
// that its address cannot pass to another allocation during the walk.
type interval struct {
	start uintptr
	n     uintptr
	keep  unsafe.Pointer
}

// A pool is one device's memory as met so far. Owned storages never overlap
// each other and are only added up; their addresses are looked at when there
// are intervals that might lie inside them.
type pool struct {
	device tensor.Device
	owned  int64
	met    []interval
}

// union sorts the intervals and merges those that touch.
func union(met []interval) []interval {
	slices.SortFunc(met, func(a, b interval) int { return cmp.Compare(a.start, b.start) })
	merged := met[:0]
	for _, m := range met {
		if last := len(merged) - 1; last >= 0 && m.start <= merged[last].start+merged[last].n {
			merged[last].n = max(merged[last].n, m.start+m.n-merged[last].start)
			continue
		}
		merged = append(merged, m)
	}
	return merged
}

// covered returns how many bytes of [start, start+n) lie in sorted, disjoint
// intervals.
func covered(merged []interval, start, n uintptr) (bytes uintptr) {
	end := start + n
	i, _ := slices.BinarySearchFunc(merged, start, func(m interval, at uintptr) int { return cmp.Compare(m.start+m.n, at) })
	for ; i < len(merged) && merged[i].start < end; i++ {
		from, to := max(start, merged[i].start), min(end, merged[i].start+merged[i].n)
		if to > from {
			bytes += to - from
		}
	}
	return bytes
}
