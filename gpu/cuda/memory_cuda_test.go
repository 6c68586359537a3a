//go:build cuda

package cuda_test

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"unsafe"

	"gorgonia.org/cu"

	"github.com/statespec/statespec/gpu/cuda"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

func TestBytesComeBack(t *testing.T) {
	d := open(t)
	for _, n := range []int{1, 7, 4096, 1<<20 + 3} {
		m := memory(t, d, n)
		src, want := counting(n), counting(n)
		ok(t, m.WriteAt(src, 0))
		clear(src) // nothing of the source is needed any more
		if !bytes.Equal(read(t, m), want) {
			t.Errorf("%d bytes come back otherwise", n)
		}
		ok(t, m.Release())
	}
}

func TestPartsAreReadAndWrittenWhereTheyLie(t *testing.T) {
	d := open(t)
	m := holding(t, d, counting(100))
	ok(t, m.WriteAt([]byte("abc"), 10), m.Clear(50, 5))
	want := counting(100)
	copy(want[10:], "abc")
	clear(want[50:55])
	if got := read(t, m); !bytes.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	part := make([]byte, 3)
	ok(t, m.ReadAt(part, 10))
	if string(part) != "abc" {
		t.Errorf("read at 10 = %q, want abc", part)
	}
	if m.Device() != "cuda:0" || m.Allocator() != tensor.Allocator(d) || m.Len() != 100 || !strings.HasPrefix(m.String(), "100 bytes on cuda:0 at 0x") {
		t.Errorf("%s: Device %s, Len %d", m, m.Device(), m.Len())
	}
}

func TestRangesOutsideAreRefused(t *testing.T) {
	d := open(t)
	m, o := holding(t, d, counting(8)), holding(t, d, counting(16))
	p, err := d.AllocatePinned(8)
	ok(t, err)
	refuses(t, "ReadAt", m.ReadAt(make([]byte, 5), 4), fault.ErrInvalidArgument, "cuda:0: read 5 bytes at 4: 5 bytes at 4 are not inside an allocation of 8")
	for what, err := range map[string]error{
		"ReadAt past the end":     m.ReadAt(make([]byte, 5), 4),
		"ReadAt nothing beyond":   m.ReadAt(nil, 9),
		"ReadAt before":           m.ReadAt(make([]byte, 1), -1),
		"WriteAt past the end":    m.WriteAt(make([]byte, 9), 0),
		"WriteAt far":             m.WriteAt(make([]byte, 1), math.MaxInt),
		"Clear past the end":      m.Clear(0, 9),
		"Clear a negative length": m.Clear(4, -1),
		"CopyFrom past its end":   m.CopyFrom(0, o, 12, 5),
		"CopyFrom past our end":   m.CopyFrom(4, o, 0, 5),
		"CopyFrom negative":       m.CopyFrom(0, o, 4, -4),
		"WriteOn past our end":    m.WriteOn(nil, 4, p, 0, 5),
		"WriteOn past its end":    o.WriteOn(nil, 0, p, 4, 5),
		"ReadOn past our end":     m.ReadOn(nil, p, 0, 4, 5),
		"ReadOn past its end":     o.ReadOn(nil, p, 4, 0, 5),
	} {
		refuses(t, what, err, fault.ErrInvalidArgument, "cuda:0: ", "are not inside an allocation of ")
	}
	refuses(t, "Allocate(-1)", func() error { _, err := d.Allocate(-1); return err }(), fault.ErrInvalidArgument, "not negative")
	refuses(t, "AllocatePinned(-1)", func() error { _, err := d.AllocatePinned(-1); return err }(), fault.ErrInvalidArgument, "not negative")
	if !bytes.Equal(read(t, m), counting(8)) {
		t.Error("a refused operation changed bytes")
	}
	ok(t, p.Free())
}

type foreign struct{ tensor.Memory }

func TestForeignMemoryIsRefused(t *testing.T) {
	d, other := open(t), open(t)
	m, far := holding(t, d, counting(8)), holding(t, other, counting(8))
	refuses(t, "CopyFrom another context", m.CopyFrom(0, far, 0, 8), fault.ErrInvalidArgument, "read it into host memory and write that")
	for _, src := range []tensor.Memory{foreign{}, nil, (*cuda.Memory)(nil)} {
		refuses(t, "CopyFrom", m.CopyFrom(0, src, 0, 8), fault.ErrInvalidArgument, "memory that this package allocated")
	}
}

func TestNoBytesNeverReachTheCUDADriver(t *testing.T) {
	d := open(t)
	before, _ := cuda.SimReport()
	m, o := memory(t, d, 0), memory(t, d, 0)
	p, err := d.AllocatePinned(0)
	ok(t, err)
	if m.Address() != 0 || m.Len() != 0 || p.Len() != 0 || len(p.Bytes()) != 0 {
		t.Errorf("address %#x of %d bytes, want 0", m.Address(), m.Len())
	}
	ok(t, m.ReadAt(nil, 0), m.WriteAt([]byte{}, 0), m.Clear(0, 0), m.CopyFrom(0, o, 0, 0), m.CopyFrom(0, m, 0, 0),
		m.CopyOn(nil, 0, o, 0, 0), m.WriteOn(nil, 0, p, 0, 0), m.ReadOn(nil, p, 0, 0, 0))
	refuses(t, "a byte of none", m.ReadAt(make([]byte, 1), 0), fault.ErrInvalidArgument)
	if n, count := d.Allocated(); n != 0 || count != 0 {
		t.Errorf("Allocated = %d, %d, want nothing", n, count)
	}
	ok(t, m.Release(), p.Free())
	refuses(t, "Release", m.Release(), cuda.ErrReleased)
	refuses(t, "ReadAt", m.ReadAt(nil, 0), cuda.ErrReleased)
	refuses(t, "Free", p.Free(), cuda.ErrReleased)
	if after, simulated := cuda.SimReport(); simulated && (after.Allocs != before.Allocs || after.Frees != before.Frees || after.LivePinned != before.LivePinned) {
		t.Errorf("%d allocations and %d frees reached simulated CUDA", after.Allocs-before.Allocs, after.Frees-before.Frees)
	}
}

func TestOverlappingCopiesDoWhatMemmoveDoes(t *testing.T) {
	d := open(t)
	cases := [][3]int{
		{0, 0, 100}, {0, 10, 30}, {10, 0, 30}, {0, 50, 50}, {50, 0, 50}, {3, 5, 7}, {99, 0, 1}, // few pieces
		{0, 1, 99}, {1, 0, 99}, {2, 3, 90}, {3, 2, 90}, // through a buffer
	}
	for _, c := range cases {
		to, from, n := c[0], c[1], c[2]
		m := holding(t, d, counting(100))
		want := counting(100)
		copy(want[to:], want[from:from+n])
		ok(t, m.CopyFrom(to, m, from, n))
		if got := read(t, m); !bytes.Equal(got, want) {
			t.Errorf("copy %d bytes from %d to %d gives %v, want %v", n, from, to, got, want)
		}
		ok(t, m.Release())
	}
	if n, count := d.Allocated(); n != 0 || count != 0 {
		t.Errorf("Allocated = %d, %d: the buffer stays", n, count)
	}
}

func TestALongMoveAtASmallDistance(t *testing.T) {
	d := open(t)
	const n = 33 << 20 // more than the buffer twice
	m := holding(t, d, counting(n))
	for _, c := range [][2]int{{0, 5}, {5, 0}} {
		want := read(t, m)
		copy(want[c[0]:], want[c[1]:c[1]+n-5])
		ok(t, m.CopyFrom(c[0], m, c[1], n-5))
		if !bytes.Equal(read(t, m), want) {
			t.Errorf("moved from %d to %d otherwise than memmove does", c[1], c[0])
		}
	}
}

// A move without room for its buffer moves nothing.
func TestAMoveWithoutABufferIsRefusedWhole(t *testing.T) {
	simulated(t)
	d := open(t)
	m := holding(t, d, counting(1000))
	sim(t, "oom_from=1")
	refuses(t, "CopyFrom", m.CopyFrom(0, m, 1, 999), fault.ErrOutOfMemory)
	sim(t, "reset")
	if !bytes.Equal(read(t, m), counting(1000)) {
		t.Error("a refused move changed bytes")
	}
}

// In this mode of simulated CUDA a queued copy of ordinary host memory is as late
// as it may be.
func TestCopiesAreCompleteWhenTheyReturn(t *testing.T) {
	simulated(t)
	d := open(t)
	sim(t, "pageable=defer")
	defer sim(t, "pageable=stage")
	m, o := memory(t, d, 8), memory(t, d, 8)
	src := []byte("in time!")
	ok(t, m.WriteAt(src, 0))
	clear(src)
	ok(t, o.CopyFrom(0, m, 0, 8))
	ok(t, m.Clear(0, 8))
	if got := read(t, o); string(got) != "in time!" {
		t.Errorf("got %q", got)
	}
	if got := read(t, m); !bytes.Equal(got, make([]byte, 8)) {
		t.Errorf("cleared bytes are %q", got)
	}
}

// cgo looks for pointers in all of the object that bytes are a part of, unless it
// is told which part.
func TestBytesBesidePointersArePassed(t *testing.T) {
	d := open(t)
	m := holding(t, d, counting(16))
	x := &struct {
		p *int
		b [16]byte
	}{p: new(int)}
	panics := func() (says any) {
		defer func() { says = recover() }()
		cu.MemcpyDtoH(unsafe.Pointer(&x.b[0]), cu.DevicePtr(m.Address()), 16)
		return nil
	}()
	if panics == nil {
		t.Error("cu takes such bytes now: the way round it is needless")
	}
	ok(t, m.ReadAt(x.b[:], 0), m.WriteAt(x.b[:], 0))
	if !bytes.Equal(x.b[:], counting(16)) {
		t.Errorf("got %v", x.b)
	}
}
