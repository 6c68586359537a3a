package kernels

import _ "embed"

// PTX is the code of all kernels, for compute capability 8.0 and newer.
//
//go:embed kernels.ptx
var PTX string
