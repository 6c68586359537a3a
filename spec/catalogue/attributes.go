package catalogue

import "github.com/statespec/statespec/spec"

// attributes is what the manager only carries.
func attributes() []Row {
	const carry = "Choosing between an attribute and a StateObject, the rule"
	return []Row{
		{
			ID: "ATT-01", Level: Must,
			Statement: "A tensor assigned to an attribute reads back with the same dtype, shape and bits.",
			Why:       "Conditioning that comes back rounded or re-typed changes every frame that follows.",
			Source:    carry,
		}, {
			ID: "ATT-01.container", Level: Must,
			Statement: "A container assigned to an attribute reads back as the same kind of container with the same content, in order where it has one.",
			Why:       "The feature map is a list of 24 entries addressed by position: a tuple, or another order, breaks the encoder.",
			Source:    carry,
		}, {
			ID: "ATT-01.scalar", Level: Must,
			Statement: "A boolean, integer, float or text assigned to an attribute reads back as the same kind and value, floats by their bits.",
			Why:       "A counter that turns into text, or a flag that turns into 1, takes another branch in the reset decision.",
			Source:    carry,
		}, {
			ID: "ATT-01.adapter", Level: Should, Layer: spec.LayerAdapter, Needs: []spec.Capability{spec.CanDreamZero},
			Statement: "A text that is assigned to a counter or flag of a DreamZero session reads back as that text, or is refused and changes nothing.",
			Why:       "A counter that takes \"3\" for 3 hides the caller's mistake on one path, and the other path takes another branch.",
			Source:    hygiene,
		}, {
			// Asked with the manager's operations, but of the adapter: it is
			// adapters that declare defaults.
			ID: "ATT-02", Level: Should, Layer: spec.LayerAdapter,
			Statement: "An attribute that was never written reads as the default that its adapter declared.",
			Why:       "The first forward of a session reads its counters before anything wrote them.",
			Source:    contract,
		}, {
			ID: "ATT-02.clear", Level: Should, Layer: spec.LayerAdapter,
			Statement: "To a reader, an attribute to which its default was written is the same as one that was cleared.",
			Why:       "Where the two differ, a session that was reset takes another path than a new one.",
			Source:    contract,
		}, {
			ID: "ATT-02.shared", Level: Should, Layer: spec.LayerAdapter,
			Statement: "Changing what an unwritten attribute of one session reads as changes nothing in another session.",
			Why:       "A default list shared by all sessions mixes the pending frames of two users.",
			Source:    hygiene,
		}, {
			ID: "ATT-03", Level: Must,
			Statement: "A second holder of a session reads what the first one wrote.",
			Why:       "Each forward makes its adapter anew: state that stays with the adapter is lost between two requests.",
			Source:    "Choosing between an attribute and a StateObject, where a session holds its values",
		}, {
			ID: "ATT-04", Level: Must,
			Statement: "Evicting every object of a live session leaves each attribute with its bits and on its device.",
			Why:       "Freeing the feature map in mid-session breaks the encoder stream, and nothing can recompute it.",
			Source:    "Choosing between an attribute and a StateObject, a value left in attrs",
		}, {
			ID: "ATT-05", Level: Must,
			Statement: "When a session ends (evicted and held by nobody, dropped, or reset), what its attributes held is reclaimed with the rest.",
			Why:       "Ending the session is the only way to get 603 MiB back: without it the card fills, session by session.",
			Source:    "Choosing between an attribute and a StateObject, ending the session",
		}, {
			ID: "ATT-06", Level: Must, Layer: spec.LayerAdapter, Needs: []spec.Capability{spec.CanDreamZero},
			Statement: "After every object of a DreamZero session is evicted, its feature map, conditioning, pending frames, counters and flags are still there.",
			Why:       "Under pressure the manager may take objects at any time, and only what it may not take can be relied upon.",
			Source:    "Supported models, DreamZero, rows of bucket attrs",
		}, {
			ID: "ATT-06.objects", Level: Must, Layer: spec.LayerAdapter, Needs: []spec.Capability{spec.CanDreamZero},
			Statement: "After every object of a DreamZero session is evicted, its video latents, stitched frames and encoder output are gone.",
			Why:       "These are what a byte budget counts on being able to free, and a copy kept elsewhere defeats it.",
			Source:    "Supported models, DreamZero, rows of bucket LatentBuffer",
		}, {
			ID: "ATT-07", Level: Must, Layer: spec.LayerAdapter, Needs: []spec.Capability{spec.CanDreamZero},
			Statement: "A DreamZero session holds no attention KV: no object, attribute or byte that the document's table does not explain.",
			Why:       "The engine owns that memory: counted here as well, a budget would be spent twice; evicted here, the engine reads freed pages.",
			Source:    "Supported models, DreamZero, attention KV",
		},
	}
}
