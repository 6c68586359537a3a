package equivalence

import (
	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// The branches of guidance.
const (
	positive = "positive"
	negative = "negative"
)

// A prompt is what one branch is captured of: keys and values of its layers, and
// its RoPE frequencies.
type prompt struct {
	layers []content // each a list of keys and values
	freqs  content   // a list
}

// encoded is a prompt of a seed, so many layers deep. Keys and values take 4 KiB
// a layer, which no allocator rounds up.
func encoded(dtype string, seed uint64, depth int) prompt {
	p := prompt{freqs: list(tensor("float32", seed+900, 8, 16), tensor("float32", seed+901, 8, 16))}
	for i := range uint64(depth) {
		p.layers = append(p.layers, list(tensor(dtype, seed+2*i, 1, 8, 4, 32), tensor(dtype, seed+2*i+1, 1, 8, 4, 32)))
	}
	return p
}

// A conditioned is a session of Cosmos3 on a path.
type conditioned struct {
	s     *op.Client
	path  string
	store spec.Model
	over  spec.Manager // nil on the bespoke path
	state spec.State
}

// onEachPath is a spec of Cosmos3 that is asked of each path that the subject has.
func onEachPath(open Open, text, row string, body func(c *conditioned)) {
	It(text, Offset(1), Promise(row), func(ctx SpecContext) {
		s := open.Subject(ctx)
		had := 0
		for _, path := range []string{spec.Managed, spec.Bespoke} {
			c := &conditioned{s: s, path: path}
			if path == spec.Managed {
				c.over = Must(s.NewManager(spec.ManagerSpec{}))
			}
			store, err := s.NewModel(spec.ModelSpec{Model: "cosmos3", Path: path, Manager: c.over})
			if spec.KindOf(err) == spec.Unsupported {
				Note("the subject has no %s path of Cosmos3", path)
				continue
			}
			c.store = Must(store, err)
			if took := Must(store.Path()); took != path {
				CannotTell("a model made for the %s path took the %s path", path, took)
			}
			c.state = Must(c.store.Open("a"))
			body(c)
			had++
		}
		if had == 0 {
			Unclaimed("the subject has Cosmos3 on no path")
		}
	})
}

// session is another session of the same stores.
func (c *conditioned) session(id string) *conditioned {
	GinkgoHelper()
	other := *c
	other.state = Must(c.store.Open(id))
	return &other
}

// again is the same session, held anew.
func (c *conditioned) again() *conditioned { GinkgoHelper(); return c.session("a") }

// do takes a step about a branch, with values made for it alone.
func (c *conditioned) do(step, branch string, with map[string]content) (spec.Value, error) {
	GinkgoHelper()
	st := spec.Step{Do: step, Args: args{}, With: map[string]spec.Value{}}
	if branch != "" {
		st.Args["branch"] = branch
	}
	for name, of := range with {
		v := of.make(c.s)
		defer LetGo(v)
		st.With[name] = v
	}
	return c.state.Do(st)
}

func (c *conditioned) capture(branch string, p prompt) {
	GinkgoHelper()
	Must(c.do("capture", branch, map[string]content{"kv": list(p.layers...), "freqs": p.freqs}))
}

// setBranch stores the layers of a branch, without its frequencies.
func (c *conditioned) setBranch(branch string, p prompt) {
	GinkgoHelper()
	Must(c.do("set_branch", branch, map[string]content{"kv": list(p.layers...)}))
}

// captured says whether a branch counts as captured.
func (c *conditioned) captured(branch string) bool {
	GinkgoHelper()
	out := Must(c.do("initialized", branch, nil))
	defer LetGo(out)
	return Bits(out).Int != 0
}

// evicts takes one layer of a branch away.
func (c *conditioned) evict(branch string, layer int) {
	GinkgoHelper()
	if out := Must(c.state.Do(spec.Step{Do: "evict_layer", Args: args{"branch": branch, "layer": layer}})); out != nil {
		LetGo(out)
	}
}

// bytes is the storage of a branch.
func (c *conditioned) bytes(branch string) int64 {
	GinkgoHelper()
	out := Must(c.do("bytes", branch, nil))
	defer LetGo(out)
	return Bits(out).Int
}

// loaded is what a branch reads as: its layers and its frequencies, each none
// where there is none; refused where it is.
func (c *conditioned) loaded(branch string) (layers, freqs string) {
	GinkgoHelper()
	out, err := c.do("load", branch, nil)
	if Refused(err) {
		return refused, refused
	}
	if out == nil {
		return none, none
	}
	defer LetGo(out)
	r := listed(Bits(out))
	if len(r.Items) != 2 {
		CannotTell("load answers %s, which is no list of layers and frequencies", outline(r))
	}
	return outline(r.Items[0]), outline(r.Items[1])
}

// due is what a prompt should read as.
func (c *conditioned) due(p prompt) (layers, freqs string) {
	GinkgoHelper()
	return outline(listed(readingOf(c.s, list(p.layers...)))), outline(listed(readingOf(c.s, p.freqs)))
}

// listed is a reading with lists for tuples: which of them a language hands out
// is its own affair.
func listed(r spec.Reading) spec.Reading {
	if r.Kind == spec.KindTuple {
		r.Kind = spec.KindList
	}
	items := make([]spec.Reading, len(r.Items))
	for i, item := range r.Items {
		items[i] = listed(item)
	}
	r.Items = items
	return r
}
