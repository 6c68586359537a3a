package faulty

import "slices"

// ring holds faults of the bounded ring and its reader.
func ring() []Fault {
	return slices.Concat(ringChunks(), ringReads(), overReads(), ringMemory(), ringPins(), ringResets(), quantisers(),
		ringCosts(), paddings(), frameShapes(), encoderWindows(), stitchedFrames())
}
