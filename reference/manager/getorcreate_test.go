package manager_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/object"
)

// What build returns need not be resident, as a fresh EncodeOnce is not.
func TestCallersThatBuildAtOnceGetOneObjectResidentOrNot(t *testing.T) {
	s := session(t, newManager(t, 1), "a")
	got := make([]object.StateObject, 4)
	var callers, building sync.WaitGroup
	building.Add(len(got))
	for i := range got {
		callers.Go(func() {
			o, err := s.GetOrCreate("x", func() (object.StateObject, error) {
				building.Done()
				building.Wait() // until all of them do
				return object.NewEncodeOnce("x"), nil
			}, nil)
			if err != nil {
				t.Error(err)
			}
			got[i] = o
		})
	}
	within(t, callers.Wait)
	held, _ := s.Object("x")
	if slices.ContainsFunc(got, func(o object.StateObject) bool { return o != held }) {
		t.Errorf("four callers at once got %p, the session holds %p: want it four times", got, held)
	}
}

func TestAnObjectThatBecameResidentMeanwhileIsNotReplaced(t *testing.T) {
	s := session(t, newManager(t, 1), "a")
	b := object.NewLatentBuffer("b")
	if err := s.Put("obj", b); err != nil {
		t.Fatal(err)
	}
	got, err := s.GetOrCreate("obj", func() (object.StateObject, error) {
		if err := b.Allocate(object.Bound{}); err != nil { // what another caller does
			t.Error(err)
		}
		return allocated(t)()
	}, nil)
	if held, _ := s.Object("obj"); got != b || held != b || err != nil {
		t.Errorf("GetOrCreate = %p, %v, and %p is held; want the buffer %p that was allocated meanwhile", got, err, held, b)
	}
}

func TestAnObjectOfAnotherKindThatCameMeanwhileIsReplaced(t *testing.T) {
	s := session(t, newManager(t, 1), "a")
	isBuffer := func(o object.StateObject) bool { _, ok := o.(*object.LatentBuffer); return ok }
	got, err := s.GetOrCreate("obj", func() (object.StateObject, error) {
		if err := s.Put("obj", object.NewEncodeOnce("other")); err != nil {
			t.Error(err)
		}
		return allocated(t)()
	}, isBuffer)
	if held, _ := s.Object("obj"); err != nil || !isBuffer(got) || held != got {
		t.Errorf("GetOrCreate = %T, %v, and a %T is held; want the buffer that was built", got, err, held)
	}
}

// A valueKind is no pointer, and cannot be told from another of its content.
type valueKind struct {
	object.StateObject
	more []int
}

func TestAnObjectIsAPointer(t *testing.T) {
	s := session(t, newManager(t, 1), "a")
	value := valueKind{StateObject: object.NewEncodeOnce("inner")}
	for _, o := range []object.StateObject{value, (*object.LatentBuffer)(nil)} {
		if err := s.Put("obj", o); !errors.Is(err, fault.ErrInvalidArgument) {
			t.Errorf("Put(%T) = %v, want ErrInvalidArgument", o, err)
		}
		build := func() (object.StateObject, error) { return o, nil }
		if got, err := s.GetOrCreate("obj", build, nil); !errors.Is(err, fault.ErrInvalidArgument) || got != nil {
			t.Errorf("GetOrCreate of a %T = %v, %v, want nil, ErrInvalidArgument", o, got, err)
		}
	}
	if err := s.Put("obj", &value); err != nil || len(s.Names()) != 1 {
		t.Errorf("Put(a pointer to it) = %v, names %q", err, s.Names())
	}
}
