package benchmarks

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"

	"github.com/statespec/statespec/ci/paired"
	"github.com/statespec/statespec/equivalence/compare"
	"github.com/statespec/statespec/equivalence/npy"
)

// A share says how many of a file's elements differ from the first file's.
type share float64

// The shares that are compared.
const (
	none   share = 0
	sparse share = 1e-6
	dense  share = 0.65
)

// artefacts are .npy files of random float32 frames, made when first asked for and
// removed with the last body that asked.
type artefacts struct {
	mib int

	mu    sync.Mutex
	users int
	dir   string
	made  map[string]bool
}

// use counts a user in; leave counts it out.
func (a *artefacts) use() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.users++
}

func (a *artefacts) leave() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.users--; a.users > 0 || a.dir == "" {
		return nil
	}
	dir := a.dir
	a.dir, a.made = "", nil
	return os.RemoveAll(dir)
}

// file is the path of a file of which a share differs; copies have the same content.
func (a *artefacts) file(ctx context.Context, differ share, copied int) (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.dir == "" {
		dir, err := os.MkdirTemp("", "statespec-bench-")
		if err != nil {
			return "", err
		}
		a.dir, a.made = dir, map[string]bool{}
	}
	path := filepath.Join(a.dir, fmt.Sprintf("%g-%d.npy", differ, copied))
	if a.made[path] {
		return path, nil
	}
	if err := writeFloats(ctx, path, a.mib, differ); err != nil {
		return "", err
	}
	a.made[path] = true
	return path, nil
}

// writeFloats writes frames of 32 × 44 × 80, a share of their elements one to fifteen
// units in the last place off.
func writeFloats(ctx context.Context, path string, mib int, differ share) (err error) {
	const frame = 32 * 44 * 80
	n := max(1, mib<<20/4/frame)
	values, flips := rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(3, 4))
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 1<<20)
	header := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, 32, 44, 80), }", n)
	fmt.Fprintf(w, "\x93NUMPY\x01\x00\x76\x00%-117s\n", header) // an error stays for Flush
	buffer := make([]byte, 4*frame)
	for range n {
		for i := range frame {
			v := values.Uint32()>>9 | 0x3f000000
			if differ > 0 && flips.Float64() < float64(differ) {
				v ^= 1 + flips.Uint32()>>28
			}
			binary.LittleEndian.PutUint32(buffer[4*i:], v)
		}
		if _, err := w.Write(buffer); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return w.Flush()
}

// compared compares the first file with another.
func (a *artefacts) compared(differ share, o compare.Options) func(context.Context) (*paired.Body, error) {
	return a.pair(differ, func(ctx context.Context, x, y string) error {
		r, err := compare.Paths(ctx, x, y, o)
		if err == nil && r.Equal != (differ == none) {
			err = unlike("the comparer's verdict", r.Verdict(), differ)
		}
		return err
	})
}

// equalled is bytes.Equal of two equal files, mapped for it.
func (a *artefacts) equalled(_ context.Context, x, y string) (err error) {
	mx, endX, err := mapped(x)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, endX()) }()
	my, endY, err := mapped(y)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, endY()) }()
	if !bytes.Equal(mx, my) {
		return unlike("bytes.Equal of equal files", false, true)
	}
	return nil
}

// pair is a body that does something with the first file and another.
func (a *artefacts) pair(differ share, do func(ctx context.Context, x, y string) error) func(context.Context) (*paired.Body, error) {
	return func(ctx context.Context) (*paired.Body, error) {
		a.use()
		x, err := a.file(ctx, none, 0)
		y := ""
		if err == nil {
			y, err = a.file(ctx, differ, 1)
		}
		if err != nil {
			return nil, errors.Join(err, a.leave())
		}
		return &paired.Body{Uncounted: true, Close: a.leave, Run: func(n int) error {
			for range n {
				if err := do(ctx, x, y); err != nil {
					return err
				}
			}
			return nil
		}}, nil
	}
}

func comparison(o Options) paired.Benchmark {
	a := &artefacts{mib: 64}
	if o.Long {
		a.mib = 1024
	}
	parts := fmt.Sprintf("mib=%d", a.mib)
	return paired.Benchmark{
		Name: "Compare", Doc: "two artefacts compared bit for bit: equal, with one element in a million off, with most off (count alone, and every statistic); the control maps an equal pair and asks bytes.Equal",
		Variants: []paired.Variant{
			{Name: "pair=equal/" + parts, Most: paired.AtMost(1.1), SetUp: a.compared(none, compare.Options{})},
			{Name: "pair=sparse/" + parts, Most: paired.AtMost(1.3), SetUp: a.compared(sparse, compare.Options{})},
			{Name: "pair=dense/statistics=count/" + parts, Most: paired.AtMost(3.5), SetUp: a.compared(dense, compare.Options{CountOnly: true})},
			{Name: "pair=dense/statistics=all/" + parts, Most: paired.AtMost(20), SetUp: a.compared(dense, compare.Options{})},
			{Name: controlled("/" + parts), SetUp: a.pair(none, a.equalled)},
		},
	}
}

func readArray() paired.Benchmark {
	a := &artefacts{mib: 64}
	return paired.Benchmark{
		Name: "ReadArray", Doc: "an array of 64 MiB read from a .npy file; the control is os.ReadFile of it",
		Variants: []paired.Variant{
			{Name: ours("/mib=64"), Most: paired.AtMost(1), SetUp: a.pair(none, func(_ context.Context, x, _ string) error {
				_, _, err := npy.ReadFile(x)
				return err
			})},
			{Name: controlled("/mib=64"), SetUp: a.pair(none, func(_ context.Context, x, _ string) error {
				_, err := os.ReadFile(x)
				return err
			})},
		},
	}
}
