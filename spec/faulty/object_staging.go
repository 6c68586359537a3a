package faulty

import (
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// staging are faults of what becomes of a payload that is kept aside.
func staging() []Fault {
	return []Fault{
		{
			Name: "shows what is staged to every view", Breaks: []string{"OBJ-14", "OBJ-16.view"},
			Parts: objectsOf(func(o *altered) {
				o.view = func(object.ViewOptions) ([]*tensor.Tensor, error) {
					return o.own.View(object.ViewOptions{Staged: true})
				}
			}),
		}, {
			Name: "shows what is staged while nothing is committed", Breaks: []string{"OBJ-14"},
			Parts: objectsOf(func(o *altered) {
				o.view = func(v object.ViewOptions) ([]*tensor.Tensor, error) {
					if o.own.Len() == 0 {
						v.Staged = true
					}
					return o.own.View(v)
				}
			}),
		}, {
			Name: "discards what is committed too", Breaks: []string{"OBJ-14.discard"},
			Follows: []string{"ACC-16"}, // which counts with and without what is staged, in turn
			Parts: buffers(func(b *alteredBuffer) {
				b.discard = func() error {
					if bound, allocated := b.own.Bound(); allocated {
						b.own.Allocate(bound)
					}
					return b.own.Discard()
				}
			}),
		}, {
			Name: "discards nothing", Breaks: []string{"OBJ-14.discard"},
			Follows: []string{"ACC-16"}, // which counts with and without what is staged, in turn
			Parts:   objectsOf(func(o *altered) { o.discard = func() error { return nil } }),
		}, {
			Name: "promotes what is discarded", Breaks: []string{"OBJ-14.discard"},
			Follows: []string{"ACC-16"}, // which counts with and without what is staged, in turn
			Parts:   objectsOf(func(o *altered) { o.discard = func() error { return o.own.Commit() } }),
		}, {
			Name: "keeps the storage of what was discarded", Breaks: []string{"OBJ-14.discard"},
			Parts: objectsOf(func(o *altered) {
				var kept []*tensor.Tensor
				o.stage = func(p *tensor.Tensor) error { kept = append(kept, p); return o.own.Stage(p) }
				o.reset = func() error { kept = nil; return o.own.Reset() }
			}),
		}, {
			Name: "evicts what is staged too", Breaks: []string{"OBJ-15"},
			Parts: objectsOf(func(o *altered) {
				o.evict = func() (int64, error) {
					before := o.own.BytesByDevice()
					o.own.Evict()
					o.own.Discard()
					return before[tensor.CPU], nil
				}
			}),
		}, {
			Name: "loses what is staged when allocated after an evict", Breaks: []string{"OBJ-15"},
			Parts: buffers(func(b *alteredBuffer) {
				evicted := false
				b.evict = func() (int64, error) { evicted = true; return b.own.Evict() }
				b.allocate = func(bound object.Bound) error {
					if evicted {
						b.own.Discard()
					}
					evicted = false
					return b.own.Allocate(bound)
				}
			}),
		}, {
			Name: "promotes nothing", Breaks: []string{"OBJ-16"},
			Met:   "the real latent buffer, where a commit without a payload does nothing",
			Parts: promoting(func(o *altered) error { return nil }),
		}, {
			Name: "promotes and keeps it staged", Breaks: []string{"OBJ-16"},
			Parts: promoting(func(o *altered) error {
				staged := o.staged()
				err := o.own.Commit()
				for _, p := range staged {
					o.own.Stage(p)
				}
				return err
			}),
		}, {
			Name: "drops what it should promote", Breaks: []string{"OBJ-16"},
			Parts: promoting(func(o *altered) error {
				if !o.own.Resident() {
					return o.own.Commit()
				}
				return o.own.Discard()
			}),
		}, {
			Name: "puts what it promotes in the place of what was appended", Breaks: []string{"OBJ-16"},
			Parts: buffers(func(b *alteredBuffer) {
				b.commit = func(ps ...*tensor.Tensor) error {
					if bound, allocated := b.own.Bound(); allocated && len(ps) == 0 && len(b.staged()) > 0 {
						b.own.Allocate(bound)
					}
					return b.own.Commit(ps...)
				}
			}),
		}, {
			Name: "leaves what is staged out of every view", Breaks: []string{"OBJ-16.view"},
			Met: "the real latent buffer, whose view takes the wish and ignores it",
			Parts: objectsOf(func(o *altered) {
				o.view = func(object.ViewOptions) ([]*tensor.Tensor, error) { return o.own.View(object.ViewOptions{}) }
			}),
		}, {
			Name: "shows what is staged alone to a view that includes it", Breaks: []string{"OBJ-16.view"},
			Parts: buffers(func(b *alteredBuffer) {
				b.view = func(v object.ViewOptions) ([]*tensor.Tensor, error) {
					if staged := b.staged(); v.Staged && len(staged) > 0 {
						return staged, nil
					}
					return b.own.View(v)
				}
			}),
		}, {
			Name: "declares that it stages nothing, and stages", Breaks: []string{"OBJ-16", "OBJ-16.view"},
			Parts: func() subject.Parts {
				return subject.Parts{Hello: func(h *spec.Hello) {
					for i := range h.Kinds {
						h.Kinds[i].Staging = false
					}
				}}
			},
		},
	}
}

// promoting is a subject whose objects promote in another way.
func promoting(promote func(o *altered) error) func() subject.Parts {
	return objectsOf(func(o *altered) {
		o.commit = func(ps ...*tensor.Tensor) error {
			if len(ps) == 0 {
				return promote(o)
			}
			return o.own.Commit(ps...)
		}
	})
}

// staged are copies of what is staged.
func (a *altered) staged() []*tensor.Tensor {
	all, err := a.own.View(object.ViewOptions{Staged: true})
	if err != nil {
		return nil
	}
	held := a.payloads()
	if a.kind == spec.LatentBuffer {
		return copies(all[len(held):])
	}
	if len(held) > 0 && equal(held[0], all[0]) {
		return nil // what is committed is all that there is to show
	}
	return copies(all)
}

// recomputations are faults of whether an object says that it can be made again.
func recomputations() []Fault {
	return []Fault{
		{
			Name: "is recomputable from nothing", Breaks: []string{"OBJ-17"}, Follows: []string{"PRK-03"},
			Parts: objectsOf(func(o *altered) { o.recomputable = func() bool { return true } }),
		}, {
			Name: "is never recomputable", Breaks: []string{"OBJ-17"},
			Parts: objectsOf(func(o *altered) { o.recomputable = func() bool { return false } }),
		}, {
			Name: "stays recomputable when its source goes", Breaks: []string{"OBJ-17"},
			Parts: objectsOf(func(o *altered) {
				was := false
				o.recomputable = func() bool { was = was || o.own.Recomputable(); return was }
			}),
		}, {
			Name: "is recomputable only while it is resident itself", Breaks: []string{"OBJ-17"},
			Parts: objectsOf(func(o *altered) {
				o.recomputable = func() bool { return o.own.Resident() && o.own.Recomputable() }
			}),
		}, {
			Name: "is recomputable only after an evict", Breaks: []string{"OBJ-17"},
			Parts: objectsOf(func(o *altered) {
				evicted := false
				o.evict = func() (int64, error) { evicted = true; return o.own.Evict() }
				o.recomputable = func() bool { return evicted && o.own.Recomputable() }
			}),
		},
	}
}
