// Package equivalence is the room of the promise that the managed path equals
// the bespoke path, bit for bit. Under it live models on both paths, each a
// complete implementation over the reference manager and one without it:
// dreamzero, and cosmos3. Rollouts, A/B runs and the bit comparer belong here too. The
// manager itself is reference's, the question which promise holds is spec's.
package equivalence
