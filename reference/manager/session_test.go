package manager_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
)

func allocated(t testing.TB) func() (object.StateObject, error) {
	return func() (object.StateObject, error) {
		b := object.NewLatentBuffer("built")
		return b, b.Allocate(object.Bound{})
	}
}

func ensure(t testing.TB, s *manager.Session, accept func(object.StateObject) bool) object.StateObject {
	t.Helper()
	o, err := s.GetOrCreate("obj", allocated(t), accept)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestAnObjectIsFoundByItsName(t *testing.T) {
	s := session(t, newManager(t, 1), "a")
	if _, err := s.Object("ring"); !errors.Is(err, fault.ErrNotFound) || !strings.Contains(err.Error(), `"ring"`) {
		t.Errorf("Object(ring) of nothing = %v, want ErrNotFound that names it", err)
	}
	first, second := put(t, s, "ring", 1), put(t, s, "b", 1)
	if got, err := s.Object("ring"); got != first || err != nil {
		t.Errorf("Object(ring) = %v, %v, want what was put", got, err)
	}
	if err := s.Put("ring", second); err != nil {
		t.Fatal(err)
	}
	if got, _ := s.Object("ring"); got != second || !slices.Equal(s.Names(), []string{"b", "ring"}) {
		t.Errorf("Object(ring) = %v among %q, want what replaced it", got, s.Names())
	}
	if err := s.Put("nil", nil); !errors.Is(err, fault.ErrInvalidArgument) {
		t.Errorf("Put(nil) = %v, want ErrInvalidArgument", err)
	}
}

func TestGetOrCreateBuildsWhenAbsentNotResidentOrNotAccepted(t *testing.T) {
	s := session(t, newManager(t, 1), "a")
	first := ensure(t, s, nil)
	if got := ensure(t, s, nil); got != first {
		t.Errorf("GetOrCreate of a resident object built another")
	}
	if _, err := first.Evict(); err != nil {
		t.Fatal(err)
	}
	second := ensure(t, s, nil)
	if second == first {
		t.Errorf("GetOrCreate of an evicted object returned it")
	}
	third := ensure(t, s, func(o object.StateObject) bool { _, ok := o.(*object.EncodeOnce); return ok })
	if third == second {
		t.Errorf("GetOrCreate of an object of another kind returned it")
	}
	failure := errors.New("no")
	if _, err := s.GetOrCreate("other", func() (object.StateObject, error) { return nil, failure }, nil); !errors.Is(err, failure) {
		t.Errorf("GetOrCreate whose build fails = %v, want its error", err)
	}
	if _, err := s.GetOrCreate("other", func() (object.StateObject, error) { return nil, nil }, nil); !errors.Is(err, fault.ErrInvalidArgument) {
		t.Errorf("GetOrCreate that builds nothing = %v, want ErrInvalidArgument", err)
	}
}

func TestConcurrentGetOrCreateGivesOneObject(t *testing.T) {
	s := session(t, newManager(t, 1), "a")
	got := make([]object.StateObject, 8)
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() { got[i] = ensure(t, s, nil) })
	}
	wg.Wait()
	if slices.ContainsFunc(got, func(o object.StateObject) bool { return o != got[0] }) {
		t.Errorf("concurrent GetOrCreate = %v, want one object", got)
	}
}

func TestAnAttributeReadsWhatWasAssigned(t *testing.T) {
	s := session(t, newManager(t, 1), "a")
	if v, set := s.Attr("x"); v != nil || set {
		t.Errorf("Attr(x) of nothing = %v, %v, want nil, false", v, set)
	}
	list := []any{1, "two"}
	s.SetAttr("x", list)
	v, set := s.Attr("x")
	if got := v.([]any); !set || len(got) != 2 || &got[0] != &list[0] {
		t.Errorf("Attr(x) = %v, want the very list", v)
	}
	s.SetAttr("y", 3)
	s.SetAttr("y", 4)
	if got, want := s.AttrNames(), []string{"x", "y"}; !slices.Equal(got, want) {
		t.Errorf("AttrNames() = %q, want %q", got, want)
	}
	s.SetAttr("x", nil)
	s.ClearAttr("y")
	if got := s.AttrNames(); len(got) != 0 {
		t.Errorf("AttrNames() after clearing = %q, want none", got)
	}
}

func TestATypedAttributeReadsItsDefaultUntilItIsWritten(t *testing.T) {
	s := session(t, newManager(t, 1), "a")
	start := manager.NewAttr("start", 5)
	if got := start.Get(s); got != 5 || start.IsSet(s) || start.Name() != "start" {
		t.Errorf("Get() unwritten = %d, set %v, want 5, false", got, start.IsSet(s))
	}
	start.Set(s, 9)
	again := manager.NewAttr("start", 1) // a second adapter
	if got, set, err := again.Lookup(s); got != 9 || !set || err != nil {
		t.Errorf("Lookup() by a second adapter = %d, %v, %v, want 9", got, set, err)
	}
	if v, _ := s.Attr("start"); v != 9 {
		t.Errorf("Attr(start) = %v, want 9", v)
	}
	start.Set(s, 5)
	if got := start.Get(s); got != 5 {
		t.Errorf("Get() after writing the default = %d, want 5", got)
	}
	start.Clear(s)
	if got, set, err := start.Lookup(s); got != 5 || set || err != nil {
		t.Errorf("Lookup() cleared = %d, %v, %v, want 5, false", got, set, err)
	}
	s.SetAttr("start", 11)
	if got, set, err := start.Lookup(s); got != 11 || start.Get(s) != 11 || !set || err != nil {
		t.Errorf("Lookup() of an untyped assignment = %d, %v, %v, want 11", got, set, err)
	}
}

func TestTwoTypesUnderOneNameAreToldApart(t *testing.T) {
	s := session(t, newManager(t, 1), "a")
	number, text := manager.NewAttr("x", 5), manager.NewAttr("x", "none")
	text.Set(s, "three")
	if got := number.Get(s); got != 5 {
		t.Errorf("Get() of an attribute that holds a text = %d, want the default 5", got)
	}
	if _, set, err := number.Lookup(s); !set || !errors.Is(err, fault.ErrTypeMismatch) || err.Error() != `look up attribute "x" as int: it holds a string` {
		t.Errorf("Lookup() = %v, %v, want ErrTypeMismatch that names both types", set, err)
	}
	if err := number.Edit(s, func(n *int) { *n = 1 }); !errors.Is(err, fault.ErrTypeMismatch) || text.Get(s) != "three" {
		t.Errorf("Edit() = %v, leaving %q, want ErrTypeMismatch and no change", err, text.Get(s))
	}
	number.Set(s, 7)
	if number.Get(s) != 7 || text.Get(s) != "none" {
		t.Errorf("after Set: %d and %q, want 7 and the other's default", number.Get(s), text.Get(s))
	}
}

func TestNoDefaultIsSharedBetweenSessions(t *testing.T) {
	m := newManager(t, 2)
	a, b := session(t, m, "a"), session(t, m, "b")
	nested := manager.NewAttr("nested", []any{1, map[string]any{"k": []any{2}}})
	nested.Get(a)[0] = 9
	nested.Get(a)[1].(map[string]any)["k"].([]any)[0] = 9
	if got := nested.Get(b); fmt.Sprint(got) != "[1 map[k:[2]]]" {
		t.Errorf("the default in another session = %v after one was changed", got)
	}
	fresh := manager.NewAttrFunc("fresh", func() []int { return []int{1} })
	fresh.Get(a)[0] = 9
	if got := fresh.Get(b)[0]; got != 1 {
		t.Errorf("the made default in another session = %d, want 1", got)
	}
	if err := fresh.Edit(a, func(l *[]int) { *l = append(*l, 2) }); err != nil || len(fresh.Get(a)) != 2 || fresh.IsSet(b) {
		t.Errorf("Edit() = %v, then %v here and set %v there, want [1 2], false", err, fresh.Get(a), fresh.IsSet(b))
	}
}

func TestUpdateChangesAHeldContainerInPlace(t *testing.T) {
	m := newManager(t, 1)
	s := session(t, m, "a")
	s.SetAttr("frames", map[string]any{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 300 {
			s.Update(func(e *manager.Edit) {
				v, _ := e.Attr("frames")
				v.(map[string]any)[fmt.Sprint(i)] = bytesLong(t, 10)
			})
		}
	})
	for range 300 {
		if got := m.Stats().TotalBytes; got%10 != 0 {
			t.Errorf("Stats() while a container grows = %d, want whole frames", got)
		}
	}
	wg.Wait()
	if got := m.Stats().TotalBytes; got != 3000 {
		t.Errorf("Stats() of what has grown = %d, want 3000", got)
	}
	s.Update(func(e *manager.Edit) {
		e.ClearAttr("frames")
		e.SetAttr("n", 1)
		if err := e.Put("ring", object.NewLatentBuffer("ring")); err != nil {
			t.Error(err)
		}
		if objects, attrs := e.Names(), e.AttrNames(); !slices.Equal(objects, []string{"ring"}) || !slices.Equal(attrs, []string{"n"}) {
			t.Errorf("Names(), AttrNames() inside Update = %q, %q, want [ring], [n]", objects, attrs)
		}
		if _, err := e.Object("ring"); err != nil {
			t.Error(err)
		}
	})
	if got, want := s.AttrNames(), []string{"n"}; !slices.Equal(got, want) {
		t.Errorf("AttrNames() = %q, want %q", got, want)
	}
}

// A nosyKind asks for the manager's figures while it is reset.
type nosyKind struct {
	*object.LatentBuffer
	m      *manager.Manager
	failed error
}

func (n *nosyKind) Reset() error {
	n.m.Stats()
	return errors.Join(n.failed, n.LatentBuffer.Reset())
}

func TestResetReachesEveryObjectAndKeepsTheNames(t *testing.T) {
	m := newManager(t, 1)
	s := session(t, m, "a")
	calls.Set(s, 3)
	ring := put(t, s, "ring", 10)
	failure := errors.New("stuck")
	if err := s.Put("nosy", &nosyKind{object.NewLatentBuffer("nosy"), m, failure}); err != nil {
		t.Fatal(err)
	}
	if err := s.Reset(); !errors.Is(err, failure) {
		t.Errorf("Reset() = %v, want what an object said", err)
	}
	if ring.Resident() || calls.IsSet(s) || !slices.Equal(s.Names(), []string{"nosy", "ring"}) || s.Bytes().Total != 0 {
		t.Errorf("after Reset: resident %v, set %v, names %q, %d bytes", ring.Resident(), calls.IsSet(s), s.Names(), s.Bytes().Total)
	}
	calls.Set(s, 4)
	if got := calls.Get(s); got != 4 {
		t.Errorf("an attribute written after Reset = %d, want 4", got)
	}
}

func TestAttributesReadAndWriteWithoutAllocating(t *testing.T) {
	s := session(t, newManager(t, 1), "a")
	n := 1 << 40
	calls.Set(s, n)
	if allocs := testing.AllocsPerRun(100, func() { calls.Set(s, calls.Get(s)+n) }); allocs != 0 {
		t.Errorf("attribute read and write allocate %v times, want 0", allocs)
	}
}
