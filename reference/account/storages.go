package account

import "github.com/statespec/statespec/reference/tensor"

// Storages lists the storages that values keep alive by themselves, each once,
// in no order. What a Root or a Steady among them holds is that one's own, and
// is not listed.
func Storages(values ...any) []*tensor.Storage {
	w := NewWalker()
	w.inRoot = true // others that are met are noted, and not walked
	for _, v := range values {
		w.Walk("", v)
	}
	all := make([]*tensor.Storage, 0, w.seen.n)
	for _, st := range w.seen.slots {
		if st != nil {
			all = append(all, st)
		}
	}
	return all
}
