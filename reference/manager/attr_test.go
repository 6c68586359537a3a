package manager_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/manager"
)

func TestADefaultMayBeMadeFromOtherAttributes(t *testing.T) {
	s := session(t, newManager(t, 1), "a")
	n := manager.NewAttr("n", 3)
	made := manager.NewAttrFunc("made", func() []int { return make([]int, n.Get(s)) })
	within(t, func() {
		if got := len(made.Get(s)); got != 3 {
			t.Errorf("Get() = %d long, want 3", got)
		}
		if got, set, err := made.Lookup(s); len(got) != 3 || set || err != nil {
			t.Errorf("Lookup() = %v, %v, %v, want three, unset", got, set, err)
		}
		if err := made.Edit(s, func(l *[]int) { *l = append(*l, 1) }); err != nil || len(made.Get(s)) != 4 {
			t.Errorf("Edit() = %v, then %v, want four", err, made.Get(s))
		}
		s.SetAttr("made", "text")
		if got, set, err := made.Lookup(s); len(got) != 3 || !set || !errors.Is(err, fault.ErrTypeMismatch) {
			t.Errorf("Lookup() of a text = %v, %v, %v, want three, set, ErrTypeMismatch", got, set, err)
		}
		if err := made.Edit(s, func(*[]int) {}); !errors.Is(err, fault.ErrTypeMismatch) {
			t.Errorf("Edit() of a text = %v, want ErrTypeMismatch", err)
		}
	})
}

func TestConcurrentEditsLoseNothing(t *testing.T) {
	s := session(t, newManager(t, 1), "a")
	list := manager.NewAttrFunc("list", func() []int { return []int{0} })
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if err := list.Edit(s, func(l *[]int) { *l = append(*l, 1) }); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := len(list.Get(s)); got != 9 {
		t.Errorf("after 8 edits at once the list is %d long, want 9", got)
	}
}

func TestADeclaredAttributeIsReadAndWrittenInsideUpdate(t *testing.T) {
	s := session(t, newManager(t, 1), "a")
	start, list := manager.NewAttr("start", 5), manager.NewAttr("list", []int{1})
	within(t, func() {
		s.Update(func(e *manager.Edit) {
			if got := start.GetIn(e); got != 5 {
				t.Errorf("GetIn() unwritten = %d, want the default 5", got)
			}
			start.SetIn(e, start.GetIn(e)+1)
			list.GetIn(e)[0] = 9 // a copy of the default
			list.SetIn(e, append(list.GetIn(e), 2))
			e.SetAttr("text", "x")
		})
	})
	if got := start.Get(s); got != 6 || !slices.Equal(list.Get(s), []int{1, 2}) {
		t.Errorf("after Update: %d and %v, want 6 and [1 2]", got, list.Get(s))
	}
	s.Update(func(e *manager.Edit) {
		if got := manager.NewAttr("text", 7).GetIn(e); got != 7 {
			t.Errorf("GetIn() of a text as a number = %d, want the default 7", got)
		}
		e.ClearAttr(start.Name())
	})
	if start.IsSet(s) {
		t.Errorf("IsSet() after Edit.ClearAttr = true")
	}
}

// An attribute that may hold anything is cleared by nil, whoever writes it.
func TestNilClearsAnAttributeOfAnyType(t *testing.T) {
	s := session(t, newManager(t, 1), "a")
	anything, failed := manager.NewAttr[any]("x", "none"), manager.NewAttr[error]("e", nil)
	for how, write := range map[string]func(){
		"Set":   func() { anything.Set(s, nil) },
		"SetIn": func() { s.Update(func(e *manager.Edit) { anything.SetIn(e, nil) }) },
		"Edit": func() {
			if err := anything.Edit(s, func(v *any) { *v = nil }); err != nil {
				t.Error(err)
			}
		},
		"SetAttr": func() { s.SetAttr("x", nil) },
	} {
		for _, before := range []any{nil, 1} {
			s.SetAttr("x", before)
			write()
			if v, set := s.Attr("x"); set || anything.IsSet(s) || anything.Get(s) != "none" {
				t.Errorf("after %s(nil) over %v: Attr(x) = %v, %v, want unset and the default", how, before, v, set)
			}
		}
	}
	failed.Set(s, errors.New("no"))
	failed.Set(s, nil)
	if failed.IsSet(s) {
		t.Errorf("an attribute of interface type is set after Set(nil)")
	}
	pointer := manager.NewAttr("p", new(3))
	pointer.Set(s, nil)
	if !pointer.IsSet(s) || pointer.Get(s) != nil {
		t.Errorf("Get() of a nil pointer that was set = %v, set %v, want nil, true", pointer.Get(s), pointer.IsSet(s))
	}
}
