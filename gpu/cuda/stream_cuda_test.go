//go:build cuda

package cuda_test

import (
	"bytes"
	"testing"

	"github.com/statespec/statespec/gpu/cuda"
	"github.com/statespec/statespec/reference/fault"
)

// pinnedWith returns pinned memory that holds text.
func pinnedWith(t testing.TB, d *cuda.Device, text string) *cuda.Pinned {
	t.Helper()
	p, err := d.AllocatePinned(len(text))
	ok(t, err)
	copy(p.Bytes(), text)
	t.Cleanup(func() { p.Free() })
	return p
}

func stream(t testing.TB, d *cuda.Device) *cuda.Stream {
	t.Helper()
	s, err := d.NewStream()
	ok(t, err)
	return s
}

func TestQueuedCopiesArriveWithTheStream(t *testing.T) {
	d := open(t)
	s := stream(t, d)
	m, o := holding(t, d, counting(16)), memory(t, d, 16)
	in, out := pinnedWith(t, d, "from the host"), pinnedWith(t, d, "----------------")
	ok(t, m.WriteOn(s, 2, in, 5, 8), o.CopyOn(s, 0, m, 0, 16), o.ReadOn(s, out, 1, 2, 8), s.Synchronize())
	if got, want := string(out.Bytes()), "-the host-------"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	want := counting(16)
	copy(want[2:], "the host")
	if got := read(t, m); !bytes.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	ok(t, s.Close())
}

func TestQueuedCopiesAreLate(t *testing.T) {
	simulated(t) // where work happens at synchronization and no earlier
	d := open(t)
	s := stream(t, d)
	m := holding(t, d, []byte("old bytes"))
	in, out := pinnedWith(t, d, "new bytes"), pinnedWith(t, d, "---------")
	ok(t, m.WriteOn(s, 0, in, 0, 9), m.ReadOn(s, out, 0, 0, 9))
	if got := string(out.Bytes()); got != "---------" {
		t.Errorf("before the stream is synchronized there is %q", got)
	}
	if got := read(t, m); string(got) != "old bytes" {
		t.Errorf("a plain copy waited for another stream: %q", got)
	}
	copy(in.Bytes(), "too early")
	ok(t, s.Synchronize())
	if got := string(out.Bytes()); got != "too early" {
		t.Errorf("got %q, want the bytes that lay there when the copy was made", got)
	}
	ok(t, s.Close())
}

func TestTheDevicesOwnStreamIsInOrderWithPlainCopies(t *testing.T) {
	d := open(t)
	m, o := holding(t, d, []byte("old bytes")), memory(t, d, 9)
	in := pinnedWith(t, d, "new bytes")
	ok(t, m.WriteOn(nil, 0, in, 0, 9), o.CopyOn(nil, 0, m, 0, 9))
	if got := read(t, o); string(got) != "new bytes" {
		t.Errorf("got %q, want what was queued before", got)
	}
}

func TestAnEventOrdersTwoStreams(t *testing.T) {
	d := open(t)
	for _, waits := range []bool{true, false} {
		if !waits && !cuda.Simulated() {
			continue // a GPU may well be in time
		}
		a, b := stream(t, d), stream(t, d)
		e, err := d.NewEvent()
		ok(t, err)
		m := holding(t, d, []byte("old bytes"))
		in, out := pinnedWith(t, d, "new bytes"), pinnedWith(t, d, "---------")
		ok(t, b.Wait(e)) // not recorded: nothing to wait for
		ok(t, m.WriteOn(a, 0, in, 0, 9), e.Record(a))
		want := "old bytes"
		if waits {
			want = "new bytes"
			ok(t, b.Wait(e))
		}
		ok(t, m.ReadOn(b, out, 0, 0, 9), b.Synchronize())
		if got := string(out.Bytes()); got != want {
			t.Errorf("with Wait %v got %q, want %q", waits, got, want)
		}
		ok(t, e.Synchronize(), a.Synchronize(), e.Close(), a.Close(), b.Close())
		refuses(t, "Close", e.Close(), cuda.ErrReleased)
		refuses(t, "Record", e.Record(nil), cuda.ErrReleased, "event")
	}
}

func TestAnEventOfTheDevicesOwnStream(t *testing.T) {
	d := open(t)
	s := stream(t, d)
	e, err := d.NewEvent()
	ok(t, err, e.Synchronize())
	m := holding(t, d, []byte("old bytes"))
	in, out := pinnedWith(t, d, "new bytes"), pinnedWith(t, d, "---------")
	ok(t, m.WriteOn(nil, 0, in, 0, 9), e.Record(nil), s.Wait(e), m.ReadOn(s, out, 0, 0, 9), s.Synchronize())
	if got := string(out.Bytes()); got != "new bytes" {
		t.Errorf("got %q", got)
	}
}

// Memory may be released with work queued: it is waited for.
func TestReleaseWaitsForQueuedWork(t *testing.T) {
	d := open(t)
	s := stream(t, d)
	m, o := holding(t, d, []byte("old bytes")), memory(t, d, 9)
	in, err := d.AllocatePinned(9)
	ok(t, err)
	copy(in.Bytes(), "new bytes")
	ok(t, m.WriteOn(s, 0, in, 0, 9), o.CopyOn(s, 0, m, 0, 9), m.Release(), in.Free(), s.Close())
	if got := read(t, o); string(got) != "new bytes" {
		t.Errorf("got %q", got)
	}
}

func TestPinnedMemoryIsGoneAfterFree(t *testing.T) {
	d := open(t)
	m := memory(t, d, 8)
	p, err := d.AllocatePinned(8)
	ok(t, err)
	if len(p.Bytes()) != 8 || p.Len() != 8 {
		t.Errorf("%d bytes of %d, want 8", len(p.Bytes()), p.Len())
	}
	ok(t, p.Free())
	if p.Bytes() != nil {
		t.Error("freed memory has bytes")
	}
	refuses(t, "Free", p.Free(), cuda.ErrReleased, "pinned memory")
	refuses(t, "WriteOn", m.WriteOn(nil, 0, p, 0, 8), cuda.ErrReleased, "pinned memory")
}

func TestClosedStreamsAreRefused(t *testing.T) {
	d := open(t)
	s := stream(t, d)
	e, err := d.NewEvent()
	ok(t, err, s.Close())
	m, p := memory(t, d, 8), pinnedWith(t, d, "12345678")
	for what, err := range map[string]error{
		"Close": s.Close(), "Synchronize": s.Synchronize(), "Wait": s.Wait(e), "Record": e.Record(s),
		"WriteOn": m.WriteOn(s, 0, p, 0, 8), "CopyOn": m.CopyOn(s, 0, m, 4, 4),
	} {
		refuses(t, what, err, cuda.ErrReleased, "stream")
	}
	ok(t, m.WriteAt(make([]byte, 8), 0)) // and kept nothing from being used
}

func TestThingsOfAnotherContextAreRefused(t *testing.T) {
	d, other := open(t), open(t)
	m := memory(t, d, 8)
	s, far := stream(t, d), stream(t, other)
	p := pinnedWith(t, other, "12345678")
	e, err := other.NewEvent()
	ok(t, err)
	for what, err := range map[string]error{
		"CopyOn": m.CopyOn(far, 0, m, 4, 4), "WriteOn": m.WriteOn(s, 0, p, 0, 8), "Wait": s.Wait(e), "Record": e.Record(s),
	} {
		refuses(t, what, err, fault.ErrInvalidArgument, "another context")
	}
	refuses(t, "Wait", s.Wait(nil), fault.ErrInvalidArgument, "no event")
	refuses(t, "WriteOn", m.WriteOn(s, 0, nil, 0, 8), fault.ErrInvalidArgument, "no pinned memory")
}
