// Package equivalence holds the specs of EQV: that the managed path equals the
// bespoke path, bit for bit. They read in this order: what DreamZero shows step by
// step (frames, latents, encoder, resets, reasons), in generated rollouts, in many
// sessions, and in two processes (rollouts, sessions, processes); then bits that
// are only carried, refusals, aliasing and holders (bits, refusals, aliasing,
// holders); last Cosmos3's conditioning.
//
// With them live what only they need: a step as data, whose value is made once for
// each path (move, content); a session on both paths that makes the same moves
// (pair); controls, by which a row is not blamed for what another one asks
// (control); a generator of rollouts, the same for the same seed.
//
// Under it live models on both paths, each a complete implementation over the
// reference manager and one without it: dreamzero, and cosmos3. Rollouts, A/B runs
// and the bit comparer belong here too. Not here: the manager itself (reference),
// the promises in words (package catalogue), what the encoder's ring retains and
// refuses (package ring).
package equivalence
