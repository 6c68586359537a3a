package kernels_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/statespec/statespec/gpu/kernels"
	"github.com/statespec/statespec/reference/dtype"
)

// nothing returns a call of every kernel that can be asked for no elements. Their
// addresses are no one's.
func nothing(t testing.TB) (calls []kernels.Call) {
	add := func(call kernels.Call, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if call.Threads < 1 {
			t.Errorf("%s of no elements asks for %d threads, want at least 1", call.Kernel, call.Threads)
		}
		calls = append(calls, call)
	}
	for _, dt := range quantised {
		p := kernels.Pointwise{DType: dt, Channels: 4}
		add(p.Call(0, 0, 0))
		add(p.CallByLength(0, 0, 0, 3))
	}
	shape := kernels.Causal{Channels: 3, Frames: 4, Held: 2, Kept: 2, Fan: 1, Stride: 1}
	add(shape.Call(0, 0, 0, 0, 0))
	shape.Channels, shape.Positions = 0, 5
	add(shape.Call(0, 0, 0, 0, 0))
	add(kernels.BFloat16ToFloat32(0, 0, 0))
	add(kernels.Float32ToBFloat16(0, 0, 0))
	for _, size := range []int{1, 2, 4, 8} {
		add(kernels.CallDifference(0, 0, 0, 0, size))
	}
	return calls
}

// Of bytes that are none there is a checksum: testChecksum has it.
func testNothing(t *testing.T, m machine) {
	for _, call := range nothing(t) {
		launch(t, m)(call, nil)
	}
}

// A result is bytes that a call writes.
type result struct {
	address uintptr
	nbytes  int
}

// some is one call of each sound kernel, and where its results lie, in the order in
// which they were allocated: addresses have none.
func some(t testing.TB, m machine) (calls []kernels.Call, results []result) {
	out := func(nbytes int) uintptr {
		address := m.allocate(t, noise(7, nbytes))
		results = append(results, result{address, nbytes})
		return address
	}
	add := func(call kernels.Call, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		calls = append(calls, call)
	}
	const channels, positions = 6, 35
	w := m.allocate(t, kernels.PackWeights(weights(t, channels, 5)))
	for _, dt := range quantised {
		p := kernels.Pointwise{DType: dt, Channels: channels, Positions: positions}
		x := m.allocate(t, values(dt, 1, channels*positions))
		add(p.Call(out(channels*positions*dt.Size()), x, w))
		add(p.CallByLength(out(channels*positions*dt.Size()), x, w, 15))
	}
	c := kernels.Causal{Channels: channels, Positions: positions, Frames: 2, Held: 2, Kept: 2, Fan: 2, Stride: 1}
	n := 2 * channels * positions
	entry := m.allocate(t, values(dtype.BFloat16, 2, 2*channels*positions))
	add(c.Call(out(4*n), out(2*n), entry, entry, m.allocate(t, kernels.PackTaps(drawn(3, 2*channels)))))
	a := m.allocate(t, noise(1, 1000))
	add(kernels.Float32ToBFloat16(out(500), a, 250))
	add(kernels.BFloat16ToFloat32(out(2000), a, 500))
	difference := m.allocate(t, kernels.DifferenceStart())
	results = append(results, result{difference, kernels.DifferenceBytes})
	add(kernels.CallDifference(difference, a, m.allocate(t, append(noise(1, 400), noise(2, 600)...)), 500, 2))
	for _, call := range must[[]kernels.Call](t)(kernels.Checksum{NBytes: 1000, Chunk: 16}.Calls(a, out(8*63+8*32+8*16+8*8+8*4+8*2+8))) {
		add(call, nil)
	}
	return calls, results
}

// outcome launches some calls, each with so many threads; 0 is what it asks for.
func outcome(t testing.TB, m machine, threads int) (bytes []byte) {
	t.Helper()
	calls, results := some(t, m)
	for _, call := range calls {
		if threads != 0 {
			call.Threads = threads
		}
		launch(t, m)(call, nil)
	}
	for _, r := range results {
		bytes = append(bytes, m.read(t, r.address, r.nbytes)...)
	}
	m.clear(t)
	return bytes
}

func testThreads(t *testing.T, m machine) {
	want := outcome(t, m, 0)
	for _, threads := range []int{1, 2, 31, 64, 10007} {
		wantBytes(t, "what some kernels write", outcome(t, m, threads), want, 1)
	}
}

func TestTheOrderOfThreadsMeansNothing(t *testing.T) {
	p := twins(t)
	want := outcome(t, p, 0)
	for _, p.order = range []int{0, 1, 2} {
		for _, p.width = range []uint64{1, 7, 256} {
			for _, threads := range []int{0, 3, 1000} {
				wantBytes(t, "what some kernels write", outcome(t, p, threads), want, 1)
			}
		}
	}
}

func TestATwinThatReadsPastTheEndIsSeen(t *testing.T) {
	p := twins(t)
	y, x := p.allocate(t, noise(1, 4)), p.allocate(t, noise(2, 40))
	call := must[kernels.Call](t)(kernels.ReadPastEnd(y, x, 10))
	if err := p.launch(call); err == nil || !strings.Contains(err.Error(), "read of 44 bytes") {
		t.Errorf("launch of a kernel that reads past the end = %v, want a fault over a read of 44 bytes", err)
	}
	launch(t, p)(kernels.ReadPastEnd(y, x, 9)) // the tenth element is there
	wantBytes(t, "the element past the ninth", p.read(t, y, 4), p.read(t, x+36, 4), 4)
}

func TestATwinThatLeavesItsArrayWithinItsMemoryIsSeen(t *testing.T) {
	p := twins(t)
	y, x := uint64(p.allocate(t, noise(1, 4))), uint64(p.allocate(t, noise(2, 40)))
	launch(t, p)(kernels.Call{Kernel: "reach", Threads: 1, Args: []uint64{y, x, 5, 4}}, nil)
	for _, call := range []kernels.Call{
		{Kernel: "reach", Threads: 1, Args: []uint64{y, x, 5, 5}}, // of ten that are there
		{Kernel: "write_what_is_read", Threads: 1, Args: []uint64{x, 5}},
	} {
		if err := p.launch(call); err == nil || !strings.Contains(err.Error(), "fault") {
			t.Errorf("launch of %s%v = %v, want a fault", call.Kernel, call.Args, err)
		}
	}
}

// No array may be eight bytes further than it is.
func TestEveryArrayIsCheckedToItsEnd(t *testing.T) {
	p := twins(t)
	calls, _ := some(t, p)
	calls = slices.DeleteFunc(calls, func(c kernels.Call) bool { return c.Kernel == kernels.XXH64ChunksKernel }) // their passes share an allocation
	calls = append(calls, must[[]kernels.Call](t)(kernels.Checksum{NBytes: 1000, Chunk: 1000}.Calls(p.allocate(t, noise(1, 1000)), p.allocate(t, noise(2, 8))))...)
	for _, call := range calls {
		for i, arg := range call.Args {
			if arg < 1<<32 {
				continue // a number
			}
			moved := call
			moved.Args = slices.Clone(call.Args)
			moved.Args[i] += 8
			if err := p.launch(moved); err == nil {
				t.Errorf("%s with its argument %d eight bytes further reaches past what is there, and is not a fault", call.Kernel, i)
			}
		}
	}
}
