package faulty

import "slices"

// accounting holds faults of what is said to be held in bytes.
func accounting() []Fault {
	return slices.Concat(byteTotals(), byteSlices(), byteAliases(), byteBuckets(), byteSharing(), byteChanges(), byteWatching(),
		byteContainers(), byteGrowth(), byteArrays(), byteOrders(), byteUnmeasured(), byteCycles(), byteDepth(),
		byteNothings(), byteStaging(), byteDreamZero(), byteEncoder(), byteReleases(), byteWaiting())
}
