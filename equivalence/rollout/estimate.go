package rollout

import (
	"fmt"
	"math"
	"runtime/debug"
	"time"

	"github.com/statespec/statespec/equivalence/dreamzero"
)

// An Estimate is what a rollout will take, worked out from its shapes before it
// starts: on the large side, on a machine that does nothing else.
type Estimate struct {
	Memory int64 // bytes resident at the most
	Disk   int64 // bytes of artefacts
	Time   time.Duration
}

// GCPercent is how far the heap may grow between two collections where sessions
// are large. Almost all of it is a few large blocks without a pointer in them,
// which cost a collection nothing, and at Go's own 100 the heap would be twice
// what is there.
const GCPercent = 10

// Estimate returns what the rollout will take on its path where the heap grows by
// so many percent between two collections; below zero, without any.
func (r *Rollout) Estimate(growth int) Estimate {
	o := r.options
	chunk := int64(2)
	for _, d := range o.Profile.ChunkShape() {
		chunk *= int64(d)
	}
	frame, steps := int64(o.Profile.Height()*o.Profile.Width()*ColourChannels), int64(o.Steps)
	set, sessions := int64(o.Profile.FeatureMapBytes(2)), int64(min(o.Profile.Sessions, o.Steps))
	e := Estimate{
		Disk: steps*(frame+int64(o.DType.Size())*chunk/2+chunk+1<<10) + steps*chunk,
		Time: time.Duration(float64(o.Steps) * o.Profile.stepTime(o.Workers)),
	}
	// What is there: a map for each session and one more, their frames, and the
	// videos, which at the end are joined.
	alive, dropped := sessions*(set+5*frame)+set+2*steps*chunk, steps*(9*frame+8*chunk)
	if r.Path() == dreamzero.BespokePath {
		history := steps / bodyFrames * chunk * int64(1+2*o.DType.Size())
		alive += history
		dropped += steps/bodyFrames*set + steps*history/2
		e.Time = e.Time * 7 / 5 // new memory is slow, and so is the history
	}
	const program = 96 << 20
	e.Memory = program + heap(alive, dropped, growth)
	return e
}

// heap is how large the heap becomes with so much alive and so much dropped in
// all. The runtime's limit, where it has one, holds it down to what is alive.
func heap(alive, dropped int64, growth int) int64 {
	grown := alive + dropped
	if growth >= 0 {
		grown = min(grown, alive/100*int64(100+growth))
	}
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		grown = min(grown, max(limit, alive))
	}
	return grown
}

// stepTime is the nanoseconds of a step, of which every fourth encodes a chunk:
// so many for each output of the encoder, and so many for all else that becomes
// of a pixel.
func (p Profile) stepTime(workers int) float64 {
	const perOutput, perPixel = 4, 8 // ns, on one processor
	outputs := 0
	for _, e := range p.Layout() {
		frames := min(bodyFrames, LatentScale*e.Width/p.Width()) // four, four, two, one
		outputs += frames * e.Channels * e.Height * e.Width
	}
	return float64(perOutput*outputs)/bodyFrames/float64(workers) + float64(perPixel*p.Height()*p.Width())
}

// String says it in a line.
func (e Estimate) String() string {
	return fmt.Sprintf("about %s of memory, %s of artefacts, %v", mebibytes(e.Memory), mebibytes(e.Disk), e.Time.Round(time.Second))
}

func mebibytes(n int64) string { return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20)) }
