package gpu_test

import (
	"bytes"
	"runtime"
	"sync"
	"testing"

	"github.com/statespec/statespec/fixtures/fill"
	"github.com/statespec/statespec/gpu"
	"github.com/statespec/statespec/gpu/cuda"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
)

// A planner parks what another session quantises: the kernels know addresses alone, and
// the memory at theirs is not given back before they are queued.
func TestWhatIsQuantisedMayBeParkedMeanwhile(t *testing.T) {
	cuda.Require(t)
	d, err := gpu.Open(device)
	ok(t, err)
	host, err := subject.Quantiser("pointwise", 1)
	ok(t, err)
	here, err := tensor.FromBytes(dtype.Float32, fill.Bytes("float32", 7, 4*2*5*3), 1, 4, 2, 5, 3)
	ok(t, err)
	due, err := host.Quantise(here)
	ok(t, err)
	want, err := due.ReadBytes(nil)
	ok(t, err)
	x, err := here.CopyOn(d)
	ok(t, err)
	q := gpu.NewQuantiser(d, host)

	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			for range 300 {
				y, err := q.Quantise(x)
				var got []byte
				if err == nil {
					got, err = y.ReadBytes(nil)
				}
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("while its input moves, a quantiser gives %d bytes that differ, %v", len(got), err)
					return
				}
			}
		})
		all.Go(func() {
			for range 300 {
				if _, err := x.Storage().Park(); err != nil {
					t.Error(err)
				}
				if _, err := x.Storage().Unpark(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	ok(t, d.CUDA().Synchronize())
	runtime.KeepAlive(x)
	ok(t, d.Close())
}
