package reference_test

import (
	"fmt"

	"github.com/statespec/statespec/reference/config"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

// What an adapter keeps in a session: attributes, declared once, and objects.
var (
	callCount = manager.NewAttr("call_count", 0)
	prompt    = manager.NewAttr[*tensor.Tensor]("prompt_embeds", nil)
)

// encoderRing returns the session's ring of the last two latent frames, shaped
// (batch, channel, time, height, width).
func encoderRing(s *manager.Session) (*object.LatentBuffer, error) {
	const name = "vae_encoder_out"
	build := func() (object.StateObject, error) {
		ring := object.NewLatentBuffer(name)
		return ring, ring.Allocate(object.Bound{Unit: object.Frames, N: 2, Axis: 2})
	}
	isRing := func(o object.StateObject) bool { _, ok := o.(*object.LatentBuffer); return ok }
	o, err := s.GetOrCreate(name, build, isRing)
	if err != nil {
		return nil, err
	}
	return o.(*object.LatentBuffer), nil
}

// step is one request of a rollout: a latent frame comes, the last two are read.
func step(m *manager.Manager, id string) (*tensor.Tensor, error) {
	s, err := m.Session(id)
	if err != nil {
		return nil, err
	}
	ring, err := encoderRing(s)
	if err != nil {
		return nil, err
	}
	if !prompt.IsSet(s) {
		embedding, err := tensor.New(dtype.BFloat16, 512, 4096)
		if err != nil {
			return nil, err
		}
		prompt.Set(s, embedding)
	}
	latent, err := tensor.New(dtype.BFloat16, 1, 32, 1, 44, 80) // stands for the encoder's output
	if err != nil {
		return nil, err
	}
	if err := ring.Append(latent); err != nil {
		return nil, err
	}
	if err := callCount.Edit(s, func(n *int) { *n++ }); err != nil {
		return nil, err
	}
	return ring.Last(min(2, ring.Len()))
}

// A server embeds the manager: config and environment decide, requests find
// their sessions, stats says what is held.
func Example() {
	deploy, err := config.ParseDeploy([]byte("model: dreamzero\nenable_session_state_manager: true\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	environment := map[string]string{config.MaxSessionsVar: "2"} // a server hands in os.LookupEnv
	lookup := func(name string) (string, bool) { text, set := environment[name]; return text, set }
	decided := config.Resolve(deploy, lookup, nil)
	fmt.Println("enabled:", decided.Enabled)

	m, err := manager.New(manager.Options{MaxSessions: decided.MaxSessions})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, id := range []string{"robot-1", "robot-2", "robot-2", "robot-3", "robot-2"} {
		window, err := step(m, id)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(id, "reads", window)
	}
	stats := m.Stats()
	fmt.Println("retained:", m.Retained(), "evicted:", stats.Evictions)
	fmt.Println("bytes:", stats.BytesByDevice)
	// Output:
	// enabled: true
	// robot-1 reads bfloat16[1 32 1 44 80] on cpu
	// robot-2 reads bfloat16[1 32 1 44 80] on cpu
	// robot-2 reads bfloat16[1 32 2 44 80] on cpu
	// robot-3 reads bfloat16[1 32 1 44 80] on cpu
	// robot-2 reads bfloat16[1 32 2 44 80] on cpu
	// retained: [robot-3 robot-2] evicted: 1
	// bytes: map[cpu:9289728]
}
