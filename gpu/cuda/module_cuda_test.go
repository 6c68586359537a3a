//go:build cuda

package cuda_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"runtime"
	"testing"

	"gorgonia.org/cu"

	"github.com/statespec/statespec/gpu/cuda"
	"github.com/statespec/statespec/gpu/kernels"
	"github.com/statespec/statespec/reference/fault"
)

func module(t testing.TB, d *cuda.Device) *cuda.Module {
	t.Helper()
	m, err := d.Load(kernels.PTX)
	ok(t, err)
	return m
}

// address is a kernel's argument.
func address(m *cuda.Memory) uint64 { return uint64(m.Address()) }

func TestAKernelRunsOnAStream(t *testing.T) {
	d := open(t)
	k := module(t, d)
	const n = 1000
	halves, want := make([]byte, 2*n), make([]byte, 4*n)
	for i := range n {
		bits := math.Float32bits(float32(i)) &^ 0xffff
		binary.LittleEndian.PutUint16(halves[2*i:], uint16(bits>>16))
		binary.LittleEndian.PutUint32(want[4*i:], bits)
	}
	x := holding(t, d, halves)
	for _, s := range []*cuda.Stream{nil, stream(t, d)} {
		y := memory(t, d, 4*n)
		ok(t, y.Clear(0, 4*n))
		ok(t, k.Launch(s, kernels.BFloat16ToFloat32Kernel, n, address(y), address(x), n))
		if s != nil {
			ok(t, s.Synchronize())
		}
		if !bytes.Equal(read(t, y), want) {
			t.Errorf("the widened values are others, on stream %p", s)
		}
		runtime.KeepAlive(x)
	}
}

func TestLaunchesThatCannotBeAreRefused(t *testing.T) {
	d, other := open(t), open(t)
	k, far := module(t, d), stream(t, other)
	closed := stream(t, d)
	ok(t, closed.Close())
	before, _ := cuda.SimReport()
	const kernel = kernels.BFloat16ToFloat32Kernel
	refuses(t, "no such kernel", k.Launch(nil, "nothing", 1), fault.ErrNotFound, "cuda:0: launch nothing with 1 threads: the module has no such kernel")
	refuses(t, "few arguments", k.Launch(nil, kernel, 1, 0, 0), fault.ErrInvalidArgument, "with 2 arguments: it takes 3")
	refuses(t, "many arguments", k.Launch(nil, kernel, 1, 0, 0, 0, 0), fault.ErrInvalidArgument, "with 4 arguments: it takes 3")
	refuses(t, "negative threads", k.Launch(nil, kernel, -1, 0, 0, 0), fault.ErrInvalidArgument, "threads are possible")
	refuses(t, "another context", k.Launch(far, kernel, 1, 0, 0, 0), fault.ErrInvalidArgument, "another context")
	refuses(t, "a closed stream", k.Launch(closed, kernel, 1, 0, 0, 0), cuda.ErrReleased, "stream")
	ok(t, k.Launch(nil, kernel, 0, 0, 0, 0)) // no threads, no work
	ok(t, k.Unload())
	refuses(t, "unloaded", k.Launch(nil, kernel, 1, 0, 0, 0), cuda.ErrReleased, "module")
	refuses(t, "Unload", k.Unload(), cuda.ErrReleased)
	if after, simulated := cuda.SimReport(); simulated && after.Launches != before.Launches {
		t.Errorf("%d launches reached simulated CUDA", after.Launches-before.Launches)
	}
}

func TestTextThatIsNoPTXIsRefused(t *testing.T) {
	d := open(t)
	for _, text := range []string{"", "no PTX", "\x00"} {
		_, err := d.Load(text)
		refuses(t, "Load", err, fault.ErrInvalidArgument, "cuda:0: load a module: ")
	}
	_, err := d.Load(".entry f(.param .u64 n) { nonsense; }")
	if err == nil {
		t.Error("Load of an entry without a version = nil, want an error")
	}
}

// The failure of a kernel is not the launch's, and ends the context for good.
func TestAFailedLaunchLosesTheContext(t *testing.T) {
	child(t, "", func() {
		d := openOnly(t)
		k := module(t, d)
		s := stream(t, d)
		m, p := memory(t, d, 64), pinnedWith(t, d, "12345678")
		e, err := d.NewEvent()
		ok(t, err)
		sim(t, "launch_fail_at=1")
		ok(t, k.Launch(s, kernels.BFloat16ToFloat32Kernel, 1, address(m), address(m), 0))
		err = s.Synchronize()
		refuses(t, "Synchronize", err, cuda.ErrContextLost, "cuda:0: synchronize a stream: CUDA context lost: LaunchFailed", "new process")
		refuses(t, "Synchronize", err, cu.LaunchFailed)

		_, _, info := d.Info()
		_, allocate := d.Allocate(8)
		_, pin := d.AllocatePinned(8)
		_, load := d.Load(kernels.PTX)
		_, newStream := d.NewStream()
		_, newEvent := d.NewEvent()
		for what, err := range map[string]error{
			"Info": info, "Allocate": allocate, "AllocatePinned": pin, "Load": load, "NewStream": newStream, "NewEvent": newEvent,
			"ReadAt": m.ReadAt(make([]byte, 8), 0), "WriteAt": m.WriteAt(make([]byte, 8), 0), "Clear": m.Clear(0, 8),
			"CopyFrom": m.CopyFrom(0, m, 8, 8), "WriteOn": m.WriteOn(s, 0, p, 0, 8), "ReadOn": m.ReadOn(s, p, 0, 0, 8),
			"Launch": k.Launch(s, kernels.BFloat16ToFloat32Kernel, 1, 0, 0, 0), "Synchronize": d.Synchronize(),
			"Record": e.Record(s), "Wait": s.Wait(e), "event": e.Synchronize(), "Release": m.Release(), "Reclaim": d.Reclaim(),
		} {
			refuses(t, what, err, cuda.ErrContextLost, "seen at: synchronize a stream")
			refuses(t, what, err, cu.LaunchFailed)
		}
		_, again := cuda.Open(0)
		refuses(t, "Open", again, cuda.ErrContextLost, "new process")
		refuses(t, "Close", d.Close(), cuda.ErrContextLost)
		refuses(t, "Close", d.Close(), cuda.ErrClosed)
		if n, count := d.Allocated(); p.Bytes() != nil || n != 0 || count != 0 { // the context took it along
			t.Errorf("after a loss and Close there are %d pinned bytes, and %d bytes in %d allocations", len(p.Bytes()), n, count)
		}
	})
}

// Some errors that end a context are newer than cu, which knows no names of them.
func TestAnErrorWithoutANameLosesTheContextToo(t *testing.T) {
	child(t, "", func() {
		d := openOnly(t)
		k := module(t, d)
		sim(t, "launch_fail_code=911")
		sim(t, "launch_fail_at=1")
		ok(t, k.Launch(nil, kernels.BFloat16ToFloat32Kernel, 1, 0, 0, 0))
		refuses(t, "Synchronize", d.Synchronize(), cuda.ErrContextLost, "CUDA context lost: ExternalDevice (UnknownErrorCode:911)")
		_, again := d.Allocate(8)
		refuses(t, "Allocate", again, cuda.ErrContextLost)
		refuses(t, "Close", d.Close(), cuda.ErrContextLost)
	})
}

func TestAKernelThatReadsPastTheEndLosesTheContext(t *testing.T) {
	child(t, "", func() {
		d := openOnly(t)
		k := module(t, d)
		x, y := holding(t, d, counting(64)), memory(t, d, 8)
		ok(t, k.Launch(nil, kernels.ReadPastEndKernel, 1, address(y), address(x), 16))
		// The first to wait hears of it, whatever it wanted itself.
		refuses(t, "ReadAt", x.ReadAt(make([]byte, 1), 0), cuda.ErrContextLost, "cuda:0: read 1 bytes at 0: CUDA context lost: IllegalAddress")
		refuses(t, "Close", d.Close(), cu.IllegalAddress)
	})
}

// A loss that nobody saw yet is seen when memory is given back or the device closed.
func TestALossIsSeenAtTheLatestByClose(t *testing.T) {
	child(t, "", func() {
		d := openOnly(t)
		k := module(t, d)
		sim(t, "launch_fail_at=1")
		ok(t, k.Launch(nil, kernels.BFloat16ToFloat32Kernel, 1, 0, 0, 0))
		refuses(t, "Close", d.Close(), cuda.ErrContextLost, "cuda:0: close: CUDA context lost: LaunchFailed")
	})
}

func TestTwoDevices(t *testing.T) {
	child(t, "devices=2,cap=1M", func() {
		if n := cuda.Count(); n != 2 {
			t.Fatalf("Count = %d, want 2", n)
		}
		d := openOnly(t)
		o, err := cuda.Open(1)
		ok(t, err)
		if d.Device() != "cuda:0" || o.Device() != "cuda:1" {
			t.Errorf("devices %s and %s", d.Device(), o.Device())
		}
		a, b := holding(t, d, counting(600_000)), holding(t, o, make([]byte, 600_000)) // each has room for one
		refuses(t, "CopyFrom", b.CopyFrom(0, a, 0, 8), fault.ErrInvalidArgument, "cuda:1: ", "another context, on cuda:0")
		if !bytes.Equal(read(t, a), counting(600_000)) || !bytes.Equal(read(t, b), make([]byte, 600_000)) {
			t.Error("one device's memory is the other's")
		}
		_, err = o.Allocate(600_000)
		refuses(t, "Allocate", err, fault.ErrOutOfMemory, "cuda:1: out of memory")
		per := report(t).Devices
		if len(per) != 2 || per[0].LiveBytes != 600_000 || per[1].LiveBytes != 600_000 {
			t.Errorf("devices report %+v", per)
		}
		_, err = cuda.Open(2)
		refuses(t, "Open", err, fault.ErrInvalidArgument, "open CUDA device 2: there are 2")
		ok(t, a.Release(), b.Release(), d.Close(), o.Close())
	})
}
