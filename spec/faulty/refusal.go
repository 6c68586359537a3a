package faulty

import "github.com/statespec/statespec/reference/fault"

// refused refuses what the reference does not.
func refused(what string) error {
	return fault.New(fault.ErrInvalidArgument, "%s is refused", what)
}
