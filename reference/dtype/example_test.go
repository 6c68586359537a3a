package dtype_test

import (
	"fmt"

	"github.com/statespec/statespec/reference/dtype"
)

func ExampleBFloat16FromFloat32() {
	fmt.Printf("%#04x %#04x\n", dtype.BFloat16FromFloat32(1.006), dtype.TruncateBFloat16(1.006))
	fmt.Println(dtype.Float32FromBFloat16(0x3f81), dtype.BFloat16, dtype.BFloat16.Size())
	// Output:
	// 0x3f81 0x3f80
	// 1.0078125 bfloat16 2
}
