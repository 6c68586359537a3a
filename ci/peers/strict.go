package main

import (
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// A trace is keys in the order of their use.
type trace struct {
	name string
	keys []string // all of them
	uses []int
}

// traces are the same at every run: some keys used far more than others, and all
// alike.
func traces() []trace {
	const operations, of = 20_000, 200
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.2, 1, of-1)
	zipfian, uniform := trace{name: "zipf", keys: ids(of)}, trace{name: "uniform", keys: ids(of)}
	for range operations {
		zipfian.uses = append(zipfian.uses, int(zipf.Uint64()))
		uniform.uses = append(uniform.uses, r.IntN(of))
	}
	return []trace{zipfian, uniform}
}

// wrong is the share of a peer's residents that are not the model's, of which
// hashicorp's table is one: the keys that one of the two retains and the other does
// not, of the keys of both, at every hundredth use. It is 0 of a strict LRU cache.
func wrong(made func(limit int) (cache, error), t trace) (float64, error) {
	const each = 100
	model, err := simplelru.NewLRU[string, struct{}](limit, nil)
	if err != nil {
		return 0, err
	}
	c, err := made(limit)
	if err != nil {
		return 0, err
	}
	defer c.close()
	differ, all := 0, 0
	for i, use := range t.uses {
		key := t.keys[use]
		if _, ok := model.Get(key); !ok {
			model.Add(key, struct{}{})
		}
		if err := c.use(key); err != nil {
			return 0, err
		}
		if (i+1)%each != 0 {
			continue
		}
		c.settle()
		for _, k := range t.keys {
			want, got := model.Contains(k), c.has(k)
			if want != got {
				differ++
			}
			if want {
				all++
			}
			if got {
				all++
			}
		}
	}
	return float64(differ) / float64(all), nil
}

// writeStrict writes how many residents are wrong, of each peer that evicts.
func writeStrict(w io.Writer) error {
	all := traces()
	head, line := "| impl |", "|---|"
	for _, t := range all {
		head, line = head+" "+t.name+" |", line+"---:|"
	}
	if _, err := fmt.Fprintf(w, "%s\n%s\n", head, line); err != nil {
		return err
	}
	for _, p := range peers() {
		if !p.evicts {
			continue
		}
		row := "| " + p.name + " |"
		for _, t := range all {
			share, err := wrong(p.made, t)
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			row += " " + percent(share) + " |"
		}
		if _, err := fmt.Fprintln(w, row); err != nil {
			return err
		}
	}
	return nil
}

// percent tells nothing from next to nothing.
func percent(share float64) string {
	if share == 0 {
		return "none"
	}
	return fmt.Sprintf("%.3g %%", 100*share)
}
