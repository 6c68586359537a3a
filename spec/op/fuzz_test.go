package op_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// parrot says hello, makes what is to be made, and answers all else with the
// same words.
type parrot struct{ words []byte }

func (p parrot) Do(_ context.Context, q op.Request) (op.Response, error) {
	switch q.Method {
	case "hello":
		return op.Response{Result: &op.Result{Hello: &spec.Hello{Protocol: spec.ProtocolVersion, Name: "parrot", Devices: []string{"cpu"}}}}, nil
	case "new_manager", "new_object", "new_model":
		return op.Response{Result: &op.Result{}}, nil
	}
	var a op.Response
	if err := json.Unmarshal(p.words, &a); err != nil {
		return a, &op.Failure{Fate: op.Garbled, Request: q.Call, Detail: err.Error()}
	}
	return a, nil
}

func (parrot) Close() error { return nil }

// FuzzAnswer holds for every answer of a driver: no request that a harness makes
// panics on it, and one without an error has a result.
func FuzzAnswer(f *testing.F) {
	for _, words := range []string{
		"", "{}", "null", `{"result":{}}`, `{"error":{}}`, `{"result":null,"error":null}`, `{"result":{"none":true}}`, `{"error":{"kind":"internal"}}`,
		`{"result":{"stats":{"counts":{"sessions":1}}}}`, `{"result":{"contents":{"objects":[]},"state":{},"reading":{"kind":"list","items":[{}]},"memory":{}}}`,
		`{"result":{"events":[[{"result":{}}],[{"error":{"kind":"x"}},{}]]}}`, `{"result":{"events":[[],[]]}}`, `{"result":{"events":[[{}]]}}`,
		`{"result":{"is":true,"int":-1,"text":"x","resolution":{"cap":"1"}}}`, `{"log":[{"level":"nobody"}],"result":{}}`, `{"log":[{"level":"info","text":"\u0000"}],"result":{}}`,
	} {
		f.Add([]byte(words))
	}
	f.Fuzz(func(t *testing.T, words []byte) {
		for name, ask := range requests {
			c, err := op.NewClient(parrot{words}, 0, nil)
			if err != nil {
				t.Fatal(err)
			}
			m, err := c.NewManager(spec.ManagerSpec{})
			if err != nil {
				t.Fatal(err)
			}
			if v, err := ask(c, m); err == nil && v == nil {
				t.Errorf("%s answered %q = neither a result nor an error", name, words)
			}
		}
	})
}

// requests ask for each form of result. A view, an attribute and a step may be
// answered with nothing.
var requests = map[string]func(*op.Client, spec.Manager) (any, error){
	"resolve":  func(c *op.Client, _ spec.Manager) (any, error) { return c.Resolve(spec.Config{}) },
	"memory":   func(c *op.Client, _ spec.Manager) (any, error) { return c.Memory() },
	"make":     func(c *op.Client, _ spec.Manager) (any, error) { return c.Make(spec.Nothing()) },
	"session":  func(_ *op.Client, m spec.Manager) (any, error) { return m.Session("a") },
	"contains": func(_ *op.Client, m spec.Manager) (any, error) { return m.Contains("a") },
	"stats":    func(_ *op.Client, m spec.Manager) (any, error) { return m.Stats() },
	"contents": func(_ *op.Client, m spec.Manager) (any, error) {
		s, err := m.Session("a")
		if err != nil {
			return nil, err
		}
		if _, err := s.Attr("x"); err != nil {
			return nil, err
		}
		return s.Contents()
	},
	"object": func(_ *op.Client, m spec.Manager) (any, error) {
		s, err := m.Session("a")
		if err != nil {
			return nil, err
		}
		o, err := s.Object("x")
		if err != nil {
			return nil, err
		}
		if v, err := o.View(spec.View{}); err != nil || v != nil {
			return v, err
		}
		if _, err := o.Evict(); err != nil {
			return nil, err
		}
		return o.State()
	},
	"read": func(c *op.Client, _ spec.Manager) (any, error) {
		v, err := c.Make(spec.Nothing())
		if err != nil {
			return nil, err
		}
		return v.Read()
	},
	"race": func(c *op.Client, m spec.Manager) (any, error) {
		race, err := c.Race([]op.Call{op.GetSession(m, "a")}, []op.Call{op.ReadStats(m), op.ContinueSession(m, "a")})
		if err == nil {
			op.Overlaps(race)
		}
		return race, err
	},
}
