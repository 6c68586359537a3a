package ring

import (
	"fmt"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// kernelSwitch is the product of the first four dimensions of five past which
// torch 2.6, on several threads, takes another float32 kernel.
const kernelSwitch = 20_480

// Dimensions of a latent frame that pass the switch at 15 frames: channels and
// height are the shipped ones, and width has no part in it.
const channels, height, width = 32, 44, 2

// longest is the longest history that is quantised: the bespoke path does all of
// it each time.
const longest = 100

// quantiser is the claim that makes the ring an optimisation.
func quantiser(open Open) {
	It("quantises as the whole history, on one thread", Promise("RNG-07"), func(ctx SpecContext) {
		quantised(ctx, open, 1)
	})
	It("quantises as the whole history, on four threads", Promise("RNG-07.threads"), func(ctx SpecContext) {
		quantised(ctx, open, 4)
	})
}

// quantised compares the windows of both paths, dtype by dtype, at lengths on both
// sides of the switch.
func quantised(ctx SpecContext, open Open, threads int) {
	GinkgoHelper()
	s := open.In(ctx, spec.Process{Threads: threads})
	dtypes := s.Hello().DTypes
	if len(dtypes) == 0 {
		dtypes = []string{"bfloat16", "float32"}
	}
	lengths := lengthsTo(s.Hello().Lengths)
	for _, dtype := range dtypes {
		bespoke := encoderOn(s, spec.Bespoke, 2, "pointwise")
		managed := encoderOn(s, spec.Managed, 2, "pointwise")
		for length := 1; length <= lengths[len(lengths)-1]; length++ {
			c := Must(s.Make(spec.Tensor(dtype, uint64(length), 1, channels, 1, height, width)))
			Do(bespoke.push(c))
			Do(managed.push(c))
			LetGo(c)
			if !slices.Contains(lengths, length) {
				continue
			}
			due := Must(bespoke.observe(min(2, length)))
			got := Must(managed.observe(min(2, length)))
			Expect(got).To(HaveBits(Bits(due)), "the quantised ring of two, against the last of %d frames of quantised history, %s on %d threads", length, dtype, threads)
			LetGo(due, got)
		}
	}
	Note("%s; %s", noteDTypes(dtypes, threads), noteLengths(lengths, s.Hello().Lengths))
}

// lengthsTo are the lengths of history to ask for, where a subject claims some:
// all that are short, some around the switch, and the longest.
func lengthsTo(claimed int) (lengths []int) {
	if claimed <= 0 {
		claimed = 50
	}
	for _, n := range []int{1, 2, 3, 4, 5, 8, 12, 13, 14, 15, 16, 17, 25, 50} {
		if n < claimed {
			lengths = append(lengths, n)
		}
	}
	return append(lengths, min(claimed, longest))
}

func noteDTypes(dtypes []string, threads int) string {
	return fmt.Sprintf("%s, threads: %d", strings.Join(dtypes, " and "), threads)
}

// noteLengths says how long the histories were, and on which side of the switch.
func noteLengths(lengths []int, claimed int) string {
	last := lengths[len(lengths)-1]
	text := fmt.Sprintf("histories of 1 to %d latent frames of 1×%d×1×%d×%d", last, channels, height, width)
	if claimed > last {
		text += fmt.Sprintf(" (of %d claimed)", claimed)
	}
	if frame := channels * height; last*frame > kernelSwitch {
		return text + fmt.Sprintf(", past %d elements of N×C×T×H from %d frames on", kernelSwitch, kernelSwitch/frame+1)
	}
	return text + fmt.Sprintf(", %d elements of N×C×T×H not passed", kernelSwitch)
}
