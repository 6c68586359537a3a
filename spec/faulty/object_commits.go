package faulty

import (
	"encoding/binary"
	"slices"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// commits are faults of what becomes of a payload that is committed.
func commits() []Fault {
	return []Fault{
		{
			Name: "shows the newest payload first", Breaks: []string{"OBJ-02"},
			Parts: buffers(func(b *alteredBuffer) {
				b.view = func(o object.ViewOptions) ([]*tensor.Tensor, error) {
					held, err := b.own.View(o)
					if b.unit() == object.Unbounded {
						slices.Reverse(held)
					}
					return held, err
				}
			}),
		}, {
			Name: "keeps the first payload where a commit replaces", Breaks: []string{"OBJ-02"},
			Follows: []string{"OBJ-16"}, // the newest may be one that was staged
			Parts: onces(func(o *altered) {
				o.commit = func(ps ...*tensor.Tensor) error {
					if len(ps) > 0 && o.own.Resident() {
						return nil
					}
					return o.own.Commit(ps...)
				}
			}),
		}, {
			Name: "keeps the last payload of an extend alone", Breaks: []string{"OBJ-02"},
			Parts: buffers(func(b *alteredBuffer) {
				b.commit = func(ps ...*tensor.Tensor) error {
					if b.unit() == object.Unbounded && len(ps) > 1 {
						ps = ps[len(ps)-1:]
					}
					return b.own.Commit(ps...)
				}
			}),
		}, {
			Name: "adds an extend newest first", Breaks: []string{"OBJ-02", "OBJ-12"},
			Follows: []string{"RNG-03"}, // a commit of two frames
			Parts: buffers(func(b *alteredBuffer) {
				b.commit = func(ps ...*tensor.Tensor) error {
					ps = slices.Clone(ps)
					slices.Reverse(ps)
					return b.own.Commit(ps...)
				}
			}),
		}, {
			Name: "keeps references to what it is given", Breaks: []string{"OBJ-20"},
			Parts: func() subject.Parts { return subject.Parts{Options: []object.Option{object.KeepReferences()}} },
		}, {
			Name: "copies an append and keeps references of an extend", Breaks: []string{"OBJ-20"},
			Parts: keepsReferences(func(_ object.Unit, payloads int) bool { return payloads > 1 }),
		}, {
			Name: "keeps references when bounded in payloads", Breaks: []string{"OBJ-20"},
			Parts: keepsReferences(func(unit object.Unit, payloads int) bool { return unit == object.Payloads }),
		}, {
			Name: "declares references and copies", Breaks: []string{"OBJ-20"},
			Follows: []string{"ACC-02"}, // of references the whole storage has to be counted
			Parts: func() subject.Parts {
				return subject.Parts{Hello: func(h *spec.Hello) {
					for i := range h.Kinds {
						h.Kinds[i].Keeps = "reference"
					}
				}}
			},
		}, {
			Name: "commits signalling NaNs as quiet ones", Breaks: []string{"OBJ-03"},
			Parts: changesFloats(func(bits uint32) uint32 {
				if bits&0x7F800000 == 0x7F800000 && bits&0x007FFFFF != 0 {
					bits |= 0x00400000
				}
				return bits
			}),
		}, {
			Name: "commits subnormals as zeros", Breaks: []string{"OBJ-03"},
			Parts: changesFloats(func(bits uint32) uint32 {
				if bits&0x7F800000 == 0 {
					bits &= 0x80000000
				}
				return bits
			}),
		}, {
			Name: "commits minus zero as zero", Breaks: []string{"OBJ-03"},
			Parts: changesFloats(func(bits uint32) uint32 {
				if bits == 0x80000000 {
					return 0
				}
				return bits
			}),
		},
	}
}

// keepsReferences is a subject whose unbounded buffers, or those bounded in
// payloads, keep the very tensors of a commit that the rule says.
func keepsReferences(rule func(unit object.Unit, payloads int) bool) func() subject.Parts {
	return buffers(func(b *alteredBuffer) {
		given := map[*tensor.Tensor]*tensor.Tensor{} // by the copy in its stead
		b.commit = func(ps ...*tensor.Tensor) error {
			if err := b.own.Commit(ps...); err != nil || b.unit() == object.Frames || !rule(b.unit(), len(ps)) {
				return err
			}
			held, err := b.own.View(object.ViewOptions{})
			for i, n := 0, min(len(ps), len(held)); i < n; i++ {
				given[held[len(held)-1-i]] = ps[len(ps)-1-i]
			}
			return err
		}
		b.view = func(o object.ViewOptions) ([]*tensor.Tensor, error) {
			held, err := b.own.View(o)
			for i, t := range held {
				if reference, kept := given[t]; kept {
					held[i] = reference
				}
			}
			return held, err
		}
	})
}

// changesFloats is a subject whose buffers pass float32 payloads through
// arithmetic that is not exact for every bit pattern.
func changesFloats(change func(bits uint32) uint32) func() subject.Parts {
	return buffers(func(b *alteredBuffer) {
		b.commit = func(ps ...*tensor.Tensor) error {
			ps = slices.Clone(ps)
			for i, p := range ps {
				if p.DType() != dtype.Float32 {
					continue
				}
				ps[i] = p.Clone()
				raw := ps[i].Storage().Bytes()
				for at := 0; at < len(raw); at += 4 {
					binary.LittleEndian.PutUint32(raw[at:], change(binary.LittleEndian.Uint32(raw[at:])))
				}
			}
			return b.own.Commit(ps...)
		}
	})
}
