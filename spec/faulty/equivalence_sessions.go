package faulty

import (
	"fmt"
	"slices"
	"sync"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/subject"
)

// partedSessions are faults of a path's store when more sessions come than it
// keeps.
func partedSessions() []Fault {
	return []Fault{
		{
			Name: "keeps every session on the bespoke path", Breaks: []string{"EQV-07"},
			Met: "the real bespoke path, which kept 201 sessions of 201",
			Parts: bespokeStores(func(o dreamzero.Options) (store, error) {
				o.Cap = 0
				return dreamzero.NewBespokeStore(o)
			}),
		}, {
			Name: "evicts the session that was opened first on the bespoke path", Breaks: []string{"EQV-07"},
			Parts: bespokeStores(func(o dreamzero.Options) (store, error) {
				s, err := dreamzero.NewBespokeStore(dreamzero.Options{Window: o.Window, Quantiser: o.Quantiser})
				return &firstOut{lives: lives{store: s, ended: map[string]int{}}, cap: o.Cap}, err
			}),
		}, {
			Name: "gives a session that comes back its old image features on the managed path", Breaks: []string{"EQV-07"},
			Parts: storesOn(managedPath, func(own store) store { return &remembering{store: own, features: map[string]any{}} }),
		},
	}
}

// storesOn is a subject with something in front of the stores of a path.
func storesOn(path string, front func(store) store) parts {
	return func() subject.Parts {
		return subject.Parts{Store: func(own store) store {
			if path != own.Path() {
				return own
			}
			return front(own)
		}}
	}
}

// lives is a bespoke store that forgets a session by giving its id another state
// from then on: who holds the old one keeps it.
type lives struct {
	store
	mu    sync.Mutex
	ended map[string]int // lives of an id that are over
}

func (l *lives) Open(id string) (dreamzero.State, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.store.Open(fmt.Sprintf("life %d of %s", l.ended[named(id)], named(id)))
}

func (l *lives) forget(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended[named(id)]++
}

// firstOut evicts by the order in which sessions were made.
type firstOut struct {
	lives
	cap   int
	order []string
}

func (f *firstOut) Open(id string) (dreamzero.State, error) {
	if !slices.Contains(f.order, named(id)) {
		if f.cap > 0 && len(f.order) >= f.cap {
			f.forget(f.order[0])
			f.order = f.order[1:]
		}
		f.order = append(f.order, named(id))
	}
	return f.lives.Open(id)
}

func (f *firstOut) End(id string) error {
	f.order = slices.DeleteFunc(f.order, func(other string) bool { return other == named(id) })
	st, err := f.lives.Open(id)
	if err != nil {
		return err
	}
	f.forget(id)
	return st.SessionReset()
}

// remembering gives a session the image features that were set last under its id,
// where it has none.
type remembering struct {
	store
	mu       sync.Mutex
	features map[string]any
}

func (r *remembering) Open(id string) (dreamzero.State, error) {
	there := slices.Contains(r.Retained(), named(id))
	st, err := r.store.Open(id)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if v := r.features[named(id)]; !there && v != nil {
		if err := st.Set(dreamzero.ClipFeatures, v); err != nil {
			return nil, err
		}
	}
	return &noting{st, func(v any) { r.note(id, v) }}, nil
}

func (r *remembering) note(id string, v any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.features[named(id)] = v
}

// End forgets with the session.
func (r *remembering) End(id string) error {
	r.note(id, nil)
	return r.store.End(id)
}

// noting is a state that tells of its image features.
type noting struct {
	dreamzero.State
	tell func(any)
}

func (n *noting) Set(name string, value any) error {
	err := n.State.Set(name, value)
	if err == nil && name == dreamzero.ClipFeatures {
		n.tell(value)
	}
	return err
}

// bespokeStores is a subject whose bespoke stores are other ones.
func bespokeStores(made func(dreamzero.Options) (store, error)) parts {
	return func() subject.Parts { return subject.Parts{BespokeStore: made} }
}
