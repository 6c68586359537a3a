package account_test

import (
	"fmt"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
)

func ExampleMeasure() {
	whole, err := tensor.New(dtype.BFloat16, 100)
	if err != nil {
		panic(err)
	}
	slice, err := whole.Narrow(0, 40, 2)
	if err != nil {
		panic(err)
	}
	fmt.Println(account.Measure(slice).Total)
	fmt.Println(account.Measure([]any{slice, whole}, map[string]any{"raw": make([]float32, 5)}).Total)
	// Output:
	// 200
	// 220
}
