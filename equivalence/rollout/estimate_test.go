package rollout

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/dtype"
)

// The bounds are around what was measured at shipped size, 400 steps.
func TestTheEstimateOfShippedIsNearWhatWasMeasured(t *testing.T) {
	const gigabyte = 1e9
	for path, want := range map[string]struct{ least, most float64 }{
		dreamzero.ManagedPath: {1.4, 1.8},
		dreamzero.BespokePath: {1.4, 1.9},
	} {
		r := must[*Rollout](t)(New(resolved(path), Options{Profile: Shipped, Seed: 1, DType: dtype.BFloat16, Workers: 2}))
		e := r.Estimate(GCPercent)
		if got := float64(e.Memory) / gigabyte; got < want.least || got > want.most {
			t.Errorf("%s: estimate of %.2f GB, want %.1f to %.1f", path, got, want.least, want.most)
		}
		if usual := r.Estimate(100).Memory; usual < e.Memory*3/2 {
			t.Errorf("%s: estimate of %d bytes where the heap may double, want well above the %d", path, usual, e.Memory)
		}
		if off := r.Estimate(-1).Memory; path == dreamzero.BespokePath && off < 100*int64(Shipped.FeatureMapBytes(2)) {
			t.Errorf("%s: estimate of %d bytes without a collector, want a map a chunk", path, off)
		}
		if e.Time < time.Minute || e.Time > 10*time.Minute {
			t.Errorf("%s: estimate of %v, want some minutes", path, e.Time)
		}
		if got := float64(e.Disk); got < 4.4e8 || got > 6.5e8 {
			t.Errorf("%s: estimate of %.0f bytes of artefacts, want about 5.4e8", path, got)
		}
	}
}

func TestAnEstimateGrowsWithTheSteps(t *testing.T) {
	for _, path := range []string{dreamzero.ManagedPath, dreamzero.BespokePath} {
		for _, growth := range []int{-1, GCPercent, 100} {
			var last Estimate
			for steps := 10; steps <= MaxSteps; steps *= 10 {
				r := must[*Rollout](t)(New(resolved(path), Options{Profile: Shipped, Seed: 1, Steps: steps, DType: dtype.Float32, Workers: 1}))
				e := r.Estimate(growth)
				if e.Memory <= last.Memory || e.Disk <= last.Disk || e.Time <= last.Time {
					t.Errorf("%s, heap growth %d, %d steps: %v, want more than the %v of a tenth", path, growth, steps, e, last)
				}
				last = e
			}
		}
	}
}

func TestAnEstimateSaysWhenMemoryIsShort(t *testing.T) {
	e := Estimate{Memory: 3 << 30, Time: 90 * time.Second}
	if got := e.Short(3 << 30); got != "" {
		t.Errorf("Short(as much as is needed) = %q, want nothing", got)
	}
	if got := e.Short(1 << 30); got != "it needs about 3072 MiB of memory and 1024 MiB are available" {
		t.Errorf("Short(a third) = %q", got)
	}
	if got := e.String(); !strings.Contains(got, "3072 MiB") || !strings.Contains(got, "1m30s") {
		t.Errorf("String() = %q, want memory and time", got)
	}
}

func TestAvailableMemoryIsTheLeastOfWhatIsLeft(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	meminfo := file("MemTotal:       16000 kB\nMemAvailable:   8000 kB\n")
	for name, c := range map[string]struct {
		root  fstest.MapFS
		want  int64
		known bool
	}{
		"nothing says":              {fstest.MapFS{}, 0, false},
		"the system":                {fstest.MapFS{"proc/meminfo": meminfo}, 8000 << 10, true},
		"an older system":           {fstest.MapFS{"proc/meminfo": file("MemTotal: 16000 kB\nMemFree: 10 kB\n")}, 0, false},
		"nonsense":                  {fstest.MapFS{"proc/meminfo": file("MemAvailable: much kB\n")}, 0, false},
		"a group without a limit":   {fstest.MapFS{"proc/meminfo": meminfo, "proc/self/cgroup": file("0::/a\n"), "sys/fs/cgroup/a/memory.max": file("max\n"), "sys/fs/cgroup/a/memory.current": file("5\n")}, 8000 << 10, true},
		"a group with a limit":      {fstest.MapFS{"proc/meminfo": meminfo, "proc/self/cgroup": file("0::/a/b\n"), "sys/fs/cgroup/a/b/memory.max": file("9000\n"), "sys/fs/cgroup/a/b/memory.current": file("5000\n")}, 4000, true},
		"its parent is tighter":     {fstest.MapFS{"proc/self/cgroup": file("0::/a/b\n"), "sys/fs/cgroup/a/b/memory.max": file("9000\n"), "sys/fs/cgroup/a/b/memory.current": file("5000\n"), "sys/fs/cgroup/a/memory.max": file("7000\n"), "sys/fs/cgroup/a/memory.current": file("6999\n")}, 1, true},
		"a group past its limit":    {fstest.MapFS{"proc/self/cgroup": file("0::/\n"), "sys/fs/cgroup/memory.max": file("10\n"), "sys/fs/cgroup/memory.current": file("20\n")}, 0, true},
		"version 1":                 {fstest.MapFS{"proc/self/cgroup": file("3:cpu:/x\n5:memory:/x\n"), "sys/fs/cgroup/memory/x/memory.limit_in_bytes": file("100\n"), "sys/fs/cgroup/memory/x/memory.usage_in_bytes": file("40\n")}, 60, true},
		"version 1 without a limit": {fstest.MapFS{"proc/meminfo": meminfo, "proc/self/cgroup": file("5:memory:/\n"), "sys/fs/cgroup/memory/memory.limit_in_bytes": file("9223372036854771712\n"), "sys/fs/cgroup/memory/memory.usage_in_bytes": file("40\n")}, 8000 << 10, true},
	} {
		if got, known := Available(c.root); got != c.want || known != c.known {
			t.Errorf("Available(%s) = %d, %v, want %d, %v", name, got, known, c.want, c.known)
		}
	}
}
