package manager_test

import (
	"errors"
	"maps"
	"testing"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/reference/tensor/devicetest"
)

const card tensor.Device = "cuda:0"

func onCard(t testing.TB, d *devicetest.Device, n int) *tensor.Tensor {
	t.Helper()
	v, err := tensor.NewOn(d, dtype.UInt8, 1, n)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// stored is a session with the objects source, derived from it, and alone, of 100
// bytes each, and an attribute of as many, all on a device.
func stored(t testing.TB, d *devicetest.Device, m *manager.Manager, id string) *manager.Session {
	t.Helper()
	s, err := m.Session(id)
	if err != nil {
		t.Fatal(err)
	}
	source := object.NewEncodeOnce("source")
	for name, o := range map[string]*object.EncodeOnce{"source": source, "alone": object.NewEncodeOnce("alone"),
		"derived": object.NewEncodeOnce("derived", object.WithSource(source))} {
		if err := errors.Join(o.Commit(onCard(t, d, 100)), s.Put(name, o)); err != nil {
			t.Fatal(err)
		}
	}
	s.SetAttr("map", []*tensor.Tensor{onCard(t, d, 60), onCard(t, d, 40)})
	return s
}

func wantBytes(t testing.TB, m *manager.Manager, what string, want map[tensor.Device]int64) {
	t.Helper()
	if got := m.Stats().BytesByDevice; !maps.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestParkMovesWhatANameHoldsAndAReadBringsItBack(t *testing.T) {
	d, m := devicetest.New(card, 1<<20), newManager(t, 4)
	s := stored(t, d, m, "a")
	for _, name := range []string{"map", "alone"} {
		if n, err := s.Park(name); n != 100 || err != nil {
			t.Errorf("Park(%q) = %d, %v", name, n, err)
		}
		wantBytes(t, m, name+" is parked", map[tensor.Device]int64{card: 300, tensor.CPU: 100})
		if name == "map" {
			s.Attr(name)
		} else if o, err := s.Object(name); err != nil {
			t.Fatal(err)
		} else if _, err := o.View(object.ViewOptions{}); err != nil {
			t.Error(err)
		}
		wantBytes(t, m, name+" was read", map[tensor.Device]int64{card: 400})
	}
	if _, err := s.Park("nothing"); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("Park of an unknown name: %v", err)
	}
}

func TestADeclaredAttributeIsBroughtBackByEveryReader(t *testing.T) {
	d, m := devicetest.New(card, 1<<20), newManager(t, 4)
	attr := manager.NewAttr[*tensor.Tensor]("x", nil)
	s, err := m.Session("a")
	if err != nil {
		t.Fatal(err)
	}
	attr.Set(s, onCard(t, d, 100))
	for what, read := range map[string]func(){
		"Get":    func() { attr.Get(s) },
		"Lookup": func() { attr.Lookup(s) },
		"Edit":   func() { attr.Edit(s, func(**tensor.Tensor) {}) },
		"GetIn":  func() { s.Update(func(e *manager.Edit) { attr.GetIn(e) }) },
		"Attr":   func() { s.Update(func(e *manager.Edit) { e.Attr("x") }) },
	} {
		if _, err := s.Park("x"); err != nil {
			t.Fatal(err)
		}
		read()
		wantBytes(t, m, what, map[tensor.Device]int64{card: 100})
	}
}

func TestWithoutRoomAParkedValueIsReadOnTheHost(t *testing.T) {
	d, m := devicetest.New(card, 150), newManager(t, 4)
	s, err := m.Session("a")
	if err != nil {
		t.Fatal(err)
	}
	v := onCard(t, d, 100)
	s.SetAttr("x", v)
	once := object.NewEncodeOnce("once")
	if _, err := s.Park("x"); err != nil {
		t.Fatal(err)
	}
	if err := once.Commit(onCard(t, d, 60)); err != nil {
		t.Fatal(err)
	}
	if got, _ := s.Attr("x"); got != v || v.Device() != tensor.CPU {
		t.Errorf("the attribute reads as %v, want the same tensor on the host", got)
	}
	if err := once.Reset(); err != nil {
		t.Fatal(err)
	}
	if s.Attr("x"); v.Device() != card {
		t.Errorf("with room again it is on %s", v.Device())
	}
}

func TestFreeParksBeforeItEvictsAndLeavesAttributes(t *testing.T) {
	for _, tt := range []struct {
		device tensor.Device
		n      int64
		want   []manager.Freed
		bytes  map[tensor.Device]int64
	}{
		{card, 0, nil, map[tensor.Device]int64{card: 800}},
		{card, 150, []manager.Freed{{"old", "alone", 100, true}, {"old", "derived", 100, true}},
			map[tensor.Device]int64{card: 600, tensor.CPU: 200}},
		{card, 1 << 40, []manager.Freed{{"old", "alone", 100, true}, {"old", "derived", 100, true}, {"old", "source", 100, true},
			{"new", "alone", 100, true}, {"new", "derived", 100, true}, {"new", "source", 100, true}},
			map[tensor.Device]int64{card: 200, tensor.CPU: 600}},
		{tensor.CPU, 1 << 40, nil, map[tensor.Device]int64{card: 800}},
	} {
		d, m := devicetest.New(card, 1<<20), newManager(t, 4)
		stored(t, d, m, "old")
		stored(t, d, m, "new")
		got, err := m.Free(tt.device, tt.n)
		if err != nil || len(got) != len(tt.want) {
			t.Errorf("Free(%s, %d) = %v, %v, want %v", tt.device, tt.n, got, err, tt.want)
			continue
		}
		for i := range got {
			if got[i] != tt.want[i] {
				t.Errorf("Free(%s, %d)[%d] = %v, want %v", tt.device, tt.n, i, got[i], tt.want[i])
			}
		}
		wantBytes(t, m, "after Free", tt.bytes)
	}
}

func TestFreeOfTheHostEvictsWhatIsParkedFirst(t *testing.T) {
	d, m := devicetest.New(card, 1<<20), newManager(t, 4)
	stored(t, d, m, "a")
	s := stored(t, d, m, "b")
	if _, err := m.Free(card, 1<<40); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Unpark("source"); err != nil {
		t.Fatal(err)
	}
	got, err := m.Free(tensor.CPU, 150)
	if want := (manager.Freed{Session: "a", Object: "derived", Bytes: 100}); err != nil || len(got) != 2 || got[0] != want {
		t.Errorf("Free of 150 bytes of the host = %v, %v, want %v and that of b", got, err, want)
	}
	if _, err := m.Free(card, -1); !errors.Is(err, fault.ErrInvalidArgument) {
		t.Errorf("Free of -1 bytes: %v", err)
	}
}
