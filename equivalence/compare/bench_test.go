package compare_test

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/statespec/statespec/equivalence/compare"
	"github.com/statespec/statespec/equivalence/npy"
)

// benchMiB is the size of the files; the page cache has to hold two of them.
var benchMiB = flag.Int("mib", 256, "MiB of each artefact that a benchmark compares")

// A pair is two files and how they are compared.
type pair struct {
	name    string
	differ  float64 // share of elements that differ
	options compare.Options
	most    float64 // ratio to the control that is aimed at
}

// BenchmarkPaths compares pairs beside a control, bytes.Equal of an equal pair
// mapped anew: in each round every variant once, in turn, and the ratio of a round
// is what is told. Absolute times of a shared machine say little.
func BenchmarkPaths(b *testing.B) {
	pairs := []pair{
		{"equal", 0, compare.Options{}, 1.1},
		{"sparse", 1e-6, compare.Options{}, 1.3},
		{"dense-count", 0.65, compare.Options{CountOnly: true}, 3.5},
		{"dense-all", 0.65, compare.Options{}, 20},
	}
	dir := b.TempDir()
	first := filepath.Join(dir, "a.npy")
	writeFloats(b, first, 0)
	others := make([]string, len(pairs))
	written := map[float64]string{}
	for i, p := range pairs {
		if written[p.differ] == "" {
			written[p.differ] = filepath.Join(dir, p.name+".npy")
			writeFloats(b, written[p.differ], p.differ)
		}
		others[i] = written[p.differ]
	}
	ratios := make([][]float64, len(pairs))
	var control []float64
	for range 2 { // the page cache and the branch predictor
		mappedEqual(b, first, others[0])
	}
	for round := range rounds(b, 9) {
		base := mappedEqual(b, first, others[0])
		control = append(control, base.Seconds())
		for k := range pairs {
			i := (k + round) % len(pairs)
			ratios[i] = append(ratios[i], timed(b, first, others[i], pairs[i]).Seconds()/base.Seconds())
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(*benchMiB)/1024/median(control), "control-GiB/s")
	for i, p := range pairs {
		b.ReportMetric(median(ratios[i]), p.name+"/control")
		b.Logf("%-12s %.2f of the control (aim: at most %g), rounds %.2f", p.name, median(ratios[i]), p.most, ratios[i])
	}
}

// rounds are at least so many, and as many as -benchtime wants.
func rounds(b *testing.B, least int) iter.Seq[int] {
	return func(yield func(int) bool) {
		round := 0
		for b.Loop() {
			for range least {
				if !yield(round) {
					return
				}
				round++
			}
		}
	}
}

func median(of []float64) float64 {
	of = slices.Sorted(slices.Values(of))
	return of[len(of)/2]
}

func timed(b *testing.B, x, y string, p pair) time.Duration {
	start := time.Now()
	r, err := compare.Paths(b.Context(), x, y, p.options)
	took := time.Since(start)
	if err != nil || r.Equal != (p.differ == 0) {
		b.Fatalf("%s: Paths = %+v, %v", p.name, r, err)
	}
	return took
}

// mappedEqual times bytes.Equal of two files, mapped for it.
func mappedEqual(b *testing.B, x, y string) time.Duration {
	start := time.Now()
	mx, my := mapped(b, x), mapped(b, y)
	equal := bytes.Equal(mx, my)
	syscall.Munmap(mx)
	syscall.Munmap(my)
	took := time.Since(start)
	if !equal {
		b.Fatal("the control's files differ")
	}
	return took
}

func mapped(b *testing.B, path string) []byte {
	b.Helper()
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		b.Fatal(err)
	}
	m, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		b.Fatal(err)
	}
	return m
}

// writeFloats writes float32 frames, a share of them one to fifteen units in the
// last place off.
func writeFloats(b *testing.B, path string, differ float64) {
	b.Helper()
	const frame = 32 * 44 * 80
	n := *benchMiB << 20 / 4 / frame
	values, flips := rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(3, 4))
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	header := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, 32, 44, 80), }", n)
	if _, err := fmt.Fprintf(f, "\x93NUMPY\x01\x00\x76\x00%-117s\n", header); err != nil {
		b.Fatal(err)
	}
	buffer := make([]byte, 4*frame)
	for range n {
		for i := range frame {
			v := values.Uint32()>>9 | 0x3f000000
			if differ > 0 && flips.Float64() < differ {
				v ^= 1 + flips.Uint32()>>28
			}
			binary.LittleEndian.PutUint32(buffer[4*i:], v)
		}
		if _, err := f.Write(buffer); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReadFile reads an array of 64 MiB beside os.ReadFile of the same file.
func BenchmarkReadFile(b *testing.B) {
	*benchMiB = min(*benchMiB, 64)
	path := filepath.Join(b.TempDir(), "a.npy")
	writeFloats(b, path, 0)
	var ratios []float64
	for round := range rounds(b, 15) {
		var took [2]time.Duration
		for k := range took {
			i := (k + round) % 2
			start := time.Now()
			var err error
			if i == 0 {
				_, err = os.ReadFile(path)
			} else {
				_, _, err = npy.ReadFile(path)
			}
			took[i] = time.Since(start)
			if err != nil {
				b.Fatal(err)
			}
		}
		ratios = append(ratios, took[1].Seconds()/took[0].Seconds())
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(ratios), "readfile/control")
}
