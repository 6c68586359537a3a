package catalogue

import "github.com/statespec/statespec/spec"

// accounting is what stats says about bytes.
func accounting() []Row {
	const (
		devices  = "Byte accounting, totals keyed by device"
		storages = "Byte accounting, per storage"
		dedup    = "Byte accounting, deduplicated"
		every    = "Choosing between an attribute and a StateObject, every byte in either bucket"
	)
	borrow := []spec.Capability{spec.CanBorrow}
	dreamzero := []spec.Capability{spec.CanDreamZero}
	shippedEncoder := []spec.Capability{spec.CanDreamZero, spec.CanShippedEncoder}
	return []Row{
		{
			ID: "ACC-01", Level: Must,
			Statement: "Stats has a total for each device that holds bytes, and total_nbytes is their sum.",
			Why:       "Device memory is what runs out: one figure for the host and the card together answers no question.",
			Source:    devices,
		}, {
			ID: "ACC-02", Level: Must,
			Statement: "A narrow slice counts as the whole storage that it keeps alive.",
			Why:       "One kept frame pins its clip: counted by its elements, 5 MiB a session go missing from every figure.",
			Source:    storages,
		}, {
			ID: "ACC-03", Level: Must,
			Statement: "Views of one storage count once, whether they overlap or not, are transposed, re-typed or broadcast, in whatever order they are met.",
			Why:       "Counted twice, sessions look larger than the card, and a budget evicts people for nothing.",
			Source:    dedup,
		}, {
			ID: "ACC-04", Level: Must,
			Statement: "A storage that is in an attribute and in a state object of one session counts once.",
			Why:       "Models keep the last chunk at hand beside the buffer, and both being counted doubles the session.",
			Source:    dedup,
		}, {
			ID: "ACC-05", Level: Must,
			Statement: "A storage that is under several names of one session, or several times in nested containers of one attribute, counts once.",
			Why:       "A prompt embedding that is shared by 24 layers would count 24 times.",
			Source:    dedup,
		}, {
			ID: "ACC-06", Level: Must,
			Statement: "Bytes that are only in attributes are counted.",
			Why:       "The largest value of all, 603 MiB, is an attribute.",
			Source:    every,
		}, {
			ID: "ACC-06.object", Level: Must,
			Statement: "Bytes that are only in state objects are counted, whatever the kind of object.",
			Why:       "Video latents grow for as long as a session lives, and a kind that is not counted grows unseen.",
			Source:    every,
		}, {
			ID: "ACC-07", Level: Should,
			Statement: "A storage that two sessions share counts once in the manager's totals.",
			Why:       "Sessions that share a prompt embedding would add up to memory that nobody has.",
			Source:    hygiene,
		}, {
			ID: "ACC-07.session", Level: Opt, Needs: []spec.Capability{spec.CanSessionBytes},
			Statement: "A storage that two sessions share counts once in each session's own figure.",
			Why:       "What a session holds must not depend on who else holds it, or the figure jumps when a neighbour leaves.",
			Source:    hygiene,
		}, {
			ID: "ACC-08", Level: Should,
			Statement: "The bytes of an evicted session leave the retained totals, even while somebody holds it.",
			Why:       "Totals that never fall tell an operator that evicting does not help.",
			Source:    contract,
		}, {
			ID: "ACC-09", Level: Must,
			Statement: "A value that replaces another is counted in its place, and a value that is cleared is counted no more.",
			Why:       "The feature map is replaced wholesale at each step: counted in addition, it would fill any budget in minutes.",
			Source:    every,
		}, {
			ID: "ACC-10", Level: Must,
			Statement: "Stats changes neither values nor later counts.",
			Why:       "Observability that touches state makes the server behave otherwise when it is watched.",
			Source:    "Introduction, stats for observability",
		}, {
			ID: "ACC-11", Level: Must,
			Statement: "Tensors in lists, tuples and map values, at any depth of nesting, are counted.",
			Why:       "Feature maps come as lists, conditioning as dictionaries: what is not walked into is held and not seen.",
			Source:    every,
		}, {
			ID: "ACC-11.set", Level: Should,
			Statement: "Tensors in a set are counted.",
			Why:       "A set of frames already seen is held like a list of them.",
			Source:    hygiene,
		}, {
			ID: "ACC-11.map-key", Level: Should,
			Statement: "Tensors that are keys of a map are counted.",
			Why:       "A cache keyed by its prompt tensor keeps every prompt alive.",
			Source:    hygiene,
		}, {
			ID: "ACC-11.record", Level: Should,
			Statement: "Tensors in the fields of a record are counted.",
			Why:       "Encoder outputs come as records, and a whole output stored in an attribute would read as zero.",
			Source:    hygiene,
		}, {
			ID: "ACC-11.instance", Level: Should,
			Statement: "Tensors in the attributes of an object of some class are counted.",
			Why:       "A cache object with its tensors inside is the usual way to carry a model's state.",
			Source:    hygiene,
		}, {
			ID: "ACC-11.stored", Level: Should,
			Statement: "The bytes of a state object that is stored in an attribute are counted.",
			Why:       "A buffer that a model wraps in a value of its own leaves the figures and not the card.",
			Source:    hygiene,
		}, {
			// Asked of arrays that own their memory and of views of them: no
			// wrapping between libraries, so no capability.
			ID: "ACC-12", Level: Should,
			Statement: "A host array counts as the memory that it keeps alive, a view of an array as the whole of it, once, whatever its strides.",
			Why:       "Camera frames arrive as arrays: not counted, the waiting frames of all sessions are invisible.",
			Source:    hygiene,
		}, {
			ID: "ACC-12.export", Level: Should, Needs: borrow,
			Statement: "A host array exported from a tensor counts as the tensor's storage, and once beside the tensor.",
			Why:       "A latent that is handed to a video encoder as an array goes on holding the tensor's memory.",
			Source:    hygiene,
		}, {
			ID: "ACC-12.buffer", Level: Should, Needs: borrow,
			Statement: "A host array over an immutable buffer counts as the buffer.",
			Why:       "Frames that are decoded from the network are arrays over received bytes.",
			Source:    hygiene,
		}, {
			ID: "ACC-12.part-of-array", Level: Should, Needs: borrow,
			Statement: "A tensor that wraps part of a host array counts as the part or more, up to the whole array that it keeps alive.",
			Why:       "A slice of a frame pool counted as nothing hides the pool.",
			Source:    hygiene,
		}, {
			ID: "ACC-12.mapped-file", Level: Should, Needs: borrow,
			Statement: "A host array over a mapped file counts as its length or as nothing, and everything beside it is counted as ever.",
			Why:       "Conditioning that is mapped from disk costs no memory of its own, and must not cost the statistics either.",
			Source:    hygiene,
		}, {
			ID: "ACC-13", Level: Should,
			Statement: "The count of a session is the same in whatever order its aliases were stored.",
			Why:       "A figure that changes when a model assigns its attributes in another order is compared in vain.",
			Source:    hygiene,
		}, {
			ID: "ACC-13.overlap", Level: Should, Needs: borrow,
			Statement: "Tensors wrapped around overlapping parts of one host array count the overlap once.",
			Why:       "Sliding windows over one clip overlap by design, and a set of start addresses counts them all.",
			Source:    hygiene,
		}, {
			ID: "ACC-14", Level: Should,
			Statement: "What the accounting cannot measure is named in the answer of stats or in a warning.",
			Why:       "A total that leaves something out without saying so is believed.",
			Source:    hygiene,
		}, {
			ID: "ACC-14.opaque", Level: Should,
			Statement: "A value that cannot be measured does not make stats fail, and the rest is counted in full.",
			Why:       "One sparse tensor in one session must not take the metrics of the whole server away.",
			Source:    hygiene,
		}, {
			ID: "ACC-14.cycle", Level: Should,
			Statement: "A container that contains itself does not make stats fail, and what it holds is counted once.",
			Why:       "Objects that point back to their owner are ordinary, and a walk that follows them never ends.",
			Source:    hygiene,
		}, {
			ID: "ACC-14.deep", Level: Should,
			Statement: "Nesting a thousand containers deep does not make stats fail, and what it holds is counted or named as not measured.",
			Why:       "A linked history grows by one level a step, and overflows the stack at step 1,000.",
			Source:    hygiene,
		}, {
			ID: "ACC-15", Level: Should,
			Statement: "A storage of zero bytes adds nothing and hides no other storage from the count.",
			Why:       "Empty tensors may share one address: taken for each other, or for a neighbour, they swallow real ones.",
			Source:    hygiene,
		}, {
			ID: "ACC-16", Level: Opt, Needs: []spec.Capability{spec.CanStage},
			Statement: "Staged payloads are counted or not counted, as declared, and the same way every time.",
			Why:       "A figure that breathes with every speculation cannot be alarmed on.",
			Source:    contract,
		}, {
			ID: "ACC-17", Level: Must, Layer: spec.LayerAdapter, Needs: dreamzero,
			Statement: "At the shipped shapes a latent frame takes 0.215 MiB and the encoder ring of two 0.43 MiB, at any length of the session.",
			Why:       "Capacity is planned with these figures, times the number of sessions.",
			Source:    "Supported models, DreamZero, row vae_encoder_out",
		}, {
			// Asked where the port can run the subject's own encoder: a feature map
			// that the spec itself assigned would be the spec's arithmetic.
			ID: "ACC-17.encoder", Level: Opt, Layer: spec.LayerAdapter, Needs: shippedEncoder,
			Asked:     "0.2",
			Statement: "At the shipped shapes the entries of the feature map take 603 MiB once they are filled, and no more at any later step.",
			Why:       "It is the largest thing a session holds, and 64 of them must fit as planned: 37.7 GiB.",
			Source:    "Supported models, DreamZero, row vae_enc_feat_map",
		}, {
			// As above: it is the encoder that lets frames wait.
			ID: "ACC-17.pending", Level: Should, Layer: spec.LayerAdapter, Needs: shippedEncoder,
			Asked:     "0.2",
			Statement: "Between two steps at most three raw frames wait for a body chunk, in at most 2.6 MiB of storage.",
			Why:       "A kept frame that pins its whole clip doubles what waits, in every session at once.",
			Source:    "Supported models, DreamZero, row vae_pending_body_frames",
		}, {
			ID: "ACC-18", Level: Should, Needs: []spec.Capability{spec.CanCollect},
			Statement: "The bytes that evict reports as released are bytes that the allocator of the device got back.",
			Why:       "A planner that was told 1 GiB and got none admits the session that brings the server down.",
			Source:    hygiene,
		}, {
			// Asked where the subject has a device other than the host.
			ID: "ACC-19", Level: Must, Layer: spec.LayerAdapter, Needs: dreamzero,
			Statement: "Video latents and stitched frames that came from a device are kept on the host and counted there.",
			Why:       "Video latents grow for as long as the session lives: on the card, every long rollout ends in out of memory.",
			Source:    "Supported models, DreamZero, rows video_latents_across_time and stitched_buffer",
		}, {
			ID: "ACC-20", Level: Must,
			Statement: "A container that grows after it was assigned to an attribute is counted as it is when stats is asked.",
			Why:       "Pending frames are appended to a list that is in place: counted at assignment, it stays at zero.",
			Source:    every,
		}, {
			ID: "ACC-21", Level: Should, Needs: []spec.Capability{spec.CanRace},
			Statement: "Counting a session with a large container does not hold up requests for sessions.",
			Why:       "A statistics call that keeps the table locked for a second stops every client for a second.",
			Source:    hygiene,
		},
	}
}
