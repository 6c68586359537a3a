package catalogue

import "github.com/statespec/statespec/spec"

// equivalence is the managed path against the bespoke path, bit for bit.
func equivalence() []Row {
	const (
		source  = "Scope and guarantees, opt-in and equivalent"
		adapter = spec.LayerAdapter
		stores  = spec.LayerPipeline // the implementation's own stores of sessions
	)
	dreamzero := []spec.Capability{spec.CanDreamZero}
	cosmos3 := []spec.Capability{spec.CanEncodeOnce, spec.CanCosmos3}
	return []Row{
		{
			ID: "EQV-01", Level: Must, Layer: adapter, Needs: dreamzero,
			Statement: "Both paths accumulate frames alike: same output, count and roll-over for single frames, clips and clips longer than a chunk, padded in front with the oldest.",
			Why:       "These frames are the model's input: one frame off, and everything after it differs.",
			Source:    source,
		}, {
			ID: "EQV-02", Level: Must, Layer: adapter, Needs: dreamzero,
			Statement: "Both paths hold the same video latents: same chunks, same concatenation, same state after a clear.",
			Why:       "The video that the client receives is decoded from them.",
			Source:    source,
		}, {
			ID: "EQV-03", Level: Must, Layer: adapter, Needs: dreamzero,
			Statement: "Both paths answer alike for the encoder stream: seed, append, read and clear.",
			Why:       "Here the two paths store different things, a ring and a history, and must not show it.",
			Source:    source,
		}, {
			ID: "EQV-04", Level: Must, Layer: adapter, Needs: dreamzero,
			Statement: "A window reset keeps and clears the same values on both paths, and so does a session reset.",
			Why:       "A value that survives a reset on one path only shows up minutes later, in another episode.",
			Source:    source,
		}, {
			ID: "EQV-05", Level: Must, Layer: adapter, Needs: dreamzero,
			Statement: "Both paths give the same reason for a reset for the same inputs, also when several reasons hold at once.",
			Why:       "The reason decides what is cleared, and on the path that names another the rollout forks.",
			Source:    source,
		}, {
			ID: "EQV-06", Level: Must, Layer: adapter, Needs: dreamzero,
			Statement: "A rollout of any length, with any mix of resets, has the same bits in every output of every step on both paths.",
			Why:       "Operations that are equal one by one can still differ in a sequence, and users run sequences.",
			Source:    source,
		}, {
			ID: "EQV-07", Level: Must, Layer: stores, Needs: dreamzero,
			Statement: "Many interleaved sessions, more than a cap that is the same on both paths, have per session the same bits on both.",
			Why:       "Under load sessions are evicted and come back, which no rollout of one session shows.",
			Source:    "Scope and guarantees, session eviction is count-based (LRU)",
		}, {
			ID: "EQV-08", Level: Must, Layer: adapter, Needs: dreamzero,
			Statement: "Two processes with one deploy config and only the variable flipped each witness the path that they took, and make artefacts of the same bits.",
			Why:       "It is the experiment that the variable exists for: without the witness it can compare a path with itself.",
			Source:    "Enabling, why both a config field and an environment variable",
		}, {
			// Asked where the subject has a device other than the host.
			ID: "EQV-09", Level: Must, Layer: adapter, Needs: dreamzero,
			Statement: "Two processes on one GPU, with only the variable flipped, make artefacts of the same bits.",
			Why:       "Servers run on GPUs, where copies between memories and other kernels come into play.",
			Source:    "Scope and guarantees, GPU A/B runs",
		}, {
			ID: "EQV-10", Level: Must, Layer: adapter, Needs: dreamzero,
			Statement: "What is only carried keeps its NaN payloads, signed zeros and subnormals on both paths.",
			Why:       "Comparing by value calls a lost sign equal, and a division makes of it another infinity.",
			Source:    source,
		}, {
			ID: "EQV-11", Level: Should, Layer: adapter, Needs: dreamzero,
			Statement: "An input that one path refuses (frames or latents of a wrong rank, an empty first clip) the other refuses too.",
			Why:       "A client error that only one path reports becomes a bad rollout on the other.",
			Source:    contract,
		}, {
			ID: "EQV-11.unseeded", Level: Should, Layer: adapter, Needs: dreamzero,
			Statement: "Appending to an encoder stream that was never seeded is refused on both paths or accepted on both.",
			Why:       "It is how a lost session shows, and the path that accepts it goes on with half a history.",
			Source:    contract,
		}, {
			// Asked of attributes and of returned values; the three buffers are
			// the cases.
			ID: "EQV-12", Level: Should, Layer: adapter, Needs: dreamzero,
			Statement: "A caller that writes into a value it set or was given sees the same afterwards on both paths.",
			Why:       "Code that edits conditioning in place works on one path and does nothing on the other.",
			Source:    contract,
		}, {
			ID: "EQV-12.frames", Level: Should, Layer: adapter, Needs: dreamzero,
			Statement: "A caller that uses its frame array again after handing it over sees the same on both paths.",
			Why:       "Camera drivers fill one array for ever, and the path that keeps a reference sees only the newest image.",
			Source:    contract,
		}, {
			ID: "EQV-12.latents", Level: Should, Layer: adapter, Needs: dreamzero,
			Statement: "A caller that uses its latent tensor again after handing it over sees the same on both paths.",
			Why:       "Captured graphs write their output to one place at every step.",
			Source:    contract,
		}, {
			ID: "EQV-12.chunks", Level: Should, Layer: adapter, Needs: dreamzero,
			Statement: "A caller that uses its encoder chunk again after handing it over sees the same on both paths.",
			Why:       "Concatenating copies and a buffer may not, so that the same encoder gives two histories.",
			Source:    contract,
		}, {
			ID: "EQV-13", Level: Opt, Layer: adapter, Needs: cosmos3,
			Statement: "Cosmos3's conditioning is stored once per layer and branch, and read back bit for bit.",
			Why:       "It is encoded once because encoding is slow: stored wrongly, it is wrong for the whole session.",
			Source:    "Introduction, encode-once conditioning",
		}, {
			ID: "EQV-13.isolated", Level: Opt, Layer: adapter, Needs: cosmos3,
			Statement: "Branches of Cosmos3's conditioning, also of different depth, and those of different sessions do not see each other.",
			Why:       "A guided sampler that reads its own branch for the other one applies no guidance, in silence.",
			Source:    "Introduction, encode-once conditioning",
		}, {
			ID: "EQV-13.second-capture", Level: Opt, Layer: adapter, Needs: cosmos3,
			Statement: "A second capture of Cosmos3's conditioning changes nothing.",
			Why:       "A retried request would otherwise re-condition a rollout in the middle.",
			Source:    "Introduction, encode-once conditioning",
		}, {
			ID: "EQV-13.partial", Level: Opt, Layer: adapter, Needs: cosmos3,
			Statement: "A branch of Cosmos3's conditioning that was captured in part is an error or counts as not captured, and is never read as a shorter branch.",
			Why:       "A capture that was interrupted would leave a model with fewer layers, which still makes pictures.",
			Source:    "Introduction, encode-once conditioning",
		}, {
			ID: "EQV-14", Level: Should, Layer: stores, Needs: dreamzero,
			Statement: "Whoever holds a session's state while the session is evicted sees the same afterwards on both paths.",
			Why:       "A forward in progress must finish alike on both, whatever else arrives meanwhile.",
			Source:    contract,
		}, {
			ID: "EQV-14.close", Level: Should, Layer: stores, Needs: dreamzero,
			Statement: "Whoever holds a session's state while the session is closed sees the same afterwards on both paths.",
			Why:       "A client that hangs up in the middle of a step would get a wiped state on one path only.",
			Source:    contract,
		},
	}
}
