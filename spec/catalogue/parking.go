package catalogue

import "github.com/statespec/statespec/spec"

// parking is the release that loses nothing, which the document names as what
// would change the rule of the two buckets.
func parking() []Row {
	const source = "Choosing between an attribute and a StateObject, what would change the answer"
	return []Row{
		{
			ID: "PRK-01", Level: Opt, Needs: []spec.Capability{spec.CanPark},
			Statement: "A value parked on the host and brought back has the same bits, and the totals per device follow it both ways.",
			Why:       "Parking 603 MiB of an idle session is worth it only if the rollout goes on as if nothing had happened.",
			Source:    source,
		}, {
			ID: "PRK-02", Level: Opt, Needs: []spec.Capability{spec.CanPark},
			Statement: "Reading a parked value brings it back or is refused, as declared, and never answers what was there before.",
			Why:       "A stale feature map produces plausible frames that belong to another moment.",
			Source:    source,
		}, {
			ID: "PRK-03", Level: Opt, Needs: []spec.Capability{spec.CanPlan},
			Statement: "A byte-budget planner frees only objects that can be rebuilt or are parked, says what it freed, and never frees an attribute.",
			Why:       "A freed feature map ends an encoder stream in the middle of a rollout.",
			Source:    "Choosing between an attribute and a StateObject, what the planner cannot free",
		},
	}
}
