package paired

import (
	"runtime"
)

// Counted is what one operation allocates.
type Counted struct {
	Allocs float64 // whole: a part of one is of the runtime or of a map that grew
	Bytes  float64
}

// count counts what an operation allocates, on one processor and with nothing else
// at work. The least of some tries is taken: whatever else allocates only adds.
func (v *alive) count() (*Counted, error) {
	if v.body.Uncounted || v.body.Timed != nil {
		return nil, nil
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const tries, operations = 5, 1000
	n := min(operations, v.times)
	var least *Counted
	for range tries {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := v.body.Run(n)
		runtime.ReadMemStats(&after)
		if err != nil {
			return nil, err
		}
		c := &Counted{
			Allocs: float64((after.Mallocs - before.Mallocs) / uint64(n)),
			Bytes:  float64((after.TotalAlloc - before.TotalAlloc) / uint64(n)),
		}
		if least == nil || c.Allocs < least.Allocs || c.Allocs == least.Allocs && c.Bytes < least.Bytes {
			least = c
		}
	}
	return least, nil
}
