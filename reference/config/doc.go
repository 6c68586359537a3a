// Package config decides whether the session state manager is on and how many
// sessions it may retain, from a deploy config and the environment. The
// environment beats the config; what does not parse counts as unset. The cap is
// deliberately no config field: it lives in the environment only. Nothing here
// reads the process's environment by itself: a look-up function is handed in.
package config
