package config

import (
	"fmt"
	"maps"
	"slices"

	"github.com/statespec/statespec/reference/fault"
)

// deepest is how far FromFields looks for a cap: beyond it a mapping is taken
// to contain itself.
const deepest = 1000

// FromFields reads the manager's part of a config that was put together by a
// program, by the rules of ParseDeploy: EnableField is a bool, other fields
// pass, and none may set the cap.
func FromFields(fields map[string]any) (Config, error) {
	if err := checkFields(fields, false, deepest); err != nil {
		return Config{}, err
	}
	switch v, set := fields[EnableField]; v := v.(type) {
	case bool:
		return Config{EnableSessionStateManager: new(v)}, nil
	default:
		if !set {
			return Config{}, nil
		}
		return Config{}, fault.New(fault.ErrConfig, "config: %s is %s: it is true or false, a boolean", EnableField, shown(fmt.Sprintf("%#v", v)))
	}
}

func checkFields(v any, managed bool, depth int) error {
	if depth == 0 {
		return fault.New(fault.ErrConfig, "config: nested deeper than %d", deepest)
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if err := checkFields(item, managed, depth-1); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if namesCap(key, managed) {
				return fault.New(fault.ErrConfig, "config: %s", capIsNoField(key))
			}
			if err := checkFields(v[key], inManager(key, managed), depth-1); err != nil {
				return err
			}
		}
	}
	return nil
}
