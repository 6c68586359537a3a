package main

import (
	"errors"
	"fmt"
	"sync"
)

// ids are 36 bytes long, as UUIDs are, and those of package benchmarks.
func ids(n int) []string {
	made := make([]string, n)
	for i := range made {
		made[i] = fmt.Sprintf("%08x-0000-4000-8000-%012x", i, i*7919)
	}
	return made
}

// A turn makes n operations on some keys from a start on.
type turn func(keys []string, start, n int) error

// A round is where in the keys each goroutine is.
type round struct {
	keys   []string
	first  []int
	starts []int
}

// newRound has goroutines start at equal distances, the first of them at from.
func newRound(keys []string, from, goroutines int) *round {
	r := &round{keys: keys}
	for g := range goroutines {
		r.first = append(r.first, from+g*len(keys)/goroutines)
	}
	r.starts = append(r.starts, r.first...)
	return r
}

// make makes n operations, each goroutine its part of them.
func (r *round) make(do turn, n int) error {
	if len(r.starts) == 1 {
		err := do(r.keys, r.starts[0], n)
		r.starts[0] += n
		return err
	}
	var wg sync.WaitGroup
	errs := make([]error, len(r.starts))
	each := (n + len(r.starts) - 1) / len(r.starts)
	for g := range r.starts {
		wg.Go(func() {
			errs[g] = do(r.keys, r.starts[g], each)
			r.starts[g] += each
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// made is how many operations were made.
func (r *round) made() (n int) {
	for g := range r.starts {
		n += r.starts[g] - r.first[g]
	}
	return n
}

// last are the n keys before the one where each goroutine is.
func (r *round) last(n int) (keys []string) {
	for _, start := range r.starts {
		for i := range n {
			keys = append(keys, r.keys[(start-1-i)&(len(r.keys)-1)])
		}
	}
	return keys
}
