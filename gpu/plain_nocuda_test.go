//go:build !cuda

package gpu_test

import (
	"errors"

	"github.com/statespec/statespec/gpu/cuda"
)

// plainCopy is never reached in a build that has no device.
func plainCopy(_, _ uintptr, _ int) error { return errors.New(cuda.Unavailable()) }
