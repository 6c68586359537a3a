//go:build cuda

package cuda_test

import (
	"errors"
	"fmt"
	"testing"

	"gorgonia.org/cu"

	"github.com/statespec/statespec/gpu/cuda"
	"github.com/statespec/statespec/gpu/kernels"
)

// calls are the entry points of the CUDA driver that the package uses.
var calls = []string{
	"cuDeviceGet", "cuDeviceGetName", "cuCtxCreate", "cuCtxDestroy", "cuCtxPushCurrent", "cuCtxPopCurrent", "cuCtxSynchronize",
	"cuMemGetInfo", "cuMemAlloc", "cuMemFree", "cuMemHostAlloc", "cuMemFreeHost",
	"cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuMemcpyDtoDAsync", "cuMemsetD8Async",
	"cuStreamCreate", "cuStreamDestroy", "cuStreamSynchronize", "cuStreamWaitEvent",
	"cuEventCreate", "cuEventDestroy", "cuEventRecord", "cuEventSynchronize",
	"cuModuleLoadData", "cuModuleUnload", "cuModuleGetFunction", "cuLaunchKernel",
}

// everything does each operation once, until one fails, and closes the device.
func everything() (err error) {
	d, err := cuda.Open(0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if _, _, err := d.Info(); err != nil {
		return err
	}
	a, err := d.Allocate(1000)
	if err != nil {
		return err
	}
	m := a.(*cuda.Memory)
	defer func() { err = errors.Join(err, m.Release()) }()
	p, err := d.AllocatePinned(100)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Free()) }()
	s, err := d.NewStream()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	e, err := d.NewEvent()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	k, err := d.Load(kernels.PTX)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, k.Unload()) }()
	b := make([]byte, 1000)
	for _, f := range []func() error{
		func() error { return m.WriteAt(b, 0) },
		func() error { return m.ReadAt(b, 0) },
		func() error { return m.Clear(0, 1000) },
		func() error { return m.CopyFrom(0, m, 500, 500) },
		func() error { return m.CopyFrom(0, m, 1, 999) },
		func() error { return m.WriteOn(s, 0, p, 0, 100) },
		func() error { return m.ReadOn(s, p, 0, 0, 100) },
		func() error { return m.CopyOn(s, 0, m, 100, 100) },
		func() error { return e.Record(s) },
		func() error { return s.Wait(e) },
		func() error {
			return k.Launch(s, kernels.BFloat16ToFloat32Kernel, 1, uint64(m.Address()), uint64(m.Address()), 0)
		},
		s.Synchronize, e.Synchronize, d.Synchronize,
	} {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// Whichever call of the CUDA driver fails, the operation says so, nothing crashes,
// and nothing stays but what that very call was to give back.
func TestAnyCallMayFail(t *testing.T) {
	simulated(t)
	sim(t, "reset")
	if err := everything(); err != nil {
		t.Fatal(err)
	}
	for _, name := range calls {
		n := 1
		for ; n < 1000 && failsAt(t, name, n); n++ {
		}
		if n == 1 {
			t.Errorf("%s is never called: take it off the list", name)
		}
	}
}

// failsAt has the nth call of a name fail; false when there were fewer.
func failsAt(t *testing.T, name string, n int) bool {
	t.Helper()
	defer sim(t, "reset")
	before := report(t)
	sim(t, fmt.Sprintf("fail=%s@%d:999", name, n))
	err := everything()
	after := report(t)
	if after.Injected == before.Injected {
		return false
	}
	what := fmt.Sprintf("with call %d of %s failing", n, name)
	if !errors.Is(err, cu.Unknown) {
		t.Errorf("%s: %v, want it to be %v", what, err, cu.Unknown)
	}
	if after.DoubleFree != before.DoubleFree || after.UseAfterFree != before.UseAfterFree || after.OutOfBounds != before.OutOfBounds {
		t.Errorf("%s: %s", what, after.LastFault)
	}
	lost := after.LeakedAllocs - before.LeakedAllocs + after.LeakedPinned - before.LeakedPinned + after.LeakedStreams - before.LeakedStreams +
		after.LeakedEvents - before.LeakedEvents + after.LeakedModules - before.LeakedModules
	if contexts := after.LiveContexts - before.LiveContexts; contexts != 0 && name != "cuCtxDestroy" {
		t.Errorf("%s: %d contexts stay", what, contexts)
	}
	if gives := name == "cuMemFree" || name == "cuMemFreeHost" || name == "cuStreamDestroy" || name == "cuEventDestroy" || name == "cuModuleUnload" ||
		name == "cuCtxPushCurrent"; lost != 0 && !gives {
		t.Errorf("%s: %d things stay until their context ends: %s", what, lost, after.LastFault)
	}
	return true
}
