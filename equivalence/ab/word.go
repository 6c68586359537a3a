package ab

import "github.com/statespec/statespec/spec/verdict"

// A Word is the answer of an A/B.
type Word string

// The words, the strongest objection first: an answer that comes earlier here
// takes the ground from those that come later.
const (
	// Failed: a run could not be started, ended with an error, ran out of time, or
	// left nothing that can be compared.
	Failed Word = "failed"
	// Drifted: something besides the variable differed.
	Drifted Word = "drifted"
	// Unwitnessed: the runs do not show that they took two paths.
	Unwitnessed Word = "unwitnessed"
	// Nondeterministic: runs of one side differ, so that a difference between the
	// sides would mean nothing.
	Nondeterministic Word = "nondeterministic"
	// Divergent: each side equals itself, and the sides differ.
	Divergent Word = "divergent"
	// Equal: every artefact of every run is the same, bit for bit.
	Equal Word = "equal"
	// Interrupted: it was stopped before there was an answer.
	Interrupted Word = "interrupted"
)

// Exit is the exit code of an answer.
func (w Word) Exit() verdict.Exit {
	switch w {
	case Equal:
		return verdict.AsExpected
	case Divergent:
		return verdict.Failure
	case Interrupted:
		return verdict.Interrupted
	}
	return verdict.NoVerdict
}

// meaning is what a word says, in a sentence for reports.
func (w Word) meaning() string {
	return map[Word]string{
		Equal:            "both paths write the same, bit for bit",
		Divergent:        "the paths write different bits; each of them repeats itself",
		Nondeterministic: "runs of one and the same path differ, so nothing can be said of the paths",
		Unwitnessed:      "the runs do not show that they took two different paths, so nothing was compared that matters",
		Drifted:          "something besides the variable differed, so nothing can be said of the paths",
		Failed:           "not every run came to its end with something to compare",
		Interrupted:      "stopped before there was an answer",
	}[w]
}
