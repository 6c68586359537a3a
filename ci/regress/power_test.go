package regress_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/perf/benchproc"

	"github.com/statespec/statespec/ci/regress"
)

// A noise is what the values of a benchmark are that does not change.
type noise struct {
	name string
	// draw makes values for old and new, n each.
	draw func(r *rand.Rand, n int) (old, new []float64)
}

// generated draws every value by itself.
func generated(one func(r *rand.Rand) float64) func(*rand.Rand, int) (old, new []float64) {
	return func(r *rand.Rand, n int) (old, new []float64) {
		for range n {
			old, new = append(old, one(r)), append(new, one(r))
		}
		return old, new
	}
}

// recorded deals the values that were recorded, each at most once.
func recorded(t *testing.T, file, name, unit string) func(*rand.Rand, int) (old, new []float64) {
	text := recording(t, file)
	f, err := read(text, text)
	if err != nil {
		t.Fatal(err)
	}
	all := values(f.Old, unit)[name]
	if len(all) != 40 {
		t.Fatalf("%s has %d values of %s, want 40", file, len(all), name)
	}
	for i := range all {
		all[i] *= 1 + 1e-9*float64(i) // ties, which four digits make, cost the exact test much time
	}
	return func(r *rand.Rand, n int) (old, new []float64) {
		p := r.Perm(len(all))
		for i := range n {
			old, new = append(old, all[p[i]]), append(new, all[p[n+i]])
		}
		return old, new
	}
}

func recording(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func noises(t *testing.T) []noise {
	return []noise{
		{"generated, 1.7 % a ratio", generated(func(r *rand.Rand) float64 { return math.Exp(0.017 * r.NormFloat64()) })},
		{"generated, 5 %, one in ten late", generated(func(r *rand.Rand) float64 {
			v := math.Exp(0.05 * r.NormFloat64())
			if r.IntN(10) == 0 {
				v *= 1 + 0.3*r.ExpFloat64()
			}
			return v
		})},
		{"generated, 15 %", generated(func(r *rand.Rand) float64 { return math.Exp(0.15 * r.NormFloat64()) })},
		{"recorded, a copy", recorded(t, "paired.txt", "Copy/impl=statespec-2", "ratio")},
		{"recorded, look-ups", recorded(t, "paired.txt", "LookUp/impl=statespec-2", "ratio")},
		{"recorded, allocations", recorded(t, "paired.txt", "Allocate/impl=statespec-2", "ratio")},
		{"recorded, not paired", recorded(t, "alone.txt", "Hit/impl=statespec-2", "x/control")},
	}
}

const trials = 400

// words judges many comparisons of one noise, new changed by an effect, each with
// its part of an alpha that so many share.
func words(t *testing.T, seed uint64, n int, effect float64, shared int, x noise) map[regress.Word]float64 {
	t.Helper()
	r := rand.New(rand.NewPCG(1, seed))
	var olds, news strings.Builder
	for i := range trials {
		old, new := x.draw(r, n)
		for k := range new {
			new[k] *= effect
		}
		olds.WriteString(each(fmt.Sprintf("X%d", i), "ratio", old...))
		news.WriteString(each(fmt.Sprintf("X%d", i), "ratio", new...))
	}
	files, err := read(olds.String(), news.String())
	if err != nil {
		t.Fatal(err)
	}
	// Make shares alpha among all trials: give each what it would have.
	alpha := regress.DefaultAlpha * trials / float64(shared)
	report, err := regress.Make(files, regress.Options{Thresholds: regress.Thresholds{Alpha: alpha}})
	if err != nil {
		t.Fatal(err)
	}
	parts := map[regress.Word]float64{}
	for w, n := range report.Words {
		parts[w] = 100 * float64(n) / trials
	}
	return parts
}

const powerHead = `# How often the gate is right

Made by ` + "`go generate ./ci/regress`" + `; a test of the same name checks it. Seeds are fixed.

Each line is %d comparisons of one ratio to its control, judged by the built-in terms: worse than 5 %%, by a
p below alpha 0.01, which is shared by so many comparisons; a pass must rule out 15 %%. "Found" is judged
*worse*; "missed" is judged *held* or *better*; the rest *cannot be told*, which is no pass. Of 6 runs nothing can
be told where 20 comparisons share alpha, and that is left out. A/A is new against itself: what it calls worse is a false alarm. "Recorded" values were measured on a busy 2-core machine
and are dealt to old and new at random: a copy, map look-ups and allocations in paired rounds of one process,
and hits against their control as 40 runs of go test have them, a few milliseconds each.

| noise | runs | shared by | A/A: worse | cannot tell | +10 %%: found | missed | +25 %%: found | missed |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
`

//go:generate go test -run TestPower -update .

func TestPower(t *testing.T) {
	var b bytes.Buffer
	fmt.Fprintf(&b, powerHead, trials)
	seed, alarms, asked := uint64(0), 0.0, 0.0
	for _, x := range noises(t) {
		for _, shared := range []int{1, 20} {
			for _, n := range []int{6, 10, 20} {
				if shared == 20 && n == 6 {
					continue // nothing can be told: TestGatedComparisonsShareAlpha
				}
				seed++
				same, ten, more := words(t, seed, n, 1, shared, x), words(t, seed, n, 1.10, shared, x), words(t, seed, n, 1.25, shared, x)
				missed := func(w map[regress.Word]float64) float64 { return w[regress.Held] + w[regress.Improved] }
				fmt.Fprintf(&b, "| %s | %d | %d | %.2f %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% |\n", x.name, n, shared,
					same[regress.Worse], same[regress.CannotTell], ten[regress.Worse], missed(ten), more[regress.Worse], missed(more))
				alarms, asked = alarms+same[regress.Worse], asked+1
				if same[regress.Worse] > 2 {
					t.Errorf("%s, %d runs: %.2f %% false alarms, want at most 2 %%", x.name, n, same[regress.Worse])
				}
				if missed(more) > 2.5 { // what an interval of 95 % may miss on one side
					t.Errorf("%s, %d runs: %.2f %% of +25 %% pass, want at most 2.5 %%", x.name, n, missed(more))
				}
			}
		}
	}
	// Half of alpha is for worse, and a change has to be above the threshold too.
	if alarms/asked > 50*regress.DefaultAlpha {
		t.Errorf("false alarms = %.2f %% on average, want at most half of alpha, %.2f %%", alarms/asked, 50*regress.DefaultAlpha)
	}
	b.WriteString("\n## Whole recordings against themselves\n\nThe 40 rounds of a recording dealt to old and new, every gated unit judged, the whole gate's verdict.\n\n")
	b.WriteString("| recording | dealt | gates | regression | no verdict | as expected |\n|---|---|---:|---:|---:|---:|\n")
	for _, file := range []string{"paired.txt", "alone.txt"} {
		for _, deal := range deals() {
			verdicts := map[regress.Verdict]int{}
			for i := range deal.gates {
				r := dealt(t, recording(t, file), deal.of(rand.New(rand.NewPCG(2, uint64(i)))))
				if verdicts[r.Verdict]++; r.Verdict == regress.Regression {
					t.Errorf("%s against itself, %s: %s, want no regression", file, deal.name, r.Line)
				}
			}
			fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d |\n", file, deal.name, deal.gates,
				verdicts[regress.Regression], verdicts[regress.NoVerdict], verdicts[regress.AsExpected])
		}
	}
	golden(t, "POWER.md", b.Bytes())
}

// A deal says which rounds of 40 are old, new, or neither.
type deal struct {
	name  string
	gates int
	of    func(r *rand.Rand) (side [40]string)
}

func deals() []deal {
	random := func(n int) func(*rand.Rand) [40]string {
		return func(r *rand.Rand) (side [40]string) {
			for i, round := range r.Perm(40)[:2*n] {
				side[round] = []string{"old", "new"}[i%2]
			}
			return side
		}
	}
	return []deal{
		{"in turn", 1, func(*rand.Rand) (side [40]string) {
			for i := range side {
				side[i] = []string{"old", "new"}[i%2]
			}
			return side
		}},
		{"first half, second half", 1, func(*rand.Rand) (side [40]string) {
			for i := range side {
				side[i] = []string{"old", "new"}[i/20]
			}
			return side
		}},
		{"6 each at random", 10, random(6)}, {"10 each at random", 10, random(10)}, {"20 each at random", 10, random(20)},
	}
}

// dealt compares rounds of one recording.
func dealt(t *testing.T, text string, side [40]string) *regress.Report {
	t.Helper()
	files := map[string]*strings.Builder{"old": {}, "new": {}, "": {}}
	rounds := map[string]int{}
	pkg := ""
	for line := range strings.Lines(text) {
		name, _, _ := strings.Cut(line, " ")
		if !strings.HasPrefix(line, "Benchmark") {
			if strings.HasPrefix(line, "pkg: ") {
				pkg = line
			}
			files["old"].WriteString(line)
			files["new"].WriteString(line)
			continue
		}
		name, _, _ = strings.Cut(name, "\t")
		round := rounds[pkg+name]
		rounds[pkg+name]++
		files[side[round]].WriteString(line)
	}
	gated, err := benchproc.NewFilter("-.unit:(sec/op OR B/s)")
	if err != nil {
		t.Fatal(err)
	}
	f, err := regress.Read(regress.Input{Name: "old", Data: []byte(files["old"].String())}, regress.Input{Name: "new", Data: []byte(files["new"].String())}, gated)
	if err != nil {
		t.Fatal(err)
	}
	r, err := regress.Make(f, regress.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
