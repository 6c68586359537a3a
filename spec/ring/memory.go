package ring

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

// memory is what a ring holds as the session grows.
func memory(open Open) {
	table(open, "holds as much after 10,000 frames as after 10", "RNG-04", func(s *op.Client, ring maker) {
		r := ring(s, 2)
		// Different frames, or a history by reference would hold one for all.
		var distinct []spec.Value
		for i := range uint64(40) {
			distinct = append(distinct, chunk(s, "bfloat16", i, 1))
		}
		Do(r.push(distinct[0]))
		grow(s, r, distinct, 1, 10)
		due := Must(r.bytes())
		if due == 0 {
			CannotTell("no bytes are reported after 10 frames")
		}
		grow(s, r, distinct, 10, 100)
		Expect(r.bytes()).To(Equal(due), "bytes after 100 frames, against those after 10")
		grow(s, r, distinct, 100, 10_000)
		Expect(r.bytes()).To(Equal(due), "bytes after 10,000 frames, against those after 10")
	})
}

// grow pushes chunks in turn until a ring that took some has taken as many as due:
// in long lists, since a request each is slow. One list is a race of nobody, which
// needs no threads.
func grow(s *op.Client, r asked, chunks []spec.Value, taken, due int) {
	GinkgoHelper()
	const list = 250 // each within a request's deadline, for one that grows too
	for taken < due {
		var calls []op.Call
		for ; taken < due && len(calls) < list; taken++ {
			calls = append(calls, r.call(chunks[taken%len(chunks)]))
		}
		timed(s, calls)
	}
}

// timed carries out calls one after the other, all taken for granted, and says
// when each began and ended.
func timed(s *op.Client, calls []op.Call) []op.Event {
	GinkgoHelper()
	events := Must(s.Race(calls))[0]
	for _, e := range events {
		Do(e.Err)
	}
	return events
}

// pins is what a ring keeps alive.
func pins(open Open) {
	table(open, "copies a frame cut out of a clip, or counts the clip that it pins", "RNG-05", func(s *op.Client, ring maker) {
		const n, length, frame = 2, 25, 8 * 16 * 16 * 2
		r := ring(s, n)
		for i := range uint64(10) {
			whole := Must(s.Make(spec.Tensor("bfloat16", i, 1, 8, length, 16, 16).Tracked(fmt.Sprint("clip ", i))))
			cut := Must(s.Make(spec.Narrow(whole, axis, 12, 1)))
			Do(r.push(cut))
			LetGo(whole, cut)
		}

		pinned := Must(s.Memory()).Alive
		Expect(len(pinned)).To(BeNumerically("<=", n), "clips that a ring of %d frames keeps alive: %v", n, pinned)
		Expect(r.bytes()).To(BeNumerically(">=", len(pinned)*length*frame), "bytes reported, with the clips %v kept alive", pinned)
	})
}
