package faulty

import (
	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
)

// resets are faults of an object's reset.
func resets() []Fault {
	return []Fault{
		{
			Name: "needs a reset for every commit", Breaks: []string{"OBJ-05"},
			Parts: onces(func(o *altered) {
				commits := 0
				o.commit = func(ps ...*tensor.Tensor) error { commits++; return o.own.Commit(ps...) }
				o.reset = func() error {
					if commits--; commits > 0 {
						return nil
					}
					commits = 0
					return o.own.Reset()
				}
			}),
		}, {
			Name: "stays resident through a reset", Breaks: []string{"OBJ-05"},
			Follows: []string{"OBJ-19", "EVI-16.holder"}, // resets of many objects
			Parts: onces(func(o *altered) {
				stays := false
				o.reset = func() error { stays = stays || o.own.Resident(); return o.own.Reset() }
				o.allocate = func(b object.Bound) error { stays = false; return o.own.Allocate(b) }
				o.evict = func() (int64, error) { stays = false; return o.own.Evict() }
				o.resident = func() bool { return stays || o.own.Resident() }
			}),
		}, {
			Name: "reports all but the newest payload after a reset", Breaks: []string{"OBJ-05"},
			Parts: buffers(func(b *alteredBuffer) {
				older := int64(0)
				b.reset = func() error {
					older = 0
					for _, p := range b.payloads()[:max(0, b.own.Len()-1)] {
						older += int64(p.NumBytes())
					}
					return b.own.Reset()
				}
				b.bytes = func() map[tensor.Device]int64 {
					if b.own.Resident() || older == 0 {
						return b.own.BytesByDevice()
					}
					return map[tensor.Device]int64{tensor.CPU: older}
				}
			}),
		}, {
			Name: "hides the storage that a reset kept", Breaks: []string{"OBJ-05"},
			Parts: objectsOf(func(o *altered) {
				var hidden []*tensor.Tensor
				o.reset = func() error {
					held, _ := o.own.View(object.ViewOptions{})
					hidden = append(hidden, held...)
					return o.own.Reset()
				}
			}),
		}, {
			Name: "has its content back when allocated after a reset", Breaks: []string{"OBJ-05"},
			Parts: objectsOf(func(o *altered) {
				var before []*tensor.Tensor
				o.reset = func() error { before = o.payloads(); return o.own.Reset() }
				o.allocate = func(b object.Bound) error {
					kept := before
					before = nil
					if err := o.own.Allocate(b); err != nil || len(kept) == 0 {
						return err
					}
					return o.own.Commit(kept...)
				}
			}),
		}, {
			Name: "keeps what is staged through a reset", Breaks: []string{"OBJ-05"},
			Met: "the real latent buffer, whose staged payloads survive its reset",
			Parts: buffers(func(b *alteredBuffer) {
				b.reset = func() error {
					_, err := b.own.Evict()
					return err
				}
			}),
		}, {
			Name: "keeps the storage of what was staged after a reset", Breaks: []string{"OBJ-05"},
			Parts: objectsOf(func(o *altered) {
				var leaked []*tensor.Tensor
				o.stage = func(p *tensor.Tensor) error {
					err := o.own.Stage(p)
					if err == nil {
						leaked = append(leaked, p)
					}
					return err
				}
				o.discard = func() error { leaked = nil; return o.own.Discard() }
			}),
		},
	}
}

// evicts are faults of an object's evict.
func evicts() []Fault {
	return []Fault{
		{
			Name: "stays resident through an evict", Breaks: []string{"OBJ-06"}, Follows: []string{"PRK-03"},
			Parts: buffers(func(b *alteredBuffer) {
				b.evict = func() (int64, error) {
					bound, allocated := b.own.Bound()
					freed, err := b.own.Evict()
					if allocated {
						b.own.Allocate(bound)
					}
					return freed, err
				}
			}),
		}, {
			Name: "is only marked by an evict", Breaks: []string{"OBJ-06"},
			Parts: onlyMarked,
		}, {
			Name: "hides the storage that an evict kept", Breaks: []string{"OBJ-06"},
			Follows: []string{"ACC-18"}, // what it says that it freed, nobody got back
			Parts: objectsOf(func(o *altered) {
				var hidden []*tensor.Tensor
				o.evict = func() (int64, error) {
					held, _ := o.own.View(object.ViewOptions{})
					hidden = append(hidden, held...)
					return o.own.Evict()
				}
			}),
		}, {
			Name: "rounds what an evict freed to whole MiB", Breaks: []string{"OBJ-06.bytes"},
			Parts: objectsOf(func(o *altered) {
				o.evict = func() (int64, error) {
					freed, err := o.own.Evict()
					return freed &^ (1<<20 - 1), err
				}
			}),
		}, {
			Name: "says how many elements an evict freed", Breaks: []string{"OBJ-06.bytes"},
			Parts: buffers(func(b *alteredBuffer) {
				b.evict = func() (int64, error) {
					elements := int64(0)
					for _, p := range b.payloads() {
						elements += int64(p.NumElements())
					}
					_, err := b.own.Evict()
					return elements, err
				}
			}),
		}, {
			Name: "says that an evict freed the newest payload alone", Breaks: []string{"OBJ-06.bytes"},
			Parts: buffers(func(b *alteredBuffer) {
				b.evict = func() (int64, error) {
					newest := int64(0)
					if held := b.payloads(); len(held) > 0 {
						newest = int64(held[len(held)-1].NumBytes())
					}
					_, err := b.own.Evict()
					return newest, err
				}
			}),
		}, {
			Name: "frees what was freed", Breaks: []string{"OBJ-08"},
			Parts: objectsOf(func(o *altered) {
				last := int64(0)
				o.evict = func() (int64, error) {
					if resident := o.own.Resident(); !resident && last > 0 {
						return last, nil
					}
					freed, err := o.own.Evict()
					last = freed
					return freed, err
				}
			}),
		}, {
			Name: "refuses an evict when it is not allocated", Breaks: []string{"OBJ-08"},
			Parts: buffers(func(b *alteredBuffer) {
				b.evict = func() (int64, error) {
					if !b.own.Resident() {
						return 0, absent("evict", b)
					}
					return b.own.Evict()
				}
			}),
		}, {
			Name: "refuses a reset when it is not allocated", Breaks: []string{"OBJ-08"},
			Parts: buffers(func(b *alteredBuffer) {
				b.reset = func() error {
					if !b.own.Resident() {
						return absent("reset", b)
					}
					return b.own.Reset()
				}
			}),
		}, {
			Name: "dies of an evict when it is not allocated", Breaks: []string{"OBJ-08"},
			Follows: []string{"OBJ-21"}, // a death is no answer
			Parts: buffers(func(b *alteredBuffer) {
				b.evict = func() (int64, error) {
					if !b.own.Resident() {
						panic("evict of a nil storage")
					}
					return b.own.Evict()
				}
			}),
		}, {
			Name: "counts a second evict as negative bytes", Breaks: []string{"OBJ-08"},
			Parts: objectsOf(func(o *altered) {
				over := int64(0)
				o.evict = func() (int64, error) {
					freed, err := o.own.Evict()
					if freed == 0 {
						over += 24
					}
					return freed, err
				}
				o.allocate = func(b object.Bound) error { over = 0; return o.own.Allocate(b) }
				o.commit = func(ps ...*tensor.Tensor) error { over = 0; return o.own.Commit(ps...) }
				o.bytes = func() map[tensor.Device]int64 {
					bytes := o.own.BytesByDevice()
					if over > 0 {
						bytes[tensor.CPU] -= over
					}
					return bytes
				}
			}),
		},
	}
}

// absent refuses work on a buffer that is not allocated.
func absent(call string, b *alteredBuffer) error {
	return fault.New(fault.ErrNotAllocated, "%s %q: it is not allocated", call, b.own.Name())
}

// onlyMarked is a subject whose buffers take an evict for a mark, and let go
// of nothing before they are allocated again.
func onlyMarked() subject.Parts {
	return subject.Parts{StateObject: buffersOf(func(b *alteredBuffer) {
		marked := false
		b.evict = func() (int64, error) { marked = b.own.Resident(); return 0, nil }
		b.allocate = func(bound object.Bound) error { marked = false; return b.own.Allocate(bound) }
		b.reset = func() error { marked = false; return b.own.Reset() }
		b.resident = func() bool { return !marked && b.own.Resident() }
		b.commit = func(ps ...*tensor.Tensor) error {
			if marked {
				return absent("append to", b)
			}
			return b.own.Commit(ps...)
		}
		b.view = func(o object.ViewOptions) ([]*tensor.Tensor, error) {
			if marked {
				return nil, absent("view", b)
			}
			return b.own.View(o)
		}
	})}
}
