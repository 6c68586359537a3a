package faulty

import (
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/goccy/go-yaml"

	"github.com/statespec/statespec/reference/config"
	"github.com/statespec/statespec/reference/subject"
)

// deployed is the whole of a deploy file, other people's keys too.
func deployed(document []byte) map[string]any {
	var fields map[string]any
	if err := yaml.Unmarshal(document, &fields); err != nil {
		return nil
	}
	return fields
}

// configCaps holds faults of a deploy config that names a cap.
func configCaps() []Fault {
	top := func(name string) func(map[string]any) any {
		return func(fields map[string]any) any { return fields[name] }
	}
	within := func(fields map[string]any) any {
		section, _ := fields["session_state_manager"].(map[string]any)
		return section["max_sessions"]
	}
	return []Fault{
		{Name: "takes a cap from a deploy file", Breaks: []string{"ENV-13"}, Parts: cappedInFile(top("max_sessions"))},
		{Name: "takes a cap from a config in code", Breaks: []string{"ENV-13"}, Parts: cappedInCode(top("max_sessions"))},
		{Name: "takes a cap from the manager's section of a file", Breaks: []string{"ENV-13"}, Parts: cappedInFile(within)},
		{Name: "takes a config field of the variable's name", Breaks: []string{"ENV-13"}, Parts: cappedInCode(top(config.MaxSessionsVar))},
	}
}

// cappedInCode is a subject to which a cap in a config's fields is one.
func cappedInCode(find func(fields map[string]any) any) func() subject.Parts {
	return func() subject.Parts {
		var n fieldCap
		parts := revising(n.use)()
		parts.FromFields = func(fields map[string]any) (config.Config, error) {
			if n.set(find(fields)) {
				return switchOf(fields), nil
			}
			return config.FromFields(fields)
		}
		return parts
	}
}

// cappedInFile is a subject to which a cap in a deploy file is one.
func cappedInFile(find func(fields map[string]any) any) func() subject.Parts {
	return func() subject.Parts {
		var n fieldCap
		parts := revising(n.use)()
		parts.ParseDeploy = func(document []byte) (config.Config, error) {
			if fields := deployed(document); n.set(find(fields)) {
				return switchOf(fields), nil
			}
			return config.ParseDeploy(document)
		}
		return parts
	}
}

// A fieldCap is the cap that the last config named, 0 for none.
type fieldCap struct{ n atomic.Int64 }

// set keeps a cap and says whether there was one.
func (f *fieldCap) set(v any) bool {
	n, _ := strconv.Atoi(fmt.Sprint(v))
	f.n.Store(int64(n))
	return n > 0
}

func (f *fieldCap) use(d *decision) {
	if n := int(f.n.Load()); n > 0 && d.maxSessions == nil {
		d.MaxSessions = n
	}
}

func switchOf(fields map[string]any) (c config.Config) {
	if on, said := fields[config.EnableField].(bool); said {
		c.EnableSessionStateManager = &on
	}
	return c
}

// configFiles holds faults of a file that decides otherwise than code, and of a
// field that is no boolean.
func configFiles() []Fault {
	return []Fault{
		{
			Name: "does not read the field of a file", Breaks: []string{"ENV-17"},
			Parts: fromFiles(func(d *decision) { d.field, d.Enabled = nil, d.Enabled && d.switched != nil }),
		}, {
			Name: "is on where a file says nothing", Breaks: []string{"ENV-17"},
			Parts: fromFiles(func(d *decision) { d.Enabled = d.Enabled || d.field == nil && d.switched == nil }),
		}, {
			Name: "lets a file beat the variable", Breaks: []string{"ENV-17"},
			Parts: fromFiles(func(d *decision) {
				if d.field != nil {
					d.Enabled = d.said()
				}
			}),
		}, {
			Name: "forgets the cap variable where the config is a file", Breaks: []string{"ENV-17"},
			Parts: fromFiles(func(d *decision) { d.MaxSessions = config.DefaultMaxSessions }),
		}, {
			Name: "turns a file off by a variable that is no word", Breaks: []string{"ENV-17"},
			Parts: fromFiles(func(d *decision) {
				if d.switched != nil && !isSwitch(*d.switched) {
					d.Enabled = false
				}
			}),
		},
		truthy("takes a word in quotes for a boolean", func(v any) (on, is bool) {
			on, err := strconv.ParseBool(fmt.Sprint(v))
			_, text := v.(string)
			return on, text && err == nil
		}),
		truthy("takes any text for true", func(v any) (on, is bool) {
			text, is := v.(string)
			return text != "", is
		}),
		truthy("takes a number for a boolean", func(v any) (on, is bool) {
			n, is := v.(uint64)
			return n != 0, is
		}),
		truthy("takes a list that is not empty for true", func(v any) (on, is bool) {
			list, is := v.([]any)
			return len(list) > 0, is
		}),
		truthy("passes over a field that is no boolean", func(v any) (on, is bool) {
			_, is = v.(bool)
			return false, !is
		}),
	}
}

// fromFiles is a subject that decides otherwise on what it read from a file.
func fromFiles(change func(*decision)) func() subject.Parts {
	return func() subject.Parts {
		var file atomic.Bool
		return subject.Parts{
			ParseDeploy: func(document []byte) (config.Config, error) {
				file.Store(true)
				return config.ParseDeploy(document)
			},
			FromFields: func(fields map[string]any) (config.Config, error) {
				file.Store(false)
				return config.FromFields(fields)
			},
			Resolve: func(c config.Config, get lookup, log *slog.Logger) config.Resolution {
				d := decided(c, get, log)
				if file.Load() {
					change(d)
				}
				return d.Resolution
			},
		}
	}
}

// truthy is a subject to which the field of a file may be other than a boolean.
func truthy(name string, is func(v any) (on, is bool)) Fault {
	return Fault{Name: name, Breaks: []string{"ENV-18"}, Parts: func() subject.Parts {
		return subject.Parts{ParseDeploy: func(document []byte) (config.Config, error) {
			if v, there := deployed(document)[config.EnableField]; there && strings.Count(string(document), "\n") == 1 {
				if on, taken := is(v); taken {
					return config.Config{EnableSessionStateManager: &on}, nil
				}
			}
			return config.ParseDeploy(document)
		}}
	}}
}
