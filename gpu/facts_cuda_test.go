//go:build cuda

package gpu_test

import (
	"fmt"
	"strings"
	"testing"

	"gorgonia.org/cu"

	"github.com/statespec/statespec/gpu"
	"github.com/statespec/statespec/gpu/cuda"
)

// What a report has to say of the device it is about, as attributes of this test. The
// bundle's run.sh reads them out of `-test.v`.
func TestTheDeviceSaysWhatItIs(t *testing.T) {
	cuda.Require(t)
	d, err := gpu.Open(device)
	ok(t, err)
	t.Cleanup(func() { ok(t, d.Close()) })
	_, total, err := d.CUDA().Info()
	ok(t, err)
	id, err := cu.GetDevice(0)
	ok(t, err)
	major, err := id.Attribute(cu.ComputeCapabilityMajor)
	ok(t, err)
	minor, err := id.Attribute(cu.ComputeCapabilityMinor)
	ok(t, err)
	driver := "real"
	if cuda.Simulated() {
		driver = "simulated"
	}
	version := cu.Version()
	for _, fact := range []struct{ key, value string }{
		{"device", d.Kind()},
		{"memory", fmt.Sprint(total)},
		{"compute-capability", fmt.Sprintf("%d.%d", major, minor)},
		{"cuda-driver", fmt.Sprintf("%d.%d", version/1000, version%1000/10)},
		{"cuda-driver-library", cuda.Library()},
		{"driver", driver},
	} {
		if fact.value == "" {
			t.Errorf("%s has no %s", device, fact.key)
			continue
		}
		t.Attr(fact.key, strings.Join(strings.Fields(fact.value), " "))
	}
	if version < 11000 || total <= 0 {
		t.Errorf("CUDA driver version %d and %d bytes of memory, want 11000 or more and some", version, total)
	}
	if named := strings.Contains(strings.ToLower(d.Kind()), "simulated"); named != cuda.Simulated() {
		t.Errorf("the device is called %q, and simulated is %v", d.Kind(), cuda.Simulated())
	}
}
