package catalogue

import "github.com/statespec/statespec/spec"

// ring is the buffer that keeps the last N frames, and its reader.
//
// Rows of the manager are asked of kinds that take a bound in frames, of the
// encoder stream of a DreamZero adapter, or of both, whichever the subject has.
// Rows of the adapter are about the reader and about resets.
func ring() []Row {
	const bounded = "The bounded VAE encoder ring"
	dreamzero := []spec.Capability{spec.CanDreamZero}
	return []Row{
		{
			ID: "RNG-01", Level: Must,
			Statement: "A ring of N frames retains the last N frames, also when a chunk brings several.",
			Why:       "A ring that counts chunks holds more than is planned for after a seed of five frames.",
			Source:    bounded,
		}, {
			ID: "RNG-01.empty", Level: Should,
			Statement: "A chunk of no frames pushes nothing out of a ring.",
			Why:       "An empty clip from a camera that dropped out would push out the frames the model is about to read.",
			Source:    hygiene,
		}, {
			ID: "RNG-02", Level: Must, Layer: spec.LayerAdapter, Needs: dreamzero,
			Statement: "Asking the reader for more frames than the ring retains is refused, and never answered with a shorter or padded window.",
			Why:       "Padding in the place of history gives a plausible rollout that the bespoke path would not have made.",
			Source:    bounded,
		}, {
			ID: "RNG-02.view", Level: Must,
			Statement: "Asking a buffer bounded at N frames for more than its last N is refused, and never answered with fewer.",
			Why:       "A second reader, with a check of its own or none, relies on the buffer to say what it no longer has.",
			Source:    bounded,
		}, {
			ID: "RNG-02.kind", Level: Should, Layer: spec.LayerAdapter, Needs: dreamzero,
			Statement: "The refusal of more frames than the ring retains is of kind over_read.",
			Why:       "A wrong window is a configuration error, and must not be retried as if the session were lost.",
			Source:    contract,
		}, {
			ID: "RNG-03", Level: Must,
			Statement: "Asking for any number of frames from 1 to N returns the bits that the unbounded history would have returned.",
			Why:       "This is the claim that makes the ring an optimisation and not another model.",
			Source:    bounded,
		}, {
			ID: "RNG-04", Level: Must,
			Statement: "The bytes of a ring after 10, 100 and 10,000 frames are equal.",
			Why:       "A ring that grows, however slowly, sets a hidden limit on the length of a rollout.",
			Source:    bounded,
		}, {
			ID: "RNG-05", Level: Should, Needs: []spec.Capability{spec.CanCollect},
			Statement: "A ring copies a slice that is appended to it, or counts what the slice pins and pins no more than N allocations.",
			Why:       "Two kept latent frames can otherwise hold two whole encoder outputs, uncounted.",
			Source:    hygiene,
		}, {
			ID: "RNG-06", Level: Must, Layer: spec.LayerAdapter, Needs: dreamzero,
			Statement: "A window reset keeps the encoder ring, and a session reset clears it.",
			Why:       "Cleared at a window, the stream stutters every few seconds; kept over a session, the next episode begins in the last.",
			Source:    bounded,
		}, {
			ID: "RNG-07", Level: Must, Layer: spec.LayerAdapter, Needs: dreamzero,
			Statement: "Quantising the ring equals quantising the whole history and keeping the last N frames, bit for bit, for every dtype and length claimed, on one thread.",
			Why:       "It is the reason why frames may be forgotten at all.",
			Source:    bounded,
		}, {
			ID: "RNG-07.threads", Level: Must, Layer: spec.LayerAdapter, Needs: dreamzero,
			Statement: "Quantising the ring equals quantising the whole history and keeping the last N frames, bit for bit, for every dtype and length claimed, on several threads.",
			Why:       "Libraries choose another kernel for long inputs and many threads: the two paths part at step 56, by less than a millionth.",
			Source:    bounded,
		}, {
			ID: "RNG-08", Level: Must, Layer: spec.LayerAdapter, Needs: dreamzero,
			Statement: "Appending to, reading and quantising the encoder stream cost no more late in a session than early.",
			Why:       "A step that takes 0.4 ms at first and 57 ms after 1,600 steps misses its frame rate.",
			Source:    bounded,
		}, {
			ID: "RNG-09", Level: Should, Layer: spec.LayerAdapter, Needs: dreamzero,
			Statement: "A reader asked for more frames than have come yet, but no more than N, pads in front with the newest frame, on both paths.",
			Why:       "The first steps of every session are read this way, and another padding changes the whole rollout.",
			Source:    contract,
		}, {
			ID: "RNG-10", Level: Should,
			Statement: "A frame of another shape is refused when it is appended, and the ring is unchanged.",
			Why:       "Found only at the read, the error names the wrong request, and the session stays broken until the ring has turned.",
			Source:    hygiene,
		}, {
			ID: "RNG-10.kind", Level: Should,
			Statement: "The refusal of a frame of another shape is of kind shape_mismatch.",
			Why:       "A camera with a wrong resolution is for its client to repair, and not for the server.",
			Source:    hygiene,
		}, {
			ID: "RNG-11", Level: Should, Layer: spec.LayerAdapter, Needs: dreamzero,
			Statement: "Making a model's state with a window that is not positive is refused.",
			Why:       "A ring of no frames fails at the first read, long after the setting that caused it.",
			Source:    hygiene,
		}, {
			ID: "RNG-12", Level: Should, Layer: spec.LayerAdapter, Needs: dreamzero,
			Statement: "A second adapter with another window on one session is refused, or reads only what the ring can hold.",
			Why:       "During a rolling change of the setting two windows meet, and the wider one must not read padding as history.",
			Source:    hygiene,
		}, {
			ID: "RNG-13", Level: Must, Layer: spec.LayerAdapter, Needs: dreamzero,
			Statement: "The buffer of stitched frames never holds more than one chunk, four frames.",
			Why:       "A stitched frame is 0.65 MiB of host memory, and they come at every step.",
			Source:    "Supported models, DreamZero, row stitched_buffer",
		}, {
			ID: "RNG-13.pinned", Level: Should, Layer: spec.LayerAdapter, Needs: []spec.Capability{spec.CanDreamZero, spec.CanCollect},
			Statement: "The buffer of stitched frames copies what it keeps of a clip, or counts the clips that it pins and pins no more than four.",
			Why:       "Four frames, each cut out of a clip of its own, can keep four whole clips in host memory that no figure shows.",
			Source:    hygiene,
		},
	}
}
