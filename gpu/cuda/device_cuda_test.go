//go:build cuda

package cuda_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/statespec/statespec/gpu/cuda"
	"github.com/statespec/statespec/reference/fault"
)

// open opens the first device for a test, which has to leave nothing behind and
// nothing that simulated CUDA holds against it.
func open(t testing.TB) *cuda.Device {
	t.Helper()
	d := openOnly(t)
	before, simulated := cuda.SimReport()
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
		if after, _ := cuda.SimReport(); simulated {
			blameless(t, before, after)
		}
	})
	return d
}

// openOnly opens the first device for a test that closes it.
func openOnly(t testing.TB) *cuda.Device {
	t.Helper()
	cuda.Require(t)
	if cuda.Simulated() {
		sim(t, "reset")
		t.Cleanup(func() { sim(t, "reset") })
	}
	d, err := cuda.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// blameless fails a test in which simulated CUDA saw a fault of ours.
func blameless(t testing.TB, before, after cuda.Report) {
	t.Helper()
	for name, n := range map[string]int64{
		"accesses out of bounds":     after.OutOfBounds - before.OutOfBounds,
		"uses after free":            after.UseAfterFree - before.UseAfterFree,
		"double frees":               after.DoubleFree - before.DoubleFree,
		"frees with its work queued": after.FreesWithWorkQueued - before.FreesWithWorkQueued,
		"calls without a context":    after.WithoutContext - before.WithoutContext,
		"calls not simulated":        after.Unsupported - before.Unsupported,
		"leaked allocations":         after.LeakedAllocs - before.LeakedAllocs,
		"leaked pinned memory":       after.LeakedPinned - before.LeakedPinned,
		"leaked streams":             after.LeakedStreams - before.LeakedStreams,
		"leaked events":              after.LeakedEvents - before.LeakedEvents,
		"leaked modules":             after.LeakedModules - before.LeakedModules,
	} {
		if n != 0 {
			t.Errorf("%s = %d, want 0: %s", name, n, after.LastFault)
		}
	}
}

// sim sets an option of simulated CUDA.
func sim(t testing.TB, text string) {
	t.Helper()
	if err := cuda.SimControl(text); err != nil {
		t.Fatal(err)
	}
}

// simulated skips a test that injects faults where the device is real.
func simulated(t testing.TB) {
	t.Helper()
	cuda.Require(t)
	if !cuda.Simulated() {
		t.Skip("a real CUDA driver has no faults to inject")
	}
}

// report returns the counters of simulated CUDA.
func report(t testing.TB) cuda.Report {
	t.Helper()
	r, ok := cuda.SimReport()
	if !ok {
		t.Fatal("simulated CUDA has no report")
	}
	return r
}

// childVar marks a process that runs one test alone.
const childVar = "STATESPEC_CUDA_CHILD"

// child runs the body of a test in a process of its own, with CUDASIM: for what
// ends a context for good, or is fixed when the CUDA driver is loaded.
func child(t *testing.T, options string, body func()) {
	t.Helper()
	simulated(t)
	if os.Getenv(childVar) != "" {
		body()
		return
	}
	c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-test.timeout=60s")
	c.Env = append(os.Environ(), childVar+"=1", "CUDASIM="+options)
	out, err := c.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("--- PASS: "+t.Name())) {
		t.Errorf("in a process of its own: %v\n%s", err, out)
	}
}

// ok stops a test at an error.
func ok(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// refuses checks an error's kind and words.
func refuses(t testing.TB, what string, err, kind error, says ...string) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("%s = %v, want %v", what, err, kind)
		return
	}
	for _, s := range says {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("%s = %q, want it to say %q", what, err, s)
		}
	}
}

// memory allocates for a test, which need not release it.
func memory(t testing.TB, d *cuda.Device, nbytes int) *cuda.Memory {
	t.Helper()
	m, err := d.Allocate(nbytes)
	ok(t, err)
	return m.(*cuda.Memory)
}

// holding allocates and writes.
func holding(t testing.TB, d *cuda.Device, b []byte) *cuda.Memory {
	t.Helper()
	m := memory(t, d, len(b))
	ok(t, m.WriteAt(b, 0))
	return m
}

// read returns all of a memory.
func read(t testing.TB, m *cuda.Memory) []byte {
	t.Helper()
	b := make([]byte, m.Len())
	ok(t, m.ReadAt(b, 0))
	return b
}

func counting(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + i>>8)
	}
	return b
}

func TestDeviceSaysWhatItIs(t *testing.T) {
	d := open(t)
	free, total, err := d.Info()
	if err != nil || free <= 0 || free > total {
		t.Errorf("Info = %d, %d, %v", free, total, err)
	}
	if d.Device() != "cuda:0" || d.Name() == "" || d.String() != "cuda:0 ("+d.Name()+")" {
		t.Errorf("Device = %s, Name = %q, String = %s", d.Device(), d.Name(), d)
	}
	if cuda.Simulated() != strings.Contains(d.Name(), "imulated") {
		t.Errorf("Simulated = %v, and the name is %q", cuda.Simulated(), d.Name())
	}
	t.Log(d, cuda.Library())
}

func TestOpenRefusesAnOrdinalThatIsNotThere(t *testing.T) {
	cuda.Require(t)
	for _, n := range []int{-1, cuda.Count(), 1 << 40} {
		_, err := cuda.Open(n)
		refuses(t, "Open", err, fault.ErrInvalidArgument, "counted from 0")
	}
}

func TestCloseNamesWhatWasForgotten(t *testing.T) {
	d := openOnly(t)
	before, _ := cuda.SimReport()
	small, large := memory(t, d, 500), memory(t, d, 1000)
	pinned, err := d.AllocatePinned(700)
	ok(t, err)
	released := memory(t, d, 300)
	ok(t, released.Release())
	memory(t, d, 200) // unreachable: no leak
	s, err := d.NewStream()
	ok(t, err)
	e, err := d.NewEvent()
	ok(t, err)

	err = d.Close()
	var leaks *cuda.LeakError
	if !errors.As(err, &leaks) || len(leaks.Leaks) != 3 {
		t.Fatalf("Close = %v, want three leaks", err)
	}
	want := []cuda.Leak{{"device memory", large.Address(), 1000}, {"pinned memory", leaks.Leaks[1].Address, 700}, {"device memory", small.Address(), 500}}
	for i, l := range leaks.Leaks {
		if l != want[i] {
			t.Errorf("leak %d = %+v, want %+v", i, l, want[i])
		}
	}
	if after, simulated := cuda.SimReport(); simulated {
		blameless(t, before, after) // all was given back all the same
	}

	if pinned.Bytes() != nil {
		t.Error("pinned memory of a closed device has bytes")
	}
	again, _ := d.Allocate(1)
	if n, count := d.Allocated(); n != 0 || count != 0 || again != nil {
		t.Errorf("Allocated of a closed device = %d, %d, want nothing", n, count)
	}
	_, _, info := d.Info()
	_, empty := d.Allocate(0)
	_, pin := d.AllocatePinned(8)
	_, stream := d.NewStream()
	for what, err := range map[string]error{
		"ReadAt": small.ReadAt(make([]byte, 1), 0), "WriteAt": small.WriteAt(nil, 0), "CopyFrom": small.CopyFrom(0, large, 0, 1),
		"Info": info, "Allocate(0)": empty, "AllocatePinned": pin, "NewStream": stream, "Synchronize": d.Synchronize(), "Reclaim": d.Reclaim(),
		"stream": s.Synchronize(), "event": e.Synchronize(), "Close": d.Close(),
	} {
		refuses(t, what, err, cuda.ErrClosed, "device closed")
	}
	ok(t, small.Release(), large.Release(), pinned.Free(), s.Close(), e.Close()) // late, and no crash
	refuses(t, "Release", small.Release(), cuda.ErrReleased)
}

func TestControlsSayWhatTheyDoNotKnow(t *testing.T) {
	simulated(t)
	if err := cuda.SimControl("tea=hot"); err == nil || !strings.Contains(err.Error(), "tea=hot") {
		t.Errorf("SimControl = %v, want it refused", err)
	}
}
