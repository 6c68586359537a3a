package benchmarks

import (
	"fmt"
	"runtime"

	"github.com/statespec/statespec/ci/paired"
)

// Options say what the list has.
type Options struct {
	// Statespec is the command line of the command itself; without it nothing is
	// measured that takes another process. Python is a driver in Python, if any.
	Statespec, Python []string
	// Long adds the shipped sizes, the whole conformance run and the growth curves.
	Long bool
}

// List is all benchmarks, in the order of the targets.
func List(o Options) []paired.Benchmark {
	list := []paired.Benchmark{hit(), missWithEviction(), hitFromTwo(), missFromTwo(), attrRead(), attrWrite(), stats()}
	for _, n := range []int{2, 4, 64} {
		list = append(list, ring(n))
	}
	list = append(list, encoderStep(), encoderStepCopies(), frames(), comparison(o), readArray())
	list = append(list, requests(o)...)
	list = append(list, sessionBytes())
	if o.Long {
		list = append(list, conformance(o), growthOfSteps(), growthOfStats(), growthOfHits())
	}
	return list
}

// Everything is the list with what is measured at two sizes in both.
func Everything() []paired.Benchmark {
	return append(List(Options{Long: true}), comparison(Options{}))
}

// controlled is the name of a control with the parts of what it is the control of.
func controlled(parts string) string { return "impl=control" + parts }

func ours(parts string) string { return "impl=statespec" + parts }

// unallocating is the target of what allocates nothing, and takes at most so much of the
// control's time.
func unallocating(ratio float64) map[string]float64 {
	most := paired.AtMost(ratio)
	most["allocs/op"] = 0
	return most
}

// heap is the memory that is reached, after collection.
func heap() uint64 {
	var m runtime.MemStats
	for range 2 { // the second frees what finalizers held
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// unlike is the error of a body whose subject answers what it should not.
func unlike(what string, got, want any) error {
	return fmt.Errorf("%s = %v, want %v", what, got, want)
}
