package catalogue

import "github.com/statespec/statespec/spec"

// off is the path that everybody takes who has not asked for the manager. Asked
// of every model that the subject claims.
func off() []Row {
	return []Row{
		{
			ID: "OFF-01", Level: Must, Layer: spec.LayerAdapter,
			Statement: "With the variable unset and with it set to `0`, a model whose config is silent gives the same bytes at every step.",
			Why:       "A team that never enabled the feature must not have to validate its model again.",
			Source:    "Introduction, unchanged when disabled",
		}, {
			ID: "OFF-02", Level: Must, Layer: spec.LayerAdapter,
			Statement: "A model with the manager off leaves no session, no object, no byte and no count in any manager.",
			Why:       "A manager that fills although it is off holds a second copy of 603 MiB per session.",
			Source:    "Introduction, off by default",
		},
	}
}
