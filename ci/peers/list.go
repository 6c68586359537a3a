package main

import "github.com/statespec/statespec/ci/paired"

// list is all benchmarks. The control of each is hashicorp's lru.Cache.
func list() []paired.Benchmark {
	return []paired.Benchmark{
		{
			Name: "PeerGet", Doc: "a look-up of a key that is retained; the reference's is its get-or-create, the control's a Get of hashicorp's lru.Cache",
			Variants: variants(gets, 1, func(peer) bool { return true }),
		},
		{
			Name: "PeerAdd", Doc: "an Add of a key that was evicted, which evicts another; the reference's is its get-or-create, which makes a session; the control's an Add to hashicorp's lru.Cache",
			Variants: variants(adds, 1, func(p peer) bool { return p.evicts }),
		},
		{
			Name: "PeerGetFromTwo", Doc: "look-ups from two goroutines at once; the control's too",
			Variants: variants(gets, 2, func(p peer) bool { return p.shared }),
		},
		{
			Name: "PeerAddFromTwo", Doc: "Adds that evict from two goroutines at once; the control's too",
			Variants: variants(adds, 2, func(p peer) bool { return p.shared && p.evicts }),
		},
	}
}

// variants are the peers that can do a thing, each with its body.
func variants(body func(peer, int) setUp, goroutines int, can func(peer) bool) (of []paired.Variant) {
	for _, p := range peers() {
		if can(p) {
			of = append(of, paired.Variant{Name: "impl=" + p.name + "/sessions=64", SetUp: body(p, goroutines)})
		}
	}
	return of
}
