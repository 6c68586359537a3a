package faulty

import "slices"

// equivalence holds faults by which one of the two paths of a model comes to
// differ from the other. What a step answers otherwise on one path a rollout of
// any such steps answers otherwise too: EQV-06 follows.
func equivalence() []Fault {
	return slices.Concat(partedFrames(), partedLatents(), partedStreams(), partedResets(), partedReasons(), partedRollouts(),
		partedSessions(), partedProcesses(), partedBits(), partedRefusals(), partedAliases(), conditionings(), partedHolders())
}
