//go:build cuda

package cuda

import (
	"errors"
	"fmt"

	"gorgonia.org/cu"
)

// Errors of the CUDA driver that cu has no names of, by their numbers in cuda.h.
const (
	deviceUnavailable   = 46
	contained           = 226
	tensorMemoryLeak    = 721
	mpsClientTerminated = 810
	externalDevice      = 911
)

var unnamed = map[int]string{
	deviceUnavailable:   "DeviceUnavailable, as when another process has it in compute mode EXCLUSIVE_PROCESS",
	contained:           "Contained",
	tensorMemoryLeak:    "TensorMemoryLeak",
	mpsClientTerminated: "MpsClientTerminated",
	externalDevice:      "ExternalDevice",
}

// named words an error that cu only has the number of.
func named(err error) error {
	if code, is := codeOf(cu.Success, err); is && unnamed[code] != "" {
		return fmt.Errorf("%s (%w)", unnamed[code], err)
	}
	return err
}

// codeOf is the number of the CUDA driver's error in err. Its type cu does not
// export: the first argument only names it.
func codeOf[T interface {
	~int
	error
}](_ T, err error) (int, bool) {
	var code T
	if !errors.As(err, &code) {
		return 0, false
	}
	return int(code), true
}

// sticky reports whether the CUDA driver returns an error from now on for every
// call of the process. It may stem from any work queued before.
func sticky(err error) bool {
	for _, s := range []error{
		cu.IllegalAddress, cu.LaunchFailed, cu.LaunchTimeout, cu.Assert, cu.IllegalInstruction, cu.MisalignedAddress,
		cu.InvalidAddressSpace, cu.InvalidPc, cu.HardwareStackError, cu.EccUncorrectable, cu.NvlinkUncorrectable,
		cu.ContextIsDestroyed, cu.Deinitialized,
	} {
		if errors.Is(err, s) {
			return true
		}
	}
	switch code, _ := codeOf(cu.Success, err); code {
	case contained, tensorMemoryLeak, mpsClientTerminated, externalDevice:
		return true
	}
	return false
}
