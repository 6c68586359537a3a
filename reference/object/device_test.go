package object_test

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/reference/tensor/devicetest"
)

// on is a copy on a device.
func on(t testing.TB, d *devicetest.Device, v *tensor.Tensor) *tensor.Tensor {
	t.Helper()
	c, err := v.CopyOn(d)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func read(t testing.TB, v *tensor.Tensor, err error) []byte {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	b, err := v.ReadBytes(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestARingOnADeviceReadsAsOneOnTheHost(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 8} {
		d := devicetest.New("cuda:0", 1<<20)
		here, there := ring(t, n), ring(t, n)
		next := byte(0)
		for _, frames := range []int{1, 1, 2, 1, 3, 5, 0, 1, 7, 1, 1, 4, 9, 1, 1} {
			var brought []byte
			for range frames {
				brought = append(brought, next)
				next++
			}
			p := payload(t, 3, 2, brought...)
			commit(t, here, p)
			commit(t, there, on(t, d, p))
			for k := 1; k <= here.Len(); k++ {
				want, err := here.Last(k)
				w := read(t, want, err)
				got, err := there.Last(k)
				if g := read(t, got, err); !bytes.Equal(g, w) || got.Device() != "cuda:0" {
					t.Fatalf("ring of %d after %d frames: Last(%d) = %v %v, want %v", n, next, k, got, g, w)
				}
			}
		}
		on := there.BytesByDevice()
		if bytes := here.BytesByDevice()[tensor.CPU]; len(on) != 1 || on["cuda:0"] != bytes {
			t.Errorf("ring of %d counts %v, want %d on cuda:0 as on the host", n, on, bytes)
		}
	}
}

func TestARingTakesAViewOfItselfOnADevice(t *testing.T) {
	d := devicetest.New("cuda:0", 1<<20)
	for _, n := range []int{3, 6} {
		r := ring(t, n)
		commit(t, r, on(t, d, payload(t, 2, 2, 1, 2, 3)))
		window, err := r.Last(2)
		if err != nil {
			t.Fatal(err)
		}
		commit(t, r, window)
		got, err := r.Last(3)
		if g, want := read(t, got, err), read(t, payload(t, 2, 2, 3, 2, 3), nil); !bytes.Equal(g, want) {
			t.Errorf("ring of %d after its own last two: %v, want %v", n, g, want)
		}
	}
}

func TestEveryKindKeepsItsCopiesOnTheDevice(t *testing.T) {
	d := devicetest.New("cuda:0", 1<<20)
	for name, make := range kinds() {
		o := make()
		if err := o.Allocate(object.Bound{}); err != nil {
			t.Fatal(err)
		}
		p := payload(t, 1, 2, 1, 2)
		moved := on(t, d, p)
		commit(t, o, moved)
		if err := moved.CopyFrom(payload(t, 1, 2, 8, 9)); err != nil {
			t.Fatal(err)
		}
		held, err := o.View(object.ViewOptions{})
		if err != nil || len(held) != 1 {
			t.Fatalf("%s shows %v, %v", name, held, err)
		}
		if got, want := read(t, held[0], nil), read(t, p, nil); !bytes.Equal(got, want) || held[0].Device() != "cuda:0" {
			t.Errorf("%s holds %v on %s, want %v on cuda:0", name, got, held[0].Device(), want)
		}
	}
}

func TestARingStaysOnOneDevice(t *testing.T) {
	d, other := devicetest.New("cuda:0", 1<<20), devicetest.New("cuda:1", 1<<20)
	r := ring(t, 2)
	commit(t, r, on(t, d, payload(t, 1, 2, 1, 2)))
	for _, p := range []*tensor.Tensor{payload(t, 1, 2, 3), on(t, other, payload(t, 1, 2, 3))} {
		if err := r.Append(p); !errors.Is(err, fault.ErrTypeMismatch) {
			t.Errorf("appending %v to a ring on cuda:0: %v, want ErrTypeMismatch", p, err)
		}
	}
	got, err := r.Last(2)
	if g, want := read(t, got, err), read(t, payload(t, 1, 2, 1, 2), nil); !bytes.Equal(g, want) {
		t.Errorf("after two refusals the ring has %v, want %v", g, want)
	}
}

// A refusal has changed nothing, also one for want of memory.
func TestNoRoomOnTheDeviceIsARefusal(t *testing.T) {
	const frame = 4
	for name, c := range map[string]struct {
		bound object.Bound
		room  int // beside what the caller holds
	}{
		"unbounded":           {object.Bound{}, 2 * frame},
		"bounded at payloads": {object.Bound{Unit: object.Payloads, N: 3}, 2 * frame},
		"bounded at frames":   {object.Bound{Unit: object.Frames, N: 3, Axis: 2}, 2 * frame},
	} {
		d := devicetest.New("cuda:0", 3*frame+c.room)
		b := buffer(t, c.bound)
		var ps []*tensor.Tensor
		for i := range 3 {
			ps = append(ps, on(t, d, payload(t, 1, frame, byte(i))))
		}
		if err := b.Commit(ps...); !errors.Is(err, fault.ErrOutOfMemory) {
			t.Errorf("%s: committing three frames with room for two: %v, want ErrOutOfMemory", name, err)
		}
		if n := b.Len(); n != 0 {
			t.Errorf("%s: %d of them are there after the refusal", name, n)
		}
		if left, err := d.InUse(); err != nil || left != 3*frame {
			t.Errorf("%s: %d bytes are in use after the refusal, %v, want the caller's %d", name, left, err, 3*frame)
		}
		runtime.KeepAlive(ps)
	}
}

// A device that stops in the middle of a push leaves frames of no moment. They
// are never shown.
func TestATornRingIsNotRead(t *testing.T) {
	stopped := errors.New("the device stopped")
	for _, n := range []int{2, 6} {
		for nth := 1; nth <= 2; nth++ {
			d := devicetest.New("cuda:0", 1<<20)
			r := ring(t, n)
			for i := range byte(n) {
				commit(t, r, on(t, d, payload(t, 1, 2, i)))
			}
			p := on(t, d, payload(t, 1, 2, 100))
			d.FailNext(devicetest.CopyFrom, nth, stopped)
			what := fmt.Sprintf("ring of %d, copy %d of a push fails", n, nth)
			if err := r.Append(p); !errors.Is(err, stopped) {
				t.Errorf("%s: %v", what, err)
			}
			if v, err := r.Last(1); !errors.Is(err, stopped) {
				t.Errorf("%s, and then Last(1) = %v, %v", what, v, err)
			}
			if err := r.Append(p); !errors.Is(err, stopped) {
				t.Errorf("%s, and then Append: %v", what, err)
			}
			if err := r.Allocate(object.Bound{Unit: object.Frames, N: n, Axis: 2}); err != nil {
				t.Fatal(err)
			}
			commit(t, r, p)
			v, err := r.Last(1)
			if got, want := read(t, v, err), read(t, payload(t, 1, 2, 100), nil); !bytes.Equal(got, want) {
				t.Errorf("%s, and once it is allocated again Last(1) = %v, want %v", what, got, want)
			}
		}
	}
}
