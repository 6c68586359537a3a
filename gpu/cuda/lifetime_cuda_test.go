//go:build cuda

package cuda_test

import (
	"bytes"
	"errors"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gorgonia.org/cu"

	"github.com/statespec/statespec/gpu/cuda"
	"github.com/statespec/statespec/reference/fault"
)

func TestTheLastOwnerGivesBackAtOnce(t *testing.T) {
	d := open(t)
	m := memory(t, d, 1000)
	ok(t, m.Retain(), m.Release())
	if n, count := d.Allocated(); n != 1000 || count != 1 {
		t.Errorf("Allocated with an owner left = %d, %d, want 1000 bytes in 1", n, count)
	}
	ok(t, m.Release())
	if n, count := d.Allocated(); n != 0 || count != 0 {
		t.Errorf("Allocated without owners = %d, %d, want nothing", n, count)
	}
	o := memory(t, d, 8)
	for what, err := range map[string]error{
		"Release": m.Release(), "Retain": m.Retain(), "ReadAt": m.ReadAt(make([]byte, 8), 0), "WriteAt": m.WriteAt(make([]byte, 8), 0),
		"Clear": m.Clear(0, 8), "CopyFrom": m.CopyFrom(0, o, 0, 8), "CopyFrom it": o.CopyFrom(0, m, 0, 8), "CopyOn": m.CopyOn(nil, 0, o, 0, 8),
	} {
		refuses(t, what, err, cuda.ErrReleased, "cuda:0: ", "device memory", "released before")
	}
	ok(t, o.Release())
}

// patience bounds the wait for something that another goroutine does.
const patience = 10 * time.Second

// eventually waits for what comes to be true without any call of ours.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for began := time.Now(); !is(); runtime.Gosched() {
		if time.Since(began) > patience {
			t.Fatalf("%s: not after %v", what, patience)
		}
	}
}

func TestUnreachableMemoryIsGivenBack(t *testing.T) {
	d := open(t)
	before, simulated := cuda.SimReport()
	for range 10 {
		memory(t, d, 1000)
	}
	runtime.GC()
	eventually(t, "nothing allocated", func() bool { n, count := d.Allocated(); return n == 0 && count == 0 })
	if after, _ := cuda.SimReport(); simulated && after.Frees-before.Frees != 10 {
		t.Errorf("%d frees, want 10", after.Frees-before.Frees)
	}
}

func TestMemoryInReachIsKept(t *testing.T) {
	d := open(t)
	m := holding(t, d, counting(64))
	for range 3 {
		runtime.GC()
	}
	if n, count := d.Allocated(); n != 64 || count != 1 {
		t.Errorf("Allocated = %d, %d, want 64 bytes in 1", n, count)
	}
	if !bytes.Equal(read(t, m), counting(64)) {
		t.Error("the bytes are others")
	}
	ok(t, m.Release())
}

func TestReleasedThenUnreachableIsGivenBackOnce(t *testing.T) {
	simulated(t)
	d := open(t)
	before := report(t)
	for range 10 {
		ok(t, memory(t, d, 1000).Release())
	}
	// A handle that is lost later shows that the cleanups before had their turn.
	memory(t, d, 1000)
	runtime.GC()
	eventually(t, "nothing allocated", func() bool { n, _ := d.Allocated(); return n == 0 })
	if after := report(t); after.Frees-before.Frees != 11 || after.DoubleFree != before.DoubleFree {
		t.Errorf("%d frees and %d double frees, want 11 and none", after.Frees-before.Frees, after.DoubleFree-before.DoubleFree)
	}
}

func TestOutOfMemoryByCapacity(t *testing.T) {
	child(t, "cap=1M", func() { testOutOfMemory(t, open(t)) })
}

func testOutOfMemory(t *testing.T, d *cuda.Device) {
	held := memory(t, d, 600_000)
	_, err := d.Allocate(500_000)
	var full *cuda.OutOfMemoryError
	if !errors.As(err, &full) {
		t.Fatalf("Allocate = %v, want an *OutOfMemoryError", err)
	}
	if full.Device != "cuda:0" || full.Asked != 500_000 || full.Free != 1<<20-600_000 || full.Total != 1<<20 {
		t.Errorf("%+v, want 500000 of 448576 free of 1048576", full)
	}
	refuses(t, "Allocate", err, cu.OutOfMemory, "cuda:0: out of memory: asked for 500000 bytes, 448576 of 1048576 are free")
	refuses(t, "Allocate", err, fault.ErrOutOfMemory)
	if n, count := d.Allocated(); n != 600_000 || count != 1 {
		t.Errorf("Allocated = %d, %d: the failure counts", n, count)
	}
	ok(t, held.Release())
	ok(t, memory(t, d, 500_000).Release())
}

func TestAFullDeviceIsEmptiedOfWhatIsUnreachable(t *testing.T) {
	simulated(t)
	d := open(t)
	sim(t, "cap=1M")
	defer sim(t, "cap=1G")
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // nothing is collected unless it has to be
	before := report(t)
	for range 20 {
		memory(t, d, 600_000) // without the one before there is room
	}
	if after := report(t); after.Frees-before.Frees != 19 {
		t.Errorf("%d frees, want 19", after.Frees-before.Frees)
	}
}

// Cleanups run when they run. With all of them held up the device is emptied too.
func TestAFullDeviceIsEmptiedWithoutCleanups(t *testing.T) {
	simulated(t)
	d := open(t)
	sim(t, "cap=1M")
	defer sim(t, "cap=1G")
	begun, end := make(chan struct{}, 64), make(chan struct{})
	defer close(end)
	for range cap(begun) {
		runtime.AddCleanup(&struct{ p *int }{}, func(int) { begun <- struct{}{}; <-end }, 0)
	}
	runtime.GC()
	select {
	case <-begun:
	case <-time.After(patience):
		t.Fatalf("no cleanup ran in %v", patience)
	}
	for range 5 {
		memory(t, d, 600_000)
	}
}

func TestAnAllocationIsTriedTwice(t *testing.T) {
	simulated(t)
	d := open(t)
	sim(t, "oom_at=1")
	ok(t, memory(t, d, 8).Release())
	sim(t, "fail=cuMemAlloc@1:2,fail=cuMemAlloc@2:2") // a third time there is room
	_, err := d.Allocate(8)
	refuses(t, "Allocate", err, fault.ErrOutOfMemory)
	ok(t, memory(t, d, 8).Release())
}

func TestManyGoroutinesShareADevice(t *testing.T) {
	d := open(t)
	shared := holding(t, d, counting(4096))
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			mine := bytes.Repeat([]byte{byte(i)}, 4096)
			for range 20 {
				if err := shareOnce(d, shared, mine); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	ok(t, shared.Release())
	if n, count := d.Allocated(); n != 0 || count != 0 {
		t.Errorf("Allocated = %d, %d, want nothing", n, count)
	}
}

func shareOnce(d *cuda.Device, shared *cuda.Memory, mine []byte) (err error) {
	a, err := d.Allocate(len(mine))
	if err != nil {
		return err
	}
	m := a.(*cuda.Memory)
	got := make([]byte, len(mine))
	if err := errors.Join(shared.Retain(), m.WriteAt(mine, 0), m.ReadAt(got, 0)); err != nil {
		return err
	}
	if !bytes.Equal(got, mine) {
		return errors.New("read what another goroutine wrote")
	}
	s, err := d.NewStream()
	if err != nil {
		return err
	}
	err = errors.Join(m.CopyOn(s, 0, shared, 0, len(mine)), s.Synchronize(), m.ReadAt(got, 0), s.Close(), m.Release(), shared.Release())
	if err == nil && !bytes.Equal(got, counting(len(mine))) {
		return errors.New("the copy of shared memory is another")
	}
	return err
}

func TestReleaseWhileOthersReadIsSeenByThemAsAnError(t *testing.T) {
	d := open(t)
	for range 20 {
		m := holding(t, d, counting(512))
		var all sync.WaitGroup
		var begun atomic.Int32
		for range 20 {
			all.Go(func() {
				got := make([]byte, 512)
				for {
					err := m.ReadAt(got, 0)
					begun.Add(1)
					if errors.Is(err, cuda.ErrReleased) {
						return
					}
					if err != nil || !bytes.Equal(got, counting(512)) {
						t.Errorf("ReadAt = %v", err)
						return
					}
				}
			})
		}
		eventually(t, "readers read", func() bool { return begun.Load() > 20 })
		ok(t, m.Release())
		all.Wait()
	}
	if n, _ := d.Allocated(); n != 0 {
		t.Errorf("%d bytes stay allocated", n)
	}
}

func TestCloseWaitsForTheOperationsInFlight(t *testing.T) {
	d := openOnly(t)
	before, simulated := cuda.SimReport()
	var all sync.WaitGroup
	var begun atomic.Int32
	for range 20 {
		all.Go(func() {
			for {
				m, err := d.Allocate(64)
				begun.Add(1)
				if err == nil {
					err = errors.Join(m.WriteAt(counting(64), 0), m.(*cuda.Memory).Release())
				}
				if errors.Is(err, cuda.ErrClosed) {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	eventually(t, "all goroutines work", func() bool { return begun.Load() > 100 })
	err := d.Close()
	var leaks *cuda.LeakError
	if err != nil && !errors.As(err, &leaks) { // what was in their hands
		t.Errorf("Close = %v", err)
	}
	all.Wait()
	if after, _ := cuda.SimReport(); simulated {
		blameless(t, before, after)
	}
}
