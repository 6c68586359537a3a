package expect

import "github.com/statespec/statespec/spec"

// Of is the conditions of a run of a subject on a device. A subject that never
// said hello has none.
func Of(h *spec.Hello, device string) Conditions {
	if h == nil {
		return Conditions{Device: device}
	}
	return Conditions{Device: device, DTypes: h.DTypes, Version: h.Version}
}
