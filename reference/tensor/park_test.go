package tensor_test

import (
	"bytes"
	"errors"
	"runtime"
	"sync"
	"testing"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/reference/tensor/devicetest"
)

// inUse is what a device has given out.
func inUse(t testing.TB, d *devicetest.Device) int64 {
	t.Helper()
	return must[int64](t)(d.InUse())
}

func TestParkingMovesAStorageWithItsViews(t *testing.T) {
	d := devicetest.New("cuda:0", 1<<20)
	whole := onDevice(t, d, counting(t, dtype.UInt16, 4, 6))
	view := must[*tensor.Tensor](t)(must[*tensor.Tensor](t)(whole.Transpose(0, 1)).Narrow(0, 1, 3))
	want := must[[]byte](t)(view.ReadBytes(nil))
	for range 2 {
		if n := must[int](t)(whole.Storage().Park()); n != 48 || view.Device() != tensor.CPU || !view.Storage().Parked() || inUse(t, d) != 0 {
			t.Fatalf("Park() = %d; then the view is on %s, parked %t, and %d bytes are in use", n, view.Device(), view.Storage().Parked(), inUse(t, d))
		}
		if got := must[[]byte](t)(view.ReadBytes(nil)); !bytes.Equal(got, want) {
			t.Errorf("parked, the view reads %v, want %v", got, want)
		}
		if n := must[int](t)(whole.Storage().Park()); n != 0 {
			t.Errorf("Park() of what is parked = %d", n)
		}
		if n := must[int](t)(view.Storage().Unpark()); n != 48 || view.Device() != "cuda:0" || whole.Storage().Parked() || inUse(t, d) != 48 {
			t.Fatalf("Unpark() = %d; then the view is on %s, parked %t, and %d bytes are in use", n, view.Device(), whole.Storage().Parked(), inUse(t, d))
		}
		if got := must[[]byte](t)(view.ReadBytes(nil)); !bytes.Equal(got, want) {
			t.Errorf("brought back, the view reads %v, want %v", got, want)
		}
	}
}

func TestParkingOfWhatIsNotOnADevice(t *testing.T) {
	here := counting(t, dtype.UInt8, 3)
	if n := must[int](t)(here.Storage().Park()); n != 0 || here.Storage().Parked() {
		t.Errorf("Park() of host memory = %d, parked %t", n, here.Storage().Parked())
	}
	if n := must[int](t)(here.Storage().Unpark()); n != 0 {
		t.Errorf("Unpark() of what was not parked = %d", n)
	}
	if _, err := foreign(t, 2, 3).Storage().Park(); !errors.Is(err, fault.ErrNotAddressable) {
		t.Errorf("Park() of another library's memory: %v, want ErrNotAddressable", err)
	}
}

func TestAFailedMoveLeavesTheStorageWhereItWas(t *testing.T) {
	stopped := errors.New("the device stopped")
	d := devicetest.New("cuda:0", 100)
	v := onDevice(t, d, counting(t, dtype.UInt8, 60))
	want := must[[]byte](t)(v.ReadBytes(nil))
	d.FailNext(devicetest.ReadAt, 1, stopped)
	if _, err := v.Storage().Park(); !errors.Is(err, stopped) || v.Storage().Parked() {
		t.Errorf("Park() on a device that stops: %v, parked %t", err, v.Storage().Parked())
	}
	must[int](t)(v.Storage().Park())
	filler := must[*tensor.Tensor](t)(tensor.NewOn(d, dtype.UInt8, 60))
	if _, err := v.Storage().Unpark(); !errors.Is(err, fault.ErrOutOfMemory) || !v.Storage().Parked() {
		t.Errorf("Unpark() on a full device: %v, parked %t", err, v.Storage().Parked())
	}
	_ = filler.NumElements()
	d.FailNext(devicetest.WriteAt, 1, stopped)
	filler = nil
	if _, err := v.Storage().Unpark(); !errors.Is(err, stopped) || !v.Storage().Parked() {
		t.Errorf("Unpark() on a device that stops: %v, parked %t", err, v.Storage().Parked())
	}
	if got := must[[]byte](t)(v.ReadBytes(nil)); !bytes.Equal(got, want) {
		t.Errorf("after moves that failed it reads %v, want %v", got, want)
	}
}

// Readers and counters meet the storage on one side or the other.
func TestReadersMayReadWhileAStorageMoves(t *testing.T) {
	d := devicetest.New("cuda:0", 1<<20)
	v := onDevice(t, d, counting(t, dtype.UInt8, 50, 7))
	view := must[*tensor.Tensor](t)(v.Transpose(0, 1))
	want := must[[]byte](t)(view.ReadBytes(nil))
	whole := must[[]byte](t)(v.ReadBytes(nil))
	var all sync.WaitGroup
	for what, read := range map[string]func() ([]byte, error){
		"bytes": func() ([]byte, error) { return view.ReadBytes(nil) },
		"a copy": func() ([]byte, error) {
			c, err := view.Copy()
			if err != nil {
				return nil, err
			}
			return c.ReadBytes(nil)
		},
		"a view on the host": func() ([]byte, error) {
			h, err := view.OnHost()
			if err != nil {
				return nil, err
			}
			return h.AppendBytes(nil), nil
		},
		"what is copied elsewhere": func() ([]byte, error) {
			to := must[*tensor.Tensor](t)(tensor.NewOn(d, dtype.UInt8, 7, 50))
			if err := to.CopyFrom(view); err != nil {
				return nil, err
			}
			return to.ReadBytes(nil)
		},
		"its own bytes": func() ([]byte, error) {
			if b, here := v.Bytes(); here && !bytes.Equal(b, whole) {
				return b, nil
			}
			return want, nil
		},
		"held memory": func() ([]byte, error) {
			m, done := v.Storage().Hold()
			if m == nil { // parked
				return want, done()
			}
			b := make([]byte, m.Len())
			err := errors.Join(m.ReadAt(b, 0), done())
			if !bytes.Equal(b, whole) {
				return b, err
			}
			return want, err
		},
	} {
		all.Go(func() {
			for range 200 {
				b, err := read()
				if err != nil || !bytes.Equal(b, want) {
					t.Errorf("%s, while it moves: %d bytes that differ, %v", what, len(b), err)
					return
				}
			}
		})
	}
	for range 2 {
		all.Go(func() {
			for range 200 {
				if _, err := v.Storage().Park(); err != nil {
					t.Error(err)
				}
				if _, err := v.Storage().Unpark(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	must[int](t)(v.Storage().Unpark())
	n := inUse(t, d)
	for range 100 { // the copies that were made go when the collector comes to them
		if n == 350 {
			break
		}
		n = inUse(t, d)
	}
	if n != 350 {
		t.Errorf("%d bytes are in use after all that, want those of the storage, 350", n)
	}
	runtime.KeepAlive(v)
}
