package equivalence

import (
	"encoding/binary"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// odd32 are float32 elements that arithmetic does not leave alone: NaNs quiet and
// signalling, of both signs and with payloads, zeros of both signs, subnormals
// and infinities.
var odd32 = []uint32{
	0x7fc00000, 0xffc00000, 0x7f800001, 0xff8abcde, 0x7fc12345, 0x7fffffff,
	0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff,
	0x7f800000, 0xff800000, 0x3f800000, 0x00800000,
}

// odd16 are the same of bfloat16.
var odd16 = []uint16{
	0x7fc0, 0xffc0, 0x7f81, 0xff8a, 0x7fc1, 0x7fff,
	0x0000, 0x8000, 0x0001, 0x8001, 0x007f, 0x807f,
	0x7f80, 0xff80, 0x3f80, 0x0080,
}

// odd is a tensor of such elements, in another order for another turn.
func odd(dtype string, turn int, shape ...int) content {
	n := 1
	for _, d := range shape {
		n *= d
	}
	var raw []byte
	for i := range n {
		if at := (i + turn) % len(odd32); dtype == "float32" {
			raw = binary.LittleEndian.AppendUint32(raw, odd32[at])
		} else {
			raw = binary.LittleEndian.AppendUint16(raw, odd16[at])
		}
	}
	return content{recipe: spec.Bits(dtype, raw, shape...)}
}

// bits is what is only carried: the bits that come out are those that went in, on
// either path.
func bits(open Open) {
	bitsOf(open, "video latents", func(c *carrying) {
		// (B, T, C, H, W) with one frame, and the same bytes as (B, C, T, H, W).
		for i := range 3 {
			c.give(appendLatents(c.content(i, 1, 1, 4, 2, 2)), c.content(i, 1, 4, 1, 2, 2))
			c.expect(concatenated, 2)
		}
	})
	bitsOf(open, "stitched frames", func(c *carrying) {
		c.expectAtOnce(accumulate(c.content(1, 1, 2, 4, 2)), c.content(1, 1, 2, 4, 2))
		c.expectAtOnce(accumulate(c.content(5, 4, 2, 4, 2)), c.content(5, 4, 2, 4, 2))
	})
	bitsOf(open, "the encoder stream", func(c *carrying) {
		// The reader keeps the first half of the channels.
		for _, half := range []int{0, 8} {
			c.take(seed(c.content(half, 1, 16, 1, 1, 1)))
			c.expectAtOnce(observe(1), c.content(half, 1, 8, 1, 1, 1))
			c.take(appendChunk(c.content(half+8, 1, 16, 1, 1, 1)))
			c.expectAtOnce(observe(1), c.content(half+8, 1, 8, 1, 1, 1))
		}
	})
	for _, name := range conditions {
		bitsOf(open, name, func(c *carrying) {
			c.take(set(name, c.content(3, 2, 8)))
			c.expectAtOnce(get(name), c.content(3, 2, 8))
		})
	}
	bitsOf(open, "the feature map", func(c *carrying) {
		entries := list(c.content(1, 1, 4, 2, 2, 2), c.content(2, 16))
		c.take(set("vae_enc_feat_map", entries))
		c.expectAtOnce(get("vae_enc_feat_map"), entries)
	})
}

// bitsOf is a spec of something that is carried, of each dtype of latents.
func bitsOf(open Open, what string, body func(c *carrying)) {
	It("keeps NaN payloads, signed zeros and subnormals of "+what, Offset(1), Promise("EQV-10"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		for _, dtype := range latentDTypes(s) {
			if dtype != "float32" && dtype != "bfloat16" {
				continue
			}
			for _, ordinary := range []bool{true, false} {
				p := opened(s, options{})
				body(&carrying{pair: p, dtype: dtype, ordinary: ordinary})
				p.letGo()
			}
		}
	})
}

// carrying is a pair that is given odd bits, or as a control ordinary ones.
type carrying struct {
	*pair
	dtype    string
	ordinary bool
	given    []spec.Reading // so far, as they should be shown
}

// content is a tensor of such elements.
func (c *carrying) content(turn int, shape ...int) content {
	of := odd(c.dtype, turn, shape...)
	if c.ordinary {
		for i, b := range of.recipe.Raw { // a bit fewer of the exponent: no float is odd then
			of.recipe.Raw[i] = b&0x1f | 0x20
		}
	}
	return of
}

// give has both paths take a value, which from then on they hold as shown.
func (c *carrying) give(m move, as content) {
	GinkgoHelper()
	c.take(m)
	c.given = append(c.given, readingOf(c.s, as))
}

// expect asks that both paths show all that was given, joined along an axis.
func (c *carrying) expect(m move, axis int) {
	GinkgoHelper()
	c.expectBits(m, joined(axis, c.given))
}

// expectAtOnce asks that both paths answer a move with the bits of a content.
func (c *carrying) expectAtOnce(m move, due content) {
	GinkgoHelper()
	c.expectBits(m, readingOf(c.s, due))
}

func (c *carrying) expectBits(m move, due spec.Reading) {
	GinkgoHelper()
	bespoke, managed := c.read(m)
	if c.ordinary && (outline(bespoke) != outline(due) || outline(managed) != outline(due)) {
		CannotTell("%s gives others than ordinary bits that it was given", m)
	}
	Expect(outline(bespoke)).To(Equal(outline(due)), "%s on the bespoke path, %s, against what it was given: %x, due %x", m, c.dtype, bespoke.Bytes, due.Bytes)
	Expect(outline(managed)).To(Equal(outline(due)), "%s on the managed path, %s, against what it was given: %x, due %x", m, c.dtype, managed.Bytes, due.Bytes)
}

func readingOf(s *op.Client, c content) spec.Reading {
	GinkgoHelper()
	v := c.make(s)
	if v == nil {
		return spec.Reading{Kind: spec.KindNone}
	}
	defer LetGo(v)
	return Bits(v)
}
