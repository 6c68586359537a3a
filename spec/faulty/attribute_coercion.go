package faulty

import (
	"strconv"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/fault"
)

// coercions holds faults of an adapter that makes of a value what it would
// rather have.
func coercions() []Fault {
	return []Fault{
		{
			Name: "takes a text of digits for a counter", Breaks: []string{"ATT-01.adapter"},
			Met: "the real manager, whose attributes coerce: \"3\" becomes 3",
			Parts: adapted(func(m *dreamzero.Managed) dreamzero.State {
				return &setting{m, func(name string, value any) (any, error) {
					text, _ := value.(string)
					if n, err := strconv.Atoi(text); err == nil {
						return n, nil
					}
					return value, nil
				}}
			}),
		}, {
			Name: "takes any text for a flag that is set", Breaks: []string{"ATT-01.adapter"},
			Parts: adapted(func(m *dreamzero.Managed) dreamzero.State {
				return &setting{m, func(name string, value any) (any, error) {
					if _, text := value.(string); text && name == dreamzero.StreamInitialized {
						return true, nil
					}
					return value, nil
				}}
			}),
		}, {
			Name: "clears a counter before it refuses a value", Breaks: []string{"ATT-01.adapter"},
			Parts: adapted(func(m *dreamzero.Managed) dreamzero.State {
				return &setting{m, func(name string, value any) (any, error) {
					if _, text := value.(string); text {
						if err := m.Set(name, nil); err != nil {
							return nil, err
						}
						return nil, fault.New(fault.ErrTypeMismatch, "set %q to a text", name)
					}
					return value, nil
				}}
			}),
		},
	}
}

// setting is a state that carries other values than it is given.
type setting struct {
	*dreamzero.Managed
	as func(name string, value any) (any, error)
}

func (s *setting) Set(name string, value any) error {
	v, err := s.as(name, value)
	if err != nil {
		return err
	}
	return s.Managed.Set(name, v)
}
