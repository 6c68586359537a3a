package kernels

import (
	"math/bits"

	"github.com/statespec/statespec/reference/fault"
)

// The names of the kernels. Those by length, and ReadPastEnd, are wrong on purpose.
const (
	PointwiseFloat32Kernel          = "pointwise_float32"
	PointwiseBFloat16Kernel         = "pointwise_bfloat16"
	PointwiseFloat32ByLengthKernel  = "pointwise_float32_by_length"
	PointwiseBFloat16ByLengthKernel = "pointwise_bfloat16_by_length"
	CausalConvolutionKernel         = "causal_convolution"
	BFloat16ToFloat32Kernel         = "bfloat16_to_float32"
	Float32ToBFloat16Kernel         = "float32_to_bfloat16"
	DifferenceKernel                = "difference"
	XXH64ChunksKernel               = "xxh64_chunks"
	ReadPastEndKernel               = "read_past_end"
)

// Names returns the kernels' names, in the order of their source.
func Names() []string {
	return []string{BFloat16ToFloat32Kernel, Float32ToBFloat16Kernel, PointwiseFloat32Kernel, PointwiseBFloat16Kernel,
		PointwiseFloat32ByLengthKernel, PointwiseBFloat16ByLengthKernel, CausalConvolutionKernel, DifferenceKernel, XXH64ChunksKernel, ReadPastEndKernel}
}

// A Call is one launch of a kernel: its name, the threads that have something to
// do, and its arguments in order. Any other number of threads gives the same
// result. Threads is at least 1, since a launch of none is an error; where there
// are no elements, that one does nothing and touches no memory.
type Call struct {
	Kernel  string
	Threads int
	Args    []uint64
}

// maxThreads bounds the threads of a Call: each then takes several elements.
const maxThreads = 1 << 20

func call(kernel string, work int, args ...uint64) Call {
	return Call{kernel, min(max(work, 1), maxThreads), args}
}

// elements returns the product of sizes, refusing a negative one, and a product
// whose bytes an int would not hold.
func elements(what string, sizes ...int) (int, error) {
	product := uint64(1)
	for _, n := range sizes {
		if n < 0 {
			return 0, fault.New(fault.ErrInvalidArgument, "%s of sizes %v: each must be 0 or more", what, sizes)
		}
		high, low := bits.Mul64(product, uint64(n))
		if high != 0 || low > 1<<60 {
			return 0, fault.New(fault.ErrInvalidArgument, "%s of sizes %v: their product must be below 2^60", what, sizes)
		}
		product = low
	}
	return int(product), nil
}

// ReadPastEnd is a call that reads the element after the last of n uint32 at x,
// and writes it to the uint32 at y. It is a fault, and must be seen as one.
func ReadPastEnd(y, x uintptr, n int) (Call, error) {
	return overElements(ReadPastEndKernel, y, x, n)
}

// BFloat16ToFloat32 is a call that widens n elements, bit for bit also of NaN.
func BFloat16ToFloat32(y, x uintptr, n int) (Call, error) {
	return overElements(BFloat16ToFloat32Kernel, y, x, n)
}

// Float32ToBFloat16 is a call that rounds n elements to nearest, ties to even, as
// dtype.BFloat16FromFloat32 does, bit for bit also of NaN.
func Float32ToBFloat16(y, x uintptr, n int) (Call, error) {
	return overElements(Float32ToBFloat16Kernel, y, x, n)
}

func overElements(kernel string, y, x uintptr, n int) (Call, error) {
	if _, err := elements(kernel, n); err != nil {
		return Call{}, err
	}
	return call(kernel, n, uint64(y), uint64(x), uint64(n)), nil
}
