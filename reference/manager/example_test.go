package manager_test

import (
	"fmt"

	"github.com/statespec/statespec/reference/config"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
)

// An adapter declares its attributes once, a line each.
var (
	callCount   = manager.NewAttr("call_count", 0)
	promptEmbed = manager.NewAttr[*tensor.Tensor]("prompt_embeds", nil)
)

func Example() {
	m, err := manager.New(manager.Options{MaxSessions: config.DefaultMaxSessions})
	if err != nil {
		panic(err)
	}
	s, err := m.Session("robot-7")
	if err != nil {
		panic(err)
	}
	latents, err := s.GetOrCreate("video_latents_across_time", func() (object.StateObject, error) {
		b := object.NewLatentBuffer("video_latents_across_time")
		return b, b.Allocate(object.Bound{})
	}, nil)
	if err != nil {
		panic(err)
	}
	chunk, err := tensor.New(dtype.BFloat16, 1, 16, 2, 44, 80)
	if err != nil {
		panic(err)
	}
	if err := latents.Commit(chunk); err != nil {
		panic(err)
	}
	promptEmbed.Set(s, chunk)
	callCount.Set(s, callCount.Get(s)+1)

	stats := m.Stats()
	fmt.Println(stats.Sessions, stats.BytesByDevice)
	freed, err := latents.Evict()
	fmt.Println(freed, err, callCount.Get(s))
	fmt.Println(m.Stats().Map()["nbytes:cpu"])
	// Output:
	// 1 map[cpu:450560]
	// 225280 <nil> 1
	// 225280
}
