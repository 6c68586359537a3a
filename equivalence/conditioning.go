package equivalence

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// conditioning is what is captured of a prompt, once.
func conditioning(open Open) {
	for _, dtype := range []string{"bfloat16", "float32"} {
		onEachPath(open, "reads back each layer of each branch bit for bit, in "+dtype, "EQV-13", func(c *conditioned) {
			for i, branch := range []string{positive, negative} { // each in a session of its own: EQV-13.isolated asks about both
				one, session := encoded(dtype, uint64(100*i), 4), c.session("of the "+branch+" branch")
				session.expectNothing(branch, "of a new session")
				session.capture(branch, one)
				for range 2 {
					session.expectLoaded(branch, one, "once it was captured")
				}
				c.session("of the "+branch+" branch").expectLoaded(branch, one, "to a second holder")
				Expect(session.captured(branch)).To(BeTrue(), "the %s branch counts as captured, on the %s path", branch, c.path)
			}
		})
	}

	onEachPath(open, "reads back NaN payloads, signed zeros and subnormals of a layer", "EQV-13", func(c *conditioned) {
		p := prompt{layers: []content{list(odd("float32", 1, 1, 4, 4), odd("float32", 7, 1, 4, 4))}, freqs: list(odd("float32", 3, 16))}
		c.capture(positive, p)
		c.expectLoaded(positive, p, "of odd bits")
	})

	onEachPath(open, "reads back what was set for a branch, and its frequencies as they were captured", "EQV-13", func(c *conditioned) {
		one, two := encoded("bfloat16", 1, 3), encoded("bfloat16", 50, 5)
		c.capture(positive, one)
		c.setBranch(positive, two)
		c.expectLoaded(positive, prompt{two.layers, one.freqs}, "set after it was captured")
	})

	onEachPath(open, "stores a layer of a branch once", "EQV-13", func(c *conditioned) {
		const depth, layer, freqs = 4, 2 * 8 * 4 * 32 * 2, 2 * 8 * 16 * 4
		c.capture(positive, encoded("bfloat16", 1, depth))
		first := c.bytes(positive)
		Expect(first).To(And(BeNumerically(">=", depth*layer), BeNumerically("<", 2*depth*layer)),
			"bytes of the positive branch on the %s path, of %d layers of %d bytes and %d of frequencies", c.path, depth, layer, freqs)
		for range 3 {
			c.loaded(positive)
			Expect(c.bytes(positive)).To(Equal(first), "bytes of the positive branch on the %s path, after it was read", c.path)
		}
		c.setBranch(positive, encoded("bfloat16", 200, depth))
		Expect(c.bytes(positive)).To(Equal(first), "bytes of the positive branch on the %s path, after another of as many layers was set", c.path)
	})
}

// branches is what branches and sessions see of each other: nothing.
func branches(open Open) {
	for _, depths := range [][2]int{{3, 3}, {5, 2}, {2, 5}} {
		onEachPath(open, fmt.Sprintf("keeps branches of %d and %d layers apart", depths[0], depths[1]), "EQV-13.isolated", func(c *conditioned) {
			one, two, three := encoded("bfloat16", 1, depths[0]), encoded("bfloat16", 100, depths[1]), encoded("bfloat16", 200, depths[1])
			c.capture(positive, one)
			c.expectNothing(negative, "after the other one was captured")
			c.capture(negative, two)
			c.expectLoaded(positive, one, "after the other one was captured")
			c.expectLoaded(negative, two, "captured after the other one")
			c.setBranch(negative, three)
			c.expectLoaded(positive, one, "after the other one was set")
			for layer := range depths[1] {
				c.evict(negative, layer)
				c.expectLoaded(positive, one, fmt.Sprintf("after layer %d of the other one was evicted", layer))
			}
		})
	}

	onEachPath(open, "keeps the branches of sessions apart", "EQV-13.isolated", func(c *conditioned) {
		other := c.session("b")
		one, two, three := encoded("bfloat16", 1, 3), encoded("bfloat16", 100, 3), encoded("bfloat16", 200, 4)
		c.capture(positive, one)
		other.expectNothing(positive, "of another session than was captured")
		other.capture(positive, two)
		other.capture(negative, three)
		c.expectLoaded(positive, one, "after another session was captured")
		c.expectNothing(negative, "of another session than was captured")
		other.expectLoaded(positive, two, "captured after another session")
		other.evict(positive, 0)
		other.setBranch(negative, two)
		c.expectLoaded(positive, one, "after a layer of another session was evicted")
		Must(other.do("reset", "", nil))
		c.expectLoaded(positive, one, "after another session was reset")
		other.expectNothing(positive, "of a session that was reset")
		other.expectNothing(negative, "of a session that was reset")
	})

	onEachPath(open, "keeps a session that was ended apart from the one that is opened next", "EQV-13.isolated", func(c *conditioned) {
		c.capture(positive, encoded("bfloat16", 1, 3))
		LetGo(c.state)
		Do(c.store.End("a"))
		c.again().expectNothing(positive, "of a session that was ended and opened again")
	})
}

// captures is what a second capture does: nothing.
func captures(open Open) {
	for _, depth := range []int{3, 1, 6} {
		onEachPath(open, fmt.Sprintf("changes nothing by a second capture of %d layers, after one of 3", depth), "EQV-13.second-capture", func(c *conditioned) {
			first, other := encoded("bfloat16", 1, 3), encoded("bfloat16", 100, depth)
			c.capture(positive, first)
			bytes := c.bytes(positive)
			for _, holder := range []*conditioned{c, c.again()} {
				if _, err := holder.do("capture", positive, map[string]content{"kv": list(other.layers...), "freqs": other.freqs}); Refused(err) {
					Note("a second capture is refused")
				}
				c.expectLoaded(positive, first, "after a second capture")
				Expect(c.bytes(positive)).To(Equal(bytes), "bytes of the positive branch on the %s path, after a second capture", c.path)
			}
			c.expectNothing(negative, "after two captures of the other one")
		})
	}

	onEachPath(open, "captures again after a reset", "EQV-13.second-capture", func(c *conditioned) {
		first, other := encoded("bfloat16", 1, 3), encoded("bfloat16", 100, 2)
		c.capture(positive, first)
		Must(c.do("reset", "", nil))
		c.expectNothing(positive, "after a reset")
		c.capture(positive, other)
		c.capture(positive, first)
		c.expectLoaded(positive, other, "after a reset and two captures")
	})
}

// partial is a branch of which some layers are gone.
func partial(open Open) {
	const depth = 4
	for _, gone := range [][]int{{0}, {1}, {depth - 1}, {1, 2}, {depth - 2, depth - 1}, {0, depth - 1}, {1, 2, 3}} {
		onEachPath(open, fmt.Sprintf("reads no shorter branch when layers %v of %d are gone", gone, depth), "EQV-13.partial", func(c *conditioned) {
			one := encoded("bfloat16", 1, depth)
			c.capture(positive, one)
			for _, layer := range gone {
				c.evict(positive, layer)
				c.expectNoPart(positive, one, fmt.Sprintf("after layer %d of %d was evicted", layer, depth))
				c.again().expectNoPart(positive, one, fmt.Sprintf("to a second holder, after layer %d of %d was evicted", layer, depth))
			}
		})
	}

	It("reads no shorter branch when the manager evicts its objects one after the other", Promise("EQV-13.partial"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		m := Must(s.NewManager(spec.ManagerSpec{}))
		c := &conditioned{s: s, path: spec.Managed, over: m, store: Must(s.NewModel(spec.ModelSpec{Model: "cosmos3", Path: spec.Managed, Manager: m}))}
		c.state = Must(c.store.Open("a"))
		one := encoded("bfloat16", 1, depth)
		c.capture(positive, one)
		session := Must(m.Session("a"))
		objects := Must(session.Contents()).Objects
		if len(objects) == 0 {
			CannotTell("the session has no object after a capture")
		}
		for i := range objects {
			name := objects[len(objects)-1-i]
			Must(Must(session.Object(name)).Evict())
			c.expectNoPart(positive, one, "after "+name+" was evicted")
		}
	})

	onEachPath(open, "reads a branch whole that was set again after some of it was gone", "EQV-13.partial", func(c *conditioned) {
		one, two := encoded("bfloat16", 1, depth), encoded("bfloat16", 100, depth-1)
		c.capture(positive, one)
		c.evict(positive, 1)
		c.setBranch(positive, two)
		layers, _ := c.loaded(positive)
		due, _ := c.due(two)
		Expect(layers).To(Equal(due), "layers of the positive branch on the %s path, set again after one was evicted", c.path)
	})
}

// expectLoaded asks that a branch reads back as a prompt, bit for bit.
func (c *conditioned) expectLoaded(branch string, p prompt, when string) {
	GinkgoHelper()
	layers, freqs := c.loaded(branch)
	dueLayers, dueFreqs := c.due(p)
	Expect(layers).To(Equal(dueLayers), "layers of the %s branch on the %s path, %s", branch, c.path, when)
	Expect(freqs).To(Equal(dueFreqs), "RoPE frequencies of the %s branch on the %s path, %s", branch, c.path, when)
}

// expectNothing asks that a branch counts as not captured, and has no layers.
func (c *conditioned) expectNothing(branch, when string) {
	GinkgoHelper()
	Expect(c.captured(branch)).To(BeFalse(), "the %s branch counts as captured on the %s path, %s", branch, c.path, when)
	layers, freqs := c.loaded(branch)
	if layers == refused {
		return
	}
	Expect(layers).To(BeElementOf(none, "list()"), "layers of the %s branch on the %s path, %s", branch, c.path, when)
	Expect(freqs).To(BeElementOf(none, "list()"), "RoPE frequencies of the %s branch on the %s path, %s", branch, c.path, when)
}

// expectNoPart asks that a branch of which something is gone is refused, or reads
// as not captured, or as the whole that it was.
func (c *conditioned) expectNoPart(branch string, p prompt, when string) {
	GinkgoHelper()
	layers, _ := c.loaded(branch)
	whole, _ := c.due(p)
	Expect(layers).To(BeElementOf(refused, none, "list()", whole), "layers of the %s branch on the %s path, %s: an error, none, or all", branch, c.path, when)
}
