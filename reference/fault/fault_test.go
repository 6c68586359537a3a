package fault_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/statespec/statespec/reference/fault"
)

func TestARefusalMatchesItsKindsAndNoOther(t *testing.T) {
	both := fault.Also(fault.ErrNotResident, fault.ErrNotAllocated, "view %q: it was evicted", "out")
	caused := fmt.Errorf("step 3: %w", fault.Because(fault.ErrSource, io.ErrUnexpectedEOF, "extend %q", "out"))
	for _, c := range []struct {
		err  error
		kind error
		want bool
	}{
		{both, fault.ErrNotResident, true},
		{both, fault.ErrNotAllocated, true},
		{both, fault.ErrOverRead, false},
		{caused, fault.ErrSource, true},
		{caused, io.ErrUnexpectedEOF, true},
		{fault.New(caused, "wrapped"), fault.ErrSource, true},
	} {
		if got := errors.Is(c.err, c.kind); got != c.want {
			t.Errorf("errors.Is(%q, %q) = %v, want %v", c.err, c.kind, got, c.want)
		}
	}
}

func ExampleNew() {
	err := fault.New(fault.ErrOverRead, "view last %d of %q: ring retains %d", 3, "vae_encoder_out", 2)
	fmt.Println(err)
	fmt.Println(errors.Is(err, fault.ErrOverRead))
	// Output:
	// view last 3 of "vae_encoder_out": ring retains 2
	// true
}
