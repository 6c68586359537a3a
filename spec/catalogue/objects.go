package catalogue

import "github.com/statespec/statespec/spec"

// objects is what one state object does from its making to its end. Asked of
// every kind that the subject names, by that kind's declared semantics.
func objects() []Row {
	stage := []spec.Capability{spec.CanStage}
	promote := []spec.Capability{spec.CanStage, spec.CanPromote}
	return []Row{
		{
			ID: "OBJ-01", Level: Should,
			Statement: "A new object is not resident, and after allocate it can be used and is empty.",
			Why:       "A session that starts with residue of another plays its first frames from somebody else's world.",
			Source:    contract,
		}, {
			ID: "OBJ-02", Level: Should,
			Statement: "A committed payload is in the view: of an appending kind all of them in commit order, of a replacing kind the newest.",
			Why:       "Latents decoded out of order are a video whose chunks are shuffled.",
			Source:    contract,
		}, {
			ID: "OBJ-03", Level: Must,
			Statement: "The view of an unbounded latent buffer is everything committed since allocate, bit for bit.",
			Why:       "The video is decoded from it at the end: a chunk that was dropped on the way is a hole in the film.",
			Source:    "Supported models, DreamZero, row video_latents_across_time",
		}, {
			ID: "OBJ-04", Level: Must,
			Statement: "The view of a latent buffer bounded at N payloads is the last N committed, oldest first.",
			Why:       "One payload too few starves the encoder, one too many grows without end.",
			Source:    "Supported models, DreamZero, row stitched_buffer",
		}, {
			ID: "OBJ-05", Level: Should,
			Statement: "Reset makes an object as it was before allocate: not resident, with zero bytes and nothing staged.",
			Why:       "A reset that keeps its storage lets every finished rollout go on occupying the card.",
			Source:    contract,
		}, {
			ID: "OBJ-06", Level: Must,
			Statement: "Evict releases an object's storage: it is not resident and has zero bytes.",
			Why:       "Under memory pressure it is the one thing that must help: an evict that only marks the object ends in out of memory.",
			Source:    "Choosing between an attribute and a StateObject, evict frees storage",
		}, {
			ID: "OBJ-06.bytes", Level: Should,
			Statement: "Evict returns the number of bytes that it freed.",
			Why:       "A planner that asks for 1 GiB stops too early, or evicts everybody, when the returns are wrong.",
			Source:    contract,
		}, {
			ID: "OBJ-07", Level: Should,
			Statement: "Reading an object that is not allocated is refused, and never answered with an empty view.",
			Why:       "An empty history is a legal start of a rollout: answered for a lost one, the model restarts in silence.",
			Source:    contract,
		}, {
			ID: "OBJ-07.write", Level: Should,
			Statement: "Writing to an object of an appending kind that is not allocated is refused.",
			Why:       "A chunk that is appended to an evicted history looks like the beginning of a new one.",
			Source:    contract,
		}, {
			ID: "OBJ-07.kind", Level: Should,
			Statement: "The refusal to read or write an object that is not allocated is of kind not_allocated.",
			Why:       "Server code that recovers by recomputing must tell this from an error of its own.",
			Source:    contract,
		}, {
			ID: "OBJ-08", Level: Should,
			Statement: "Evict, reset and byte figures of an object that is not allocated succeed and come to zero.",
			Why:       "Clean-up runs after failures too, and a second error there hides the first and leaves the rest uncleaned.",
			Source:    contract,
		}, {
			ID: "OBJ-09", Level: Should,
			Statement: "Allocate on an allocated object starts over, empty and with the new bound, or is refused and changes nothing.",
			Why:       "A new bound over old content is a ring that holds more than it says.",
			Source:    contract,
		}, {
			ID: "OBJ-10", Level: Should,
			Statement: "Allocate with a negative bound is refused and leaves the object as it was.",
			Why:       "A bound that was computed wrongly must show here, not as a view that is sliced from its end.",
			Source:    hygiene,
		}, {
			ID: "OBJ-10.kind", Level: Should,
			Statement: "The refusal of a negative bound is of kind invalid_argument.",
			Why:       "A caller that retries on other errors must not retry a mistake for ever.",
			Source:    hygiene,
		}, {
			ID: "OBJ-11", Level: Should,
			Statement: "A buffer with a bound of one keeps the newest payload and no other.",
			Why:       "Bounds of one are where rings are off by one, and a window of one is a legal model setting.",
			Source:    hygiene,
		}, {
			ID: "OBJ-11.zero", Level: Should,
			Statement: "A buffer with a bound of zero keeps nothing, or allocate refuses the bound.",
			Why:       "Zero taken for unbounded makes a buffer that was meant to be off grow for as long as the session lives.",
			Source:    hygiene,
		}, {
			ID: "OBJ-12", Level: Should,
			Statement: "An extend with more payloads than the bound keeps the last N of them, in order.",
			Why:       "A clip longer than a chunk is normal input, and keeping its beginning shows the model the past.",
			Source:    contract,
		}, {
			ID: "OBJ-12.iterable", Level: Opt, Needs: []spec.Capability{spec.CanFail},
			Statement: "An extend whose source fails midway says so, and leaves all, none or the payloads before the failure, as declared.",
			Why:       "A decoder that dies in mid-clip otherwise leaves a history of which nobody knows where it ends.",
			Source:    contract,
		}, {
			ID: "OBJ-13", Level: Should,
			Statement: "Clearing, shortening or reordering the list that view returned does not change the object.",
			Why:       "A model that pops frames from what it was shown would be eating its own history.",
			Source:    contract,
		}, {
			ID: "OBJ-14", Level: Opt, Needs: stage,
			Statement: "A staged payload is not in the view of what is committed.",
			Why:       "Speculative frames that show up as history condition the next step on what never happened.",
			Source:    contract,
		}, {
			ID: "OBJ-14.discard", Level: Opt, Needs: stage,
			Statement: "Discard drops what is staged and changes no committed byte.",
			Why:       "A rejected speculation must leave the rollout exactly where it was.",
			Source:    contract,
		}, {
			// Seen through promotion or through a collection: a subject that
			// claims neither leaves nothing to see it by.
			ID: "OBJ-15", Level: Opt, Needs: stage,
			Statement: "Evict does not reclaim what is staged.",
			Why:       "The payload in flight is what the running forward is about to commit, and taking it loses the step.",
			Source:    contract,
		}, {
			ID: "OBJ-16", Level: Opt, Needs: promote,
			Statement: "Commit without a payload promotes what is staged, and nothing stays staged after it; of a kind that is declared to stage nothing, it changes nothing.",
			Why:       "A payload that stays staged is committed a second time at the next step.",
			Source:    contract,
		}, {
			ID: "OBJ-16.view", Level: Opt, Needs: promote,
			Statement: "A view contains what is staged when it is asked to, and only then; of a kind that is declared to stage nothing, never.",
			Why:       "The verifying pass reads with the speculation, everybody else without it.",
			Source:    contract,
		}, {
			ID: "OBJ-17", Level: Opt, Needs: []spec.Capability{spec.CanRecompute},
			Statement: "An object is recomputable exactly while it names a source and that source is resident.",
			Why:       "A planner that believes a stale `recomputable` frees what nobody can make again.",
			Source:    contract,
		}, {
			ID: "OBJ-18", Level: Must,
			Statement: "An object that a session holds under a name is found by that name, and what one finder commits another one views.",
			Why:       "Two stages of a pipeline meet at the name: if each finds an object of its own, one writes to nobody.",
			Source:    "Introduction, SessionStateManager",
		}, {
			ID: "OBJ-18.replace", Level: Should,
			Statement: "Putting an object under a name that is taken replaces the object that was there.",
			Why:       "A model that sets up its buffers again otherwise goes on appending to the old ones.",
			Source:    contract,
		}, {
			ID: "OBJ-18.ensure", Level: Should,
			Statement: "Get-or-create of an object builds one that is absent, not resident or (where the subject can be asked) of another kind, and otherwise returns the one that is there.",
			Why:       "It opens every forward: building anew loses the history, returning an evicted object fails the request.",
			Source:    contract,
		}, {
			ID: "OBJ-19", Level: Should,
			Statement: "Resetting a session makes each of its objects not resident and clears each of its attributes.",
			Why:       "One counter that survives makes the first frame of a new episode look like a continuation.",
			Source:    contract,
		}, {
			ID: "OBJ-20", Level: Should,
			Statement: "What a caller writes into a payload after committing it does not change what was committed.",
			Why:       "Static output buffers are written again at every step: a history of references is the last frame, many times.",
			Source:    contract,
		}, {
			ID: "OBJ-21", Level: Must,
			Statement: "Every kind of object that the subject names answers every operation of the lifecycle, with success or with a refusal of its own.",
			Why:       "A planner evicts whatever it finds: a kind without evict stops it in the middle of a sweep.",
			Source:    "Introduction, StateObject, uniform lifecycle",
		}, {
			ID: "OBJ-22", Level: Should,
			Statement: "What view returned keeps its bits through later writes, or until the next write where views are declared as borrowed.",
			Why:       "A frame that changes while it is being encoded tears, and only under load.",
			Source:    contract,
		},
	}
}
