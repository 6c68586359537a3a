package catalogue

import "github.com/statespec/statespec/spec"

// eviction is the table of retained sessions: who is in it, who leaves it, and
// what leaving means.
func eviction() []Row {
	const (
		lru    = "Scope and guarantees, session eviction is count-based (LRU)"
		budget = "Scope and guarantees, byte budget is recorded, not enforced"
	)
	threads, dreamzero := []spec.Capability{spec.CanRace}, []spec.Capability{spec.CanDreamZero}
	return []Row{
		{
			ID: "EVI-01", Level: Must,
			Statement: "At no moment that a caller can observe does a manager retain more sessions than its cap.",
			Why:       "A session is up to 0.6 GiB: one more than planned, for a moment, is an out-of-memory error.",
			Source:    "Introduction, SessionStateManager",
		}, {
			ID: "EVI-02", Level: Must,
			Statement: "The session that a full manager gives up for a new one is the least recently used.",
			Why:       "Any other choice ends a rollout in progress while an abandoned one stays.",
			Source:    lru,
		}, {
			ID: "EVI-03", Level: Must,
			Statement: "Asking for a session that is retained makes it the most recently used.",
			Why:       "Without it the oldest client is dropped however busy it is.",
			Source:    lru,
		}, {
			ID: "EVI-04", Level: Should,
			Statement: "Membership tests, session counts and stats do not change which session goes next.",
			Why:       "A dashboard that polls every second must not decide whose rollout survives.",
			Source:    hygiene,
		}, {
			ID: "EVI-04.adapter", Level: Should, Layer: spec.LayerAdapter, Needs: dreamzero,
			Statement: "Steps of a model's state count as use of its session exactly as declared.",
			Why:       "Whoever sizes the cap has to know whether a long forward keeps its session young, or only its beginning does.",
			Source:    hygiene,
		}, {
			ID: "EVI-05", Level: Must,
			Statement: "Whoever holds a session when it is evicted still has its objects resident and its attributes set, bit for bit.",
			Why:       "The forward in progress belongs to that holder, and it must finish on the state it began with.",
			Source:    lru,
		}, {
			ID: "EVI-05.writable", Level: Must,
			Statement: "Whoever holds an evicted session can commit to its objects and write its attributes, and reads back what was written.",
			Why:       "A forward writes its state at its end: refused there, the step is computed and then lost.",
			Source:    lru,
		}, {
			ID: "EVI-06", Level: Must,
			Statement: "Evicting a session calls neither evict nor reset of any of its objects.",
			Why:       "Objects may be held by themselves, by a reader in another thread, and would be emptied while read.",
			Source:    lru,
		}, {
			ID: "EVI-07", Level: Must,
			Statement: "An evicted id that is asked for again is a fresh, empty session, which shares nothing with a holder of the old one.",
			Why:       "Half of an old rollout under a new one is neither, and nothing says so.",
			Source:    lru,
		}, {
			ID: "EVI-08", Level: Must,
			Statement: "After every prefix of every trace of ids, the sessions retained are those of a bounded LRU cache of the same cap, for caps of 1, 2, 3 and 64.",
			Why:       "The manager replaces such a cache: one different resident, and an A/B run differs for no reason of the model's.",
			Source:    "Introduction, matching the bespoke caches it replaces",
		}, {
			ID: "EVI-09", Level: Must,
			Statement: "A recorded byte budget evicts no session, however many bytes are held.",
			Why:       "The budget is there to be observed: enforced early, it ends rollouts that the count would have kept.",
			Source:    budget,
		}, {
			ID: "EVI-10", Level: Should,
			Statement: "Hits, misses and evictions are exact, and misses less evictions less explicit drops is the number of sessions retained.",
			Why:       "The eviction rate is how an operator learns that the cap is too small.",
			Source:    contract,
		}, {
			ID: "EVI-11", Level: Should,
			Statement: "Making a manager with a cap of zero or less is refused.",
			Why:       "A manager that can retain nothing, or anything, should fail at start-up and not in the night.",
			Source:    contract,
		}, {
			ID: "EVI-11.kind", Level: Should,
			Statement: "The refusal of a cap of zero or less is of kind invalid_argument.",
			Why:       "A start-up script must tell a wrong setting from a machine that is not ready.",
			Source:    hygiene,
		}, {
			ID: "EVI-12", Level: Should,
			Statement: "A request without an id, with an empty id and with the id `default` get one and the same session.",
			Why:       "Single-user clients send any of the three, and a rollout must not depend on which.",
			Source:    contract,
		}, {
			ID: "EVI-12.bytes", Level: Should,
			Statement: "Ids that differ in any byte are different sessions: letter case, surrounding space and Unicode forms are not folded.",
			Why:       "Two clients whose ids fold into one would see each other's worlds.",
			Source:    hygiene,
		}, {
			ID: "EVI-13", Level: Should, Needs: threads,
			Statement: "Concurrent requests for one id that is not retained get one session.",
			Why:       "Two workers with two sessions for one client each hold half of the rollout.",
			Source:    contract,
		}, {
			ID: "EVI-13.counters", Level: Should, Needs: threads,
			Statement: "Hits, misses and evictions stay exact under concurrent requests.",
			Why:       "Counts that are lost under load are lost exactly when somebody reads them.",
			Source:    contract,
		}, {
			ID: "EVI-13.linearizable", Level: Should, Needs: threads,
			Statement: "Every history of concurrent requests could have come from some order of them, one at a time.",
			Why:       "Otherwise a request can be answered with a session that was already replaced, and its writes vanish.",
			Source:    contract,
		}, {
			ID: "EVI-14", Level: Should, Needs: threads,
			Statement: "Stats succeeds while other threads add, replace and reset objects and attributes.",
			Why:       "A metrics endpoint that fails under load leaves the dashboard empty when it is needed.",
			Source:    hygiene,
		}, {
			ID: "EVI-14.figure", Level: Should, Needs: threads,
			Statement: "The bytes that stats gives for a session during concurrent writes are a figure that the session had during the call.",
			Why:       "A reading of zero bytes for a session that never held fewer than 4,000 sets off an alarm, or calms one.",
			Source:    hygiene,
		}, {
			ID: "EVI-14.snapshot", Level: Opt, Needs: []spec.Capability{spec.CanRace, spec.CanSnapshot},
			Statement: "The totals of stats are one consistent cut over all sessions, also during concurrent writes.",
			Why:       "A sum over different moments can exceed what was ever held, and a budget acts on it.",
			Source:    hygiene,
		}, {
			ID: "EVI-15", Level: Should, Needs: []spec.Capability{spec.CanCollect},
			Statement: "The storages of an evicted session that nobody holds die with the next collection, and on a device the allocator's live bytes fall.",
			Why:       "A forgotten reference in a log record keeps 603 MiB for each session that ever lived.",
			Source:    hygiene,
		}, {
			ID: "EVI-16", Level: Opt, Needs: []spec.Capability{spec.CanDrop},
			Statement: "Dropping a session removes it with its bytes, and says whether it was retained.",
			Why:       "A client that disconnects should free its place at once, and not wait for 64 others.",
			Source:    contract,
		}, {
			ID: "EVI-16.counter", Level: Opt, Needs: []spec.Capability{spec.CanDrop},
			Statement: "Dropping a session does not count as an eviction.",
			Why:       "Clients that hang up would look like a cap that is too small.",
			Source:    contract,
		}, {
			ID: "EVI-16.holder", Level: Opt, Needs: []spec.Capability{spec.CanDrop},
			Statement: "Whoever still holds a dropped session has its state or nothing, as declared.",
			Why:       "A holder that was wiped without knowing writes the next step to an orphan.",
			Source:    contract,
		}, {
			ID: "EVI-17", Level: Opt, Needs: []spec.Capability{spec.CanRaiseCap},
			Statement: "A cap raised in use holds from then on, evicts nothing, and is said to have changed.",
			Why:       "A second model on the same server needs more sessions without a restart of the first.",
			Source:    contract,
		}, {
			ID: "EVI-17.lower", Level: Opt, Needs: []spec.Capability{spec.CanRaiseCap},
			Statement: "A manager asked to raise its cap to a lower one keeps the cap that it has, and says that nothing changed.",
			Why:       "A model with modest needs must not throw out the sessions of a greedier one.",
			Source:    contract,
		}, {
			ID: "EVI-17.non-positive", Level: Opt, Needs: []spec.Capability{spec.CanRaiseCap},
			Statement: "Raising the cap to zero or less is refused and changes nothing.",
			Why:       "A mistake in an admin call must not unbound the table or empty it.",
			Source:    contract,
		}, {
			ID: "EVI-18", Level: Opt, Needs: []spec.Capability{spec.CanRefuse},
			Statement: "With the refusing policy, a new session at the cap is refused, no session and no counter changes, and hits are served.",
			Why:       "A client that is told `full` can go elsewhere, while one whose history was evicted restarts in silence.",
			Source:    contract,
		}, {
			ID: "EVI-18.kind", Level: Should, Needs: []spec.Capability{spec.CanRefuse},
			Statement: "The refusal of a new session at the cap is of kind admission_refused.",
			Why:       "A load balancer retries another server on this error and on no other.",
			Source:    contract,
		}, {
			ID: "EVI-18.concurrent", Level: Opt, Needs: []spec.Capability{spec.CanRefuse, spec.CanRace},
			Statement: "With the refusing policy, concurrent requests for new sessions are admitted for as many as there are places, the rest is refused, and nothing is evicted.",
			Why:       "Clients come back together after a network fault, and one admitted too many costs a rollout or the card's memory.",
			Source:    contract,
		}, {
			ID: "EVI-18.freed", Level: Opt, Needs: []spec.Capability{spec.CanRefuse, spec.CanDrop},
			Statement: "With the refusing policy, a place freed by a drop admits a new session.",
			Why:       "A server that stays full after its clients left has to be restarted by hand.",
			Source:    contract,
		}, {
			ID: "EVI-19", Level: Opt, Needs: []spec.Capability{spec.CanContinue},
			Statement: "Continuing a session that is not retained is refused, and makes none.",
			Why:       "An empty session in the place of a lost one shows the client a new world in the middle of the old.",
			Source:    contract,
		}, {
			ID: "EVI-19.kind", Level: Should, Needs: []spec.Capability{spec.CanContinue},
			Statement: "The refusal to continue a session that is not retained is of kind session_lost.",
			Why:       "The client can start over only if it is told that this is what happened.",
			Source:    contract,
		}, {
			// Whether it is a hit as well is left open.
			ID: "EVI-19.use", Level: Should, Needs: []spec.Capability{spec.CanContinue},
			Statement: "Continuing a session that is retained makes it the most recently used, as asking for it does.",
			Why:       "A client that only ever continues would be the first to be evicted, however busy it is.",
			Source:    hygiene,
		}, {
			ID: "EVI-20", Level: Must,
			Statement: "The byte budget that a manager was given can be read back from it.",
			Why:       "A budget that is accepted and forgotten will be believed to be in force.",
			Source:    budget,
		}, {
			ID: "EVI-21", Level: Must,
			Statement: "Two managers share no session, counter or byte.",
			Why:       "Two models in one process use the same client ids and must not meet in one table.",
			Source:    "Scope and guarantees, per-manager byte totals",
		}, {
			ID: "EVI-22", Level: Should, Layer: spec.LayerPipeline, Needs: dreamzero,
			Statement: "A session that its model's close hook ended is not retained, and its bytes have left the totals.",
			Why:       "State in a stage that never hears of the end of a session stays until 64 others have come.",
			Source:    contract,
		}, {
			ID: "EVI-22.fresh", Level: Should, Layer: spec.LayerPipeline, Needs: dreamzero,
			Statement: "An id that was ended and is opened again starts empty, on either path.",
			Why:       "A client that starts over under its old id would be shown the end of the episode that it closed.",
			Source:    contract,
		}, {
			ID: "EVI-22.reclaimed", Level: Should, Layer: spec.LayerPipeline, Needs: []spec.Capability{spec.CanDreamZero, spec.CanCollect},
			Statement: "The storages of an ended session that nobody holds die with the next collection.",
			Why:       "A client that hangs up is to give back its 603 MiB, and a stage that remembers its state keeps them.",
			Source:    contract,
		}, {
			ID: "EVI-22.unknown", Level: Should, Layer: spec.LayerPipeline, Needs: dreamzero,
			Statement: "Ending an id that is not retained changes no session that is.",
			Why:       "The close hook of a session that was evicted long ago must not open it again and evict a live one.",
			Source:    hygiene,
		}, {
			ID: "EVI-23", Level: Should, Layer: spec.LayerPipeline, Needs: dreamzero,
			Statement: "A model made over a manager takes no place in it: no session is retained before one is opened, and then as many as the cap.",
			Why:       "A session of the pipeline's own leaves 63 of the 64 places, and the managed path evicts where the bespoke one would not.",
			Source:    "Enabling, why MAX_SESSIONS is not a config field",
		},
	}
}
