package tensor_test

import (
	"fmt"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
)

func Example() {
	clip, err := tensor.FromBytes(dtype.UInt8, []byte{1, 2, 3, 4, 5, 6}, 3, 2)
	if err != nil {
		panic(err)
	}
	last, err := clip.Narrow(0, 1, 2)
	if err != nil {
		panic(err)
	}
	turned, err := last.Transpose(0, 1)
	if err != nil {
		panic(err)
	}
	fmt.Println(turned, turned.IsContiguous(), turned.AppendBytes(nil))
	fmt.Println(turned.NumBytes(), "of", turned.Storage().Len(), "bytes")
	_, err = turned.Reshape(4)
	fmt.Println(err)
	// Output:
	// uint8[2 2] on cpu false [3 5 4 6]
	// 4 of 6 bytes
	// reshape uint8[2 2] on cpu with strides [1 2] to [4]: it needs a copy
}
