package object_test

import (
	"fmt"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

func ExampleLatentBuffer_Last() {
	ring := object.NewLatentBuffer("vae_encoder_out")
	if err := ring.Allocate(object.Bound{Unit: object.Frames, N: 2, Axis: 2}); err != nil {
		panic(err)
	}
	for range 100 {
		chunk, err := tensor.New(dtype.BFloat16, 1, 32, 1, 44, 80)
		if err != nil {
			panic(err)
		}
		if err := ring.Append(chunk); err != nil {
			panic(err)
		}
	}
	window, err := ring.Last(2)
	fmt.Println(window, err)
	fmt.Println(ring.BytesByDevice())
	_, err = ring.Last(3)
	fmt.Println(err)
	// Output:
	// bfloat16[1 32 2 44 80] on cpu <nil>
	// map[cpu:450560]
	// view last 3 of "vae_encoder_out": ring retains 2
}
