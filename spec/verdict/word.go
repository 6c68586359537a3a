package verdict

import "slices"

// A Word is the verdict on a row or a guarantee. Each state has a word of its
// own: no two of them may be told apart only by their text.
type Word string

// What a spec can answer.
const (
	Held         Word = "held"
	Broken       Word = "broken"
	Unclaimed    Word = "unclaimed"     // the subject does not claim what it would be asked of
	CannotTell   Word = "cannot-tell"   // asked, and the answer decides nothing
	Crashed      Word = "crashed"       // the subject died
	Hung         Word = "hung"          // the subject missed its deadline
	DriverError  Word = "driver-error"  // the subject could not be run or understood
	HarnessError Word = "harness-error" // a fault of our own
)

// What folding adds.
const (
	Deselected  Word = "deselected"   // not in the selection, or not asked yet by this suite
	NotRun      Word = "not-run"      // the run ended before it
	KnownBroken Word = "known-broken" // broken, as an expectation says
	Stale       Word = "stale"        // held, against an expectation
	New         Word = "new"          // broken, and newer than the expectation file
)

// Words lists every word, the worst first: where rows of one guarantee
// disagree, the one named first here decides.
func Words() []Word {
	return []Word{HarnessError, DriverError, Crashed, Hung, Broken, Stale, NotRun, CannotTell, New, KnownBroken,
		Held, Unclaimed, Deselected}
}

// SpecWords lists the words that a spec can answer, the worst first.
func SpecWords() []Word {
	return []Word{HarnessError, DriverError, Crashed, Hung, Broken, CannotTell, Held, Unclaimed}
}

// Worst is the worst of some words. Of none it is [Deselected], which is better
// than every other.
func Worst(words ...Word) Word {
	order := Words()
	worst := len(order) - 1
	for _, w := range words {
		if i := slices.Index(order, w); i >= 0 {
			worst = min(worst, i)
		}
	}
	return order[worst]
}

// Failed says whether the subject did not do what it should have: broken,
// crashed or hung.
func (w Word) Failed() bool { return w == Broken || w == Crashed || w == Hung }

// Asked says whether the word means that a spec was put to the subject and
// answered.
func (w Word) Asked() bool {
	switch w {
	case Held, Broken, Crashed, Hung, CannotTell, KnownBroken, Stale, New:
		return true
	}
	return false
}
