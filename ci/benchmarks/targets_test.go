package benchmarks_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/statespec/statespec/ci/benchmarks"
	"github.com/statespec/statespec/ci/paired"
	"github.com/statespec/statespec/ci/regress"
)

func TestWhatIsMeasuredIsHeldAgainstTheTargets(t *testing.T) {
	list := []paired.Benchmark{{Name: "X", Doc: "x", Variants: []paired.Variant{
		{Name: "impl=below", Most: paired.AtMost(1)}, {Name: "impl=straddling", Most: paired.AtMost(1)},
		{Name: "impl=above", Most: paired.AtMost(1)}, {Name: "impl=few", Most: paired.AtMost(1)},
		{Name: "impl=wide", Most: paired.AtMost(1)}, {Name: "impl=widebelow", Most: paired.AtMost(1)},
		{Name: "impl=allocating", Most: map[string]float64{"allocs/op": 0}}, {Name: "impl=varying", Most: map[string]float64{"allocs/op": 0}},
		{Name: "impl=unallocating", Most: map[string]float64{"allocs/op": 0}},
		{Name: "impl=gone", Most: map[string]float64{"sec/op": 5}}, {Name: "impl=control"},
	}}}
	var text strings.Builder
	for i := range 8 {
		fmt.Fprintf(&text, "BenchmarkX/impl=below 10 5 ns/op 0.9%d x/control\n", i)
		fmt.Fprintf(&text, "BenchmarkX/impl=straddling-2 10 5 ns/op %g x/control\n", 0.98+0.01*float64(i))
		fmt.Fprintf(&text, "BenchmarkX/impl=above 10 5 ns/op 1.1%d x/control\n", i)
		fmt.Fprintf(&text, "BenchmarkX/impl=wide 10 5 ns/op %g x/control\n", 0.7+0.07*float64(i))
		fmt.Fprintf(&text, "BenchmarkX/impl=widebelow 10 5 ns/op %g x/control\n", 0.5+0.07*float64(i))
		fmt.Fprintf(&text, "BenchmarkX/impl=allocating 10 5 ns/op 1 allocs/op\n")
		fmt.Fprintf(&text, "BenchmarkX/impl=varying 10 5 ns/op %d allocs/op\n", i/5)
		fmt.Fprintf(&text, "BenchmarkX/impl=unallocating 10 5 ns/op 0 allocs/op\n")
		if i < 5 {
			fmt.Fprintf(&text, "BenchmarkX/impl=few 10 5 ns/op 0.5 x/control\n")
		}
	}
	rec, err := regress.ReadOne(regress.Input{Name: "a.txt", Data: []byte(text.String())})
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	targets := benchmarks.Targets(list, rec)
	for _, target := range targets {
		words = append(words, target.Name+" "+string(target.Worst()))
	}
	want := "X/impl=below met; X/impl=straddling close; X/impl=above missed; X/impl=few cannot tell; X/impl=wide cannot tell; X/impl=widebelow met; X/impl=allocating missed; X/impl=varying cannot tell; X/impl=unallocating met"
	if got := strings.Join(words, "; "); got != want {
		t.Errorf("words\n%s, want\n%s", got, want)
	}
	var table strings.Builder
	if err := benchmarks.WriteTargets(&table, targets, rec); err != nil || !strings.Contains(table.String(), "| X/impl=above | x/control | 1 | 1.13, 1.1 to 1.16 | missed |") {
		t.Errorf("%v\n%s", err, table.String())
	}
}

// What the targets demand without a ratio: the fast paths allocate nothing.
func TestWhatIsHotIsHeldToNoAllocations(t *testing.T) {
	aims := map[string]float64{}
	for _, a := range benchmarks.Aims(benchmarks.Everything()) {
		if a.Unit == "allocs/op" {
			aims[a.Name] = a.Most
		}
	}
	for _, name := range []string{
		"Hit/impl=statespec/sessions=64", "AttrRead/impl=statespec/attributes=12", "AttrWrite/impl=statespec/attributes=12",
		"Ring/frames=2/impl=statespec", "Ring/frames=4/impl=statespec", "Ring/frames=64/impl=statespec",
	} {
		if most, aimed := aims[name]; !aimed || most != 0 {
			t.Errorf("%s: at most %v allocations, aimed at: %v, want 0", name, most, aimed)
		}
	}
}
