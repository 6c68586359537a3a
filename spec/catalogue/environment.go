package catalogue

import "github.com/statespec/statespec/spec"

// environment is what turns the manager on, what turns it off, and what sets the
// cap.
func environment() []Row {
	return []Row{
		{
			ID: "ENV-01", Level: Must,
			Statement: "The manager is off when neither the config field nor the variable is set.",
			Why:       "An experimental path that switches itself on changes a server whose operator changed nothing.",
			Source:    "Introduction, off by default",
		}, {
			ID: "ENV-02", Level: Must,
			Statement: "The config field alone, without the variable, turns the manager on.",
			Why:       "The config field is the API: where it does not suffice, a deployment believes it is managed and is not.",
			Source:    "Enabling, via config",
		}, {
			ID: "ENV-03", Level: Must,
			Statement: "The variable set to `1`, `true`, `yes` or `on` turns the manager on whatever the config says.",
			Why:       "An A/B run that cannot force the managed path compares the bespoke path with itself and calls it equal.",
			Source:    "Enabling, precedence",
		}, {
			ID: "ENV-04", Level: Must,
			Statement: "The variable set to `0`, `false`, `no` or `off` turns the manager off whatever the config says.",
			Why:       "It is the emergency brake: an operator must be able to leave the managed path without editing a deploy config.",
			Source:    "Enabling, precedence",
		}, {
			ID: "ENV-05", Level: Should,
			Statement: "The eight words of the variable mean the same in any letter case and with ASCII white space around them.",
			Why:       "`True` from a template, or a trailing newline from a secret file, otherwise leaves the switch where it was, in silence.",
			Source:    contract,
		}, {
			ID: "ENV-06", Level: Must,
			Statement: "With the variable unset the config value stands, on as well as off.",
			Why:       "Servers run without the variable: any default of its own would overrule every deploy config.",
			Source:    "Enabling, precedence",
		}, {
			ID: "ENV-07", Level: Must,
			Statement: "A variable that is empty, blank or no word of the eight (`enabled`, `true;`, `2`, `maybe`) leaves the config value, on as well as off.",
			Why:       "A typo in a manifest must not move a fleet to the other path.",
			Source:    "Enabling, precedence",
		}, {
			ID: "ENV-07.near", Level: Should,
			Statement: "A near word (`y`, `n`, `t`, `f`, a full-width digit) leaves the config value or has its plain meaning, and never the opposite one.",
			Why:       "Whoever writes `n` and gets the manager will not think of looking there.",
			Source:    hygiene,
		}, {
			ID: "ENV-08", Level: Must,
			Statement: "Without the cap variable a manager retains 64 sessions and no more.",
			Why:       "Capacity is planned on 64 sessions, 37.7 GiB of feature maps: another default fills the card or forgets rollouts early.",
			Source:    "Enabling, why MAX_SESSIONS is not a config field",
		}, {
			ID: "ENV-09", Level: Must,
			Statement: "A positive integer in the cap variable is the number of sessions that a manager retains.",
			Why:       "Eviction is tested by lowering the cap: where that does nothing, the test passes without having evicted.",
			Source:    "Enabling, via environment variables",
		}, {
			ID: "ENV-10", Level: Must,
			Statement: "A cap variable that does not parse leaves the default cap, and a warning is logged unless it is empty or blank.",
			Why:       "Without the warning an experiment with `5,000` sessions runs with 64 and nobody learns why rollouts restart.",
			Source:    "Enabling, precedence",
		}, {
			ID: "ENV-10.empty", Level: Should,
			Statement: "An empty or blank cap variable is warned about like any other value that does not parse.",
			Why:       "A template that lost its value writes an empty one, and whoever set it believes in a cap of their own.",
			Source:    hygiene,
		}, {
			ID: "ENV-10.names", Level: Should,
			Statement: "The warning about a cap that does not parse names the variable and the value, as written or escaped.",
			Why:       "`invalid value, ignored` in the log of a large server sends its reader looking through a hundred settings.",
			Source:    hygiene,
		}, {
			ID: "ENV-11", Level: Must,
			Statement: "A zero or negative number in the cap variable is never used as a cap.",
			Why:       "A cap of zero, taken literally, makes every forward start from an empty session.",
			Source:    "Enabling, via environment variables",
		}, {
			ID: "ENV-12", Level: Should,
			Statement: "A zero or negative number in the cap variable is warned about like any other value that cannot be used.",
			Why:       "Who writes 0 means `unlimited` or `none`, gets 64, and is told neither.",
			Source:    hygiene,
		}, {
			ID: "ENV-13", Level: Must, Layer: spec.LayerConfig,
			Statement: "A cap named in a deploy config is refused or has no effect.",
			Why:       "A cap that became a public knob by accident could not be replaced by the byte budget without breaking configs.",
			Source:    "Enabling, why MAX_SESSIONS is not a config field",
		}, {
			ID: "ENV-14", Level: Must, Layer: spec.LayerAdapter,
			Statement: "Two processes with one deploy config, one with the variable set to `0` and one with `1`, take the bespoke path and the managed path.",
			Why:       "This is how the two paths are compared: a switch that never acts makes every comparison equal.",
			Source:    "Enabling, why both a config field and an environment variable",
		}, {
			ID: "ENV-15", Level: Should,
			Statement: "A cap of twenty digits is used as exactly that number or ignored with a warning.",
			Why:       "A number that wraps around becomes a cap of a few sessions, or a negative one.",
			Source:    hygiene,
		}, {
			ID: "ENV-16", Level: Should,
			Statement: "A cap in an unusual spelling (` 8 `, `3.0`, `1e3`) is used as the number it denotes or ignored with a warning, and never as another number.",
			Why:       "`1e3` read as 1 turns a stress test of a thousand sessions into constant eviction.",
			Source:    hygiene,
		}, {
			ID: "ENV-16.underscore", Level: Should,
			Statement: "A cap with an underscore between digits (`6_4`) is 64, or is ignored with a warning.",
			Why:       "A reader that stops at the underscore caps at 6.",
			Source:    hygiene,
		}, {
			ID: "ENV-16.sign", Level: Should,
			Statement: "A cap with a plus sign (`+5`) is 5, or is ignored with a warning.",
			Why:       "Generated manifests write signs, and a parser that drops the first character finds nothing or something else.",
			Source:    hygiene,
		}, {
			ID: "ENV-16.leading-zero", Level: Should,
			Statement: "A cap with a leading zero (`010`) is 10, or is ignored with a warning, and is never read as octal.",
			Why:       "Zero-padded values come from shell scripts, and octal makes 8 of 010.",
			Source:    hygiene,
		}, {
			ID: "ENV-16.hex", Level: Should,
			Statement: "A cap in hexadecimal (`0x10`) is 16, or is ignored with a warning.",
			Why:       "A reader that stops at the x finds a cap of 0.",
			Source:    hygiene,
		}, {
			ID: "ENV-16.digits", Level: Should,
			Statement: "A cap in other digits (Arabic-Indic, full-width, mathematical) is the number that they denote, or is ignored with a warning.",
			Why:       "Digits from an input method look right on the screen, and byte arithmetic on them gives any number.",
			Source:    hygiene,
		}, {
			ID: "ENV-17", Level: Must, Layer: spec.LayerConfig,
			Statement: "The field set or left out in code and the same in a deploy config file decide alike, under every state of the variable.",
			Why:       "A notebook that enables the manager in code must be testing what the server loads from its file.",
			Source:    "Enabling, via config or programmatically",
		}, {
			ID: "ENV-18", Level: Should, Layer: spec.LayerConfig,
			Statement: "A deploy config whose field is not a boolean (`\"false\"` in quotes) is refused.",
			Why:       "Text is true in many languages: the quoted `false` turns on what its writer wanted off.",
			Source:    hygiene,
		},
	}
}
