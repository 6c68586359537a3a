package faulty

import (
	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
)

// attentionKV holds faults of a session in which the engine's own memory shows.
func attentionKV() []Fault {
	return []Fault{
		{
			Name: "has an object for attention KV", Breaks: []string{"ATT-07"},
			Parts: adapted(func(m *dreamzero.Managed) dreamzero.State {
				return &tracing{m, func() error {
					return m.Session().Put("attention_kv", object.NewEncodeOnce("attention_kv"))
				}}
			}),
		}, {
			Name: "has an attribute for attention KV", Breaks: []string{"ATT-07"},
			Parts: adapted(func(m *dreamzero.Managed) dreamzero.State {
				return &tracing{m, func() error {
					none, err := tensor.New(dtype.BFloat16, 0)
					if err == nil {
						m.Session().SetAttr("attention_kv", none)
					}
					return err
				}}
			}),
		}, {
			Name: "counts attention KV", Breaks: []string{"ATT-07"},
			Parts: func() subject.Parts { return subject.Parts{Measure: withKV} },
		},
	}
}

// tracing leaves a trace of attention KV when the prompt is set.
type tracing struct {
	*dreamzero.Managed
	trace func() error
}

func (t *tracing) Set(name string, value any) error {
	if name == dreamzero.PromptEmbeds {
		if err := t.trace(); err != nil {
			return err
		}
	}
	return t.Managed.Set(name, value)
}

// withKV counts a page of attention KV for each session that has a prompt
// embedding.
func withKV(sessions ...*manager.Session) account.Report {
	r := manager.BytesOf(sessions...)
	for _, s := range sessions {
		if _, set := s.Attr(dreamzero.PromptEmbeds); set {
			const page = 4096
			r.Total += page
			r.ByDevice[tensor.CPU] += page
		}
	}
	return r
}
