package account_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
)

func made(t testing.TB, n int) *tensor.Tensor {
	t.Helper()
	v, err := tensor.New(dtype.UInt8, n)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func narrow(t testing.TB, v *tensor.Tensor, start, n int) *tensor.Tensor {
	t.Helper()
	v, err := v.Narrow(0, start, n)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func wrapped(t testing.TB, b []byte) *tensor.Tensor {
	t.Helper()
	v, err := tensor.Of(tensor.WrapBytes(b), dtype.UInt8, []int{len(b)}, []int{1}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The kinds of Go types that a value may be made of.
type (
	record struct {
		Name   string
		hidden *tensor.Tensor
		list   []any
	}
	link struct {
		next *link
		t    *tensor.Tensor
	}
	samples []float32
	frames  []*tensor.Tensor
	vec     struct{ X, Y, Z float32 }
	holder  struct{ held []any }
	pointed struct{ held []any }
	opaque  struct{ why string }
	tree    struct {
		kids []tree
		t    *tensor.Tensor
	}
	byValue struct {
		st  tensor.Storage
		arr [16]int32
	}
)

func (h holder) VisitHeld(visit func(any)) {
	for _, v := range h.held {
		visit(v)
	}
}

func (h *pointed) VisitHeld(visit func(any)) { holder(*h).VisitHeld(visit) }

func (o opaque) Unmeasurable() string { return o.why }

func TestEveryContainerIsWalked(t *testing.T) {
	a, b := made(t, 100), made(t, 10)
	array := [2]any{a, b}
	five := [5]float64{}
	deep := &link{t: b, next: &link{t: a}}
	for name, c := range map[string]struct {
		v    any
		want int64
	}{
		"nothing":                {nil, 0},
		"scalars and text":       {[]any{1, "text", 2.5, true, []string{"a"}, map[string]int{"x": 1}, struct{ N int }{3}}, 0},
		"tensor":                 {a, 100},
		"nil tensor":             {(*tensor.Tensor)(nil), 0},
		"nil pointers":           {[]any{(*pointed)(nil), (*record)(nil), map[string]any(nil), (*vault)(nil), record{}}, 0},
		"tensor by value":        {[]tensor.Tensor{*a, *b}, 110},
		"slice of interfaces":    {[]account.Holder{holder{[]any{a}}, nil}, 100},
		"tensor by pointer":      {&a, 100},
		"tensors by pointer":     {&frames{a, b}, 110},
		"storage":                {a.Storage(), 100},
		"list":                   {[]any{a, nil, b, a}, 110},
		"tensors":                {[]*tensor.Tensor{a, nil, b}, 110},
		"named tensors":          {frames{a, b}, 110},
		"array":                  {array, 110},
		"pointer to array":       {&array, 110},
		"map values":             {map[string]any{"a": a, "b": []any{b}}, 110},
		"typed map":              {map[int]*tensor.Tensor{1: a, 2: b}, 110},
		"map keys":               {map[any]bool{a: true, b: true}, 110},
		"set":                    {map[*tensor.Tensor]struct{}{a: {}}, 100},
		"record":                 {record{"r", a, []any{b}}, 110},
		"pointer to record":      {&record{"r", a, []any{b}}, 110},
		"records in a map":       {map[string]record{"x": {"r", a, []any{b}}}, 110},
		"chain":                  {deep, 110},
		"tree":                   {tree{kids: []tree{{t: a}, {kids: []tree{{t: b}}}}}, 110},
		"holder":                 {holder{[]any{a, []any{b}}}, 110},
		"holder by pointer":      {&pointed{[]any{a}}, 100},
		"holder in a field":      {struct{ p pointed }{pointed{[]any{a}}}, 100},
		"holder in a list":       {[]pointed{{[]any{a}}, {[]any{b}}}, 110},
		"bytes":                  {make([]byte, 3, 16), 16},
		"numbers":                {make([]int64, 4), 32},
		"named numbers":          {make(samples, 4), 16},
		"vectors":                {make([]vec, 4), 48},
		"rows":                   {make([][4]uint16, 3), 24},
		"lists of numbers":       {[][]float32{make([]float32, 2), make([]float32, 3)}, 20},
		"pointer to an array":    {&five, 40},
		"slice of an array":      {[]any{five[:2], &five}, 40},
		"array in an interface":  {five, 40},
		"array in a map":         {map[string][2]int64{"a": {}, "b": {}}, 32},
		"storage by value":       {&byValue{st: *a.Storage()}, 164},
		"pointer to interface":   {new(any(a)), 100},
		"complex numbers":        {[]complex128{1, 2}, 32},
		"empty slice with room":  {make([]byte, 0, 8), 8},
		"zero bytes hide nobody": {[]any{made(t, 0), made(t, 0), tensor.WrapBytes(nil), []byte{}, b}, 10},
	} {
		got := account.Measure(c.v)
		if got.Total != c.want || got.ByDevice[tensor.CPU] != c.want || len(got.Unmeasured) != 0 {
			t.Errorf("Measure(%s) = %+v, want %d", name, got, c.want)
		}
	}
}

func TestViewsOfOneStorageCountItOnceAndWhole(t *testing.T) {
	base := made(t, 1000)
	turned, err := base.Expand(3, 1000)
	if err != nil {
		t.Fatal(err)
	}
	wide, err := base.Retype(dtype.Float64)
	if err != nil {
		t.Fatal(err)
	}
	views := []any{narrow(t, base, 0, 10), narrow(t, base, 5, 10), narrow(t, base, 900, 100), turned, wide, base.Storage(), base.Storage().Bytes()[7:9]}
	for i, v := range views[:6] {
		if got := account.Measure(v).Total; got != 1000 {
			t.Errorf("Measure(view %d) = %d, want the 1000 that it keeps alive", i, got)
		}
	}
	if got := account.Measure(views...).Total; got != 1000 {
		t.Errorf("Measure(all views) = %d, want 1000", got)
	}
}

// Whatever the order in which aliases are met, the union of their intervals
// counts.
func TestTheCountIsAUnionWhateverTheOrder(t *testing.T) {
	array := make([]byte, 800)
	owned := made(t, 500)
	for name, c := range map[string]struct {
		values []any
		want   int64
	}{
		"first 80 wrapped, then the array": {[]any{wrapped(t, array[:80:80]), array}, 800},
		"second half wrapped":              {[]any{array, wrapped(t, array[400:])}, 800},
		"two wraps that overlap":           {[]any{wrapped(t, array[0:500:500]), wrapped(t, array[300:700:700])}, 700},
		"two wraps that touch":             {[]any{wrapped(t, array[0:300:300]), wrapped(t, array[300:700:700])}, 700},
		"two wraps apart":                  {[]any{wrapped(t, array[0:100:100]), wrapped(t, array[300:400:400])}, 200},
		"a tensor and its bytes":           {[]any{owned, owned.Storage().Bytes()[100:200:200], array[:100:100]}, 600},
		"bytes of a tensor alone":          {[]any{owned.Storage().Bytes()[100:200:200]}, 100},
		"the same address, other lengths":  {[]any{array[:1:1], array[:10:10], array[:100:100], wrapped(t, array[:50:50])}, 100},
	} {
		for range 20 {
			rand.Shuffle(len(c.values), func(i, j int) { c.values[i], c.values[j] = c.values[j], c.values[i] })
			if got := account.Measure(c.values...).Total; got != c.want {
				t.Errorf("Measure(%s) = %d, want %d", name, got, c.want)
			}
		}
	}
}

func TestDevicesAreCountedApart(t *testing.T) {
	got := account.Measure(
		made(t, 100),
		tensor.NewForeignStorage("cuda:0", 1<<40, 1000), tensor.NewForeignStorage("cuda:0", 1<<40+500, 1000),
		tensor.NewForeignStorage("cuda:1", 1<<40, 50), tensor.NewForeignStorage("cuda:2", 0, 0),
	)
	want := map[tensor.Device]int64{"cpu": 100, "cuda:0": 1500, "cuda:1": 50}
	if !maps.Equal(got.ByDevice, want) || got.Total != 1650 {
		t.Errorf("Measure = %+v, want %v, total 1650", got, want)
	}
}

func TestWhatContainsItselfIsCountedOnce(t *testing.T) {
	a := made(t, 10)
	list := []any{a, nil}
	list[1] = list
	dict := map[string]any{"a": a}
	dict["self"] = dict
	ring := &link{t: a}
	ring.next = ring
	var loop any
	loop = &loop
	held := &pointed{held: []any{a, nil}}
	held.held[1] = held
	for name, v := range map[string]any{"list": list, "map": dict, "chain": ring, "holder": held} {
		if got := account.Measure(v); got.Total != 10 {
			t.Errorf("Measure(%s in itself) = %+v, want 10", name, got)
		}
	}
	if got := account.Measure(loop); got.Total != 0 {
		t.Errorf("Measure(pointer to itself) = %+v, want 0", got)
	}
}

func TestDeepNestingDoesNotGrowTheStack(t *testing.T) {
	var v any = made(t, 10)
	chain := &link{t: made(t, 1)}
	for range 100_000 {
		v = []any{v}
		chain = &link{next: chain}
	}
	w := account.NewWalker()
	w.Walk("", v)
	w.Walk("", chain)
	if got := w.Report().Total; got != 11 {
		t.Errorf("Measure(100,000 lists and links deep) = %d, want 11", got)
	}
}

func TestALongNumericSequenceTakesOneStep(t *testing.T) {
	numbers := make([]int64, 3_000_000)
	w := account.NewWalker()
	allocs := testing.AllocsPerRun(5, func() {
		w.Walk("", numbers)
		if got := w.Report().Total; got != 24_000_000 {
			t.Errorf("Measure(3 million numbers) = %d, want 24,000,000", got)
		}
	})
	if allocs > 10 {
		t.Errorf("counting 3 million numbers allocates %v times, want a handful", allocs)
	}
}

func TestWhatCannotBeMeasuredIsNamedAndTheRestCounted(t *testing.T) {
	w := account.NewWalker()
	w.Walk("first", []any{made(t, 10), make(chan int), func() {}, opaque{"a sparse matrix"}, &opaque{}, unsafe.Pointer(t)})
	w.Walk("", struct{ f func() }{})
	w.Walk("", struct{ c chan int }{make(chan int)})
	got := w.Report()
	want := []string{"chan int", "first: *account_test.opaque", "first: a sparse matrix", "first: chan int", "first: func()", "first: unsafe.Pointer"}
	if got.Total != 10 || !slices.Equal(got.Unmeasured, want) {
		t.Errorf("Report() = %+v, want 10 bytes and %q unmeasured", got, want)
	}
	if again := w.Report(); again.Total != 0 || again.Unmeasured != nil {
		t.Errorf("the next Report() = %+v, want nothing", again)
	}
}

func TestBytesKnownByNumberCountOnceForEachWho(t *testing.T) {
	w := account.NewWalker()
	who := &record{}
	for range 2 {
		w.Count(who, map[tensor.Device]int64{"cpu": 7, "cuda:0": 3})
	}
	w.Walk("", made(t, 10))
	if got := w.Report(); got.Total != 20 || got.ByDevice["cuda:0"] != 3 {
		t.Errorf("Report() = %+v, want 17 on cpu and 3 on cuda:0", got)
	}
}

// A vault is a Root: it must not be walked while another is.
type vault struct {
	content []any
	busy    *bool
	t       *testing.T
}

func (v *vault) WalkHeld(w *account.Walker) {
	if *v.busy {
		v.t.Errorf("a Root was walked inside another")
	}
	*v.busy = true
	w.Within("vault", "v")
	for _, c := range v.content {
		w.Walk("content", c)
	}
	*v.busy = false
}

func TestRootsMayHoldEachOther(t *testing.T) {
	busy := false
	a, b := &vault{busy: &busy, t: t}, &vault{busy: &busy, t: t}
	a.content = []any{made(t, 10), []any{b}, a}
	b.content = []any{map[string]any{"a": a}, made(t, 5), make(chan int)}
	got := account.Measure(a, b)
	if want := []string{`vault "v": content: chan int`}; got.Total != 15 || !slices.Equal(got.Unmeasured, want) {
		t.Errorf("Measure(two roots that hold each other) = %+v, want 15 and %q", got, want)
	}
}

func TestTheWalkChangesNothingAndCanBeRepeated(t *testing.T) {
	w := account.NewWalker()
	v := []any{made(t, 10), map[string]any{"a": made(t, 20)}, []byte{1, 2, 3}}
	for i := range 3 {
		w.Walk("", v)
		if got := w.Report().Total; got != 33 {
			t.Errorf("count %d = %d, want 33", i, got)
		}
	}
}
