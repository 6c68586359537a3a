package compare

import (
	"bytes"
	"context"

	"github.com/statespec/statespec/equivalence/artefact"
)

// Blocks that are compared as wholes, the larger ones first: what is equal, which
// is nearly all of nearly every pair, is never looked at closer.
const (
	coarse = 256 << 10
	fine   = 4 << 10
)

// packed compares arrays whose elements lie in the same order without gaps.
func packed(ctx context.Context, a, b artefact.Stream, left int64, window int, t *tally) (side int, err error) {
	at := int64(0)
	for left > 0 {
		if err := ctx.Err(); err != nil {
			return -1, err
		}
		n := int(min(left, int64(window)))
		pa, err := a.Next(n)
		if err != nil {
			return 0, err
		}
		pb, err := b.Next(n)
		if err != nil {
			return 1, err
		}
		t.window(pa, pb, at)
		left -= int64(n)
		at += int64(n / t.typ.Size)
	}
	if !t.countOnly {
		t.flush()
	}
	return -1, nil
}

// window compares what begins with the element of a place.
func (t *tally) window(a, b []byte, at int64) {
	size := t.typ.Size
	for off := 0; off < len(a); off += coarse {
		end := min(off+coarse, len(a))
		if bytes.Equal(a[off:end], b[off:end]) {
			continue
		}
		for ; off < end; off += fine {
			stop := min(off+fine, end)
			if !bytes.Equal(a[off:stop], b[off:stop]) {
				t.block(a[off:stop], b[off:stop], at+int64(off/size))
			}
		}
		off = end - coarse
	}
}

// block compares what is known to differ somewhere.
func (t *tally) block(a, b []byte, at int64) {
	if t.countOnly && t.first >= 0 && t.typ.Size == 4 {
		t.different += count4(a, b)
		return
	}
	step := group * t.typ.Size
	for off := 0; off < len(a); off += step {
		end := min(off+step, len(a))
		if m := differing(a[off:end], b[off:end], t.typ.Size); m != 0 {
			t.add(m, a[off:end], b[off:end], at+int64(off/t.typ.Size))
		}
	}
}
