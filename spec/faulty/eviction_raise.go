package faulty

import (
	"math"
	"slices"

	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/subject"
)

// raises are faults of a cap that is raised in use.
func raises() []Fault {
	return []Fault{
		raising("raises the cap in name only", "EVI-17", func(t *table, n int) (bool, error) { return n > t.cap, positive(n) }),
		raising("does not say that the cap was raised", "EVI-17", func(t *table, n int) (bool, error) {
			_, err := t.raise(n)
			return false, err
		}),
		raising("raises the cap by what it is raised to", "EVI-17", func(t *table, n int) (bool, error) {
			raised, err := t.raise(n)
			if raised {
				t.cap += n
			}
			return raised, err
		}),
		raising("raising the cap begins with an empty table", "EVI-17", func(t *table, n int) (bool, error) {
			raised, err := t.raise(n)
			if raised {
				t.order = nil
			}
			return raised, err
		}),
		raising("raising the cap evicts the least recent session", "EVI-17", func(t *table, n int) (bool, error) {
			raised, err := t.raise(n)
			if raised && len(t.order) > 0 {
				t.evict(0)
			}
			return raised, err
		}),
		raising("raising the cap resets who is retained", "EVI-17", func(t *table, n int) (bool, error) {
			raised, err := t.raise(n)
			for _, s := range t.order {
				if raised {
					s.Reset()
				}
			}
			return raised, err
		}),
		raising("raising the cap turns the order round", "EVI-17", func(t *table, n int) (bool, error) {
			raised, err := t.raise(n)
			if raised {
				slices.Reverse(t.order)
			}
			return raised, err
		}),

		raising("lowers the cap at once", "EVI-17.lower", func(t *table, n int) (bool, error) {
			if n < 1 || n > t.cap {
				return t.raise(n)
			}
			for t.cap = n; len(t.order) > n; {
				t.evict(0)
			}
			return false, nil
		}),
		raising("lowers the cap when the next session comes", "EVI-17.lower", func(t *table, n int) (bool, error) {
			if n < 1 || n > t.cap {
				return t.raise(n)
			}
			t.cap = n
			return false, nil
		}),
		raising("says that a lower cap was a change", "EVI-17.lower", func(t *table, n int) (bool, error) {
			raised, err := t.raise(n)
			return raised || err == nil, err
		}),

		raising("ignores a raise to zero or less", "EVI-17.non-positive", func(t *table, n int) (bool, error) { return t.raise(max(n, 1)) }),
		raising("takes a raise to zero for no cap", "EVI-17.non-positive", func(t *table, n int) (bool, error) {
			if n == 0 {
				n = math.MaxInt
			}
			return t.raise(n)
		}),
		raising("refuses a raise to less than zero and lifts the cap", "EVI-17.non-positive", func(t *table, n int) (bool, error) {
			raised, err := t.raise(n)
			if n < 0 {
				t.cap = math.MaxInt
			}
			return raised, err
		}),
		raising("refuses a raise to zero and leaves one place", "EVI-17.non-positive", func(t *table, n int) (bool, error) {
			raised, err := t.raise(n)
			if n == 0 {
				t.cap = 1
			}
			return raised, err
		}),
	}
}

func positive(n int) error {
	if n < 1 {
		return refused("a cap below one")
	}
	return nil
}

// raising is a table whose cap is raised in another way, under its lock.
func raising(name, breaks string, raise func(t *table, n int) (bool, error)) Fault {
	return Fault{Name: name, Breaks: []string{breaks}, Parts: tabled(func(o manager.Options) (subject.Table, error) {
		t, err := newTable(o, nil)
		return &raised{t, raise}, err
	})}
}

type raised struct {
	*table
	by func(t *table, n int) (bool, error)
}

func (r *raised) RaiseCap(n int) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.by(r.table, n)
}
