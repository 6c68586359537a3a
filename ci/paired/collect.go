package paired

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// In a process as small as a benchmark's, the collector would run every few slices, on
// another processor if there is one, and into whichever slice comes next. So it runs
// between slices: what allocation costs is measured, what collection costs is not,
// and the bytes allocated say it. In a server the heap is large and the collector
// seldom runs.

// A collector is Go's, run between slices.
type collector struct {
	percent int    // as it was
	last    uint64 // how much had been allocated when it last ran
}

// garbage is how much may be allocated between two collections, in bytes.
const garbage = 4 << 20

// takeOver turns the collector off until it is given back.
func takeOver() *collector {
	c := &collector{percent: debug.SetGCPercent(-1)}
	runtime.GC()
	c.last = allocated()
	return c
}

func (c *collector) giveBack() { debug.SetGCPercent(c.percent) }

// collect collects where enough was allocated since it last did.
func (c *collector) collect() {
	if n := allocated(); n-c.last > garbage {
		runtime.GC()
		c.last = n
	}
}

// allocated is all that the process ever allocated, in bytes.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
