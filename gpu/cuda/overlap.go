package cuda

import "fmt"

// A piece is one copy within an allocation whose two ranges do not overlap.
type piece struct{ to, from, n int }

// maxPieces bounds the copies that one overlapping move is made of. A ring of N
// slots that moves up by one needs N-1; more than this many go through a buffer.
const maxPieces = 64

// pieces splits a move of n bytes within one allocation into copies that, made in
// this order, do what memmove does. The CUDA driver leaves a copy between
// overlapping ranges undefined. Moving down begins at the low end, moving up at
// the high end; a piece is at most as long as the distance. With ok of false there
// would be too many.
func pieces(to, from, n int) (list []piece, ok bool) {
	distance := to - from
	if distance < 0 {
		distance = -distance
	}
	switch {
	case n == 0 || distance == 0:
		return nil, true
	case distance >= n:
		return []piece{{to, from, n}}, true
	case (n-1)/distance >= maxPieces:
		return nil, false
	}
	return split(to, from, n, distance), true
}

// split cuts a move into pieces of at most size bytes, in memmove's order.
func split(to, from, n, size int) (list []piece) {
	if to < from {
		for at := 0; at < n; at += size {
			list = append(list, piece{to + at, from + at, min(size, n-at)})
		}
		return list
	}
	for end := n; end > 0; end -= size {
		at := max(0, end-size)
		list = append(list, piece{to + at, from + at, end - at})
	}
	return list
}

// inside says what is wrong with a range of an allocation of size bytes; "" when
// it lies in it.
func inside(offset, n, size int) string {
	if offset < 0 || n < 0 || offset > size-n {
		return fmt.Sprintf("%d bytes at %d are not inside an allocation of %d", n, offset, size)
	}
	return ""
}

// bytesAt words a range for messages.
func bytesAt(verb string, n, offset int) string {
	return fmt.Sprintf("%s %d bytes at %d", verb, n, offset)
}
