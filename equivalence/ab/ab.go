package ab

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/statespec/statespec/equivalence/compare"
	"github.com/statespec/statespec/spec/report"
)

// A Result is the answer of an A/B and what it rests on.
type Result struct {
	Answer Word     `json:"answer"`
	Why    []string `json:"why"` // in sentences

	Var    string    `json:"variable,omitempty"`
	Values [2]string `json:"values"`
	Env    []string  `json:"set_on_both_sides,omitempty"`
	Runs   []Run     `json:"runs"`

	Drift []Difference `json:"drift,omitempty"`

	// Comparisons are all that were made, in their order: of each run with the
	// first of its side, and of the first runs of the two sides.
	Comparisons []Comparison `json:"comparisons"`
}

// A Comparison is of the artefacts of two runs.
type Comparison struct {
	Runs   [2]int          `json:"runs"` // by number
	Sides  [2]Side         `json:"sides"`
	Report *compare.Report `json:"report"`
}

// Paths is the comparison of the two sides; nil where it never came to one.
func (r *Result) Paths() *compare.Report {
	for _, c := range r.Comparisons {
		if c.Sides[0] != c.Sides[1] {
			return c.Report
		}
	}
	return nil
}

// Ask runs the commands, compares what they wrote, and answers. Its error is one
// of the options or of the harness: the result then says what had been done.
//
// A run ends with its process group. In a process that has called reap.Adopt it
// ends, on Linux, with all that it started: such a process can have no children
// but those that it started with reap.Start.
func Ask(ctx context.Context, o Options) (*Result, error) {
	r := &Result{Answer: Failed, Var: o.Var, Values: o.Values, Env: o.Env, Why: []string{}, Comparisons: []Comparison{}}
	if err := o.Check(); err != nil {
		return r, err
	}
	err := o.runs(ctx, r)
	if err == nil {
		err = o.judge(ctx, r)
	}
	if ctx.Err() != nil {
		r.Answer, r.Why = Interrupted, []string{fmt.Sprintf("stopped after %d of %d runs", len(r.Runs), len(o.sides()))}
		return r, nil
	}
	return r, err
}

// runs carries out the runs, one after the other, taking those that are there
// already. After a run that failed, or left nothing, there is no other.
func (o Options) runs(ctx context.Context, r *Result) error {
	sides, earlier := o.sides(), o.standIns(o.now())
	for i, side := range sides {
		if earlier[i] != nil {
			o.say("run %d of %d, %s: taken from an earlier A/B", i+1, len(sides), side)
			run, err := o.take(*earlier[i], side, i+1)
			if err != nil {
				return err
			}
			r.Runs = append(r.Runs, run)
			continue
		}
		o.say("run %d of %d, %s", i+1, len(sides), o.label(side))
		run, err := o.perform(ctx, side, i+1)
		if err != nil {
			return err
		}
		r.Runs = append(r.Runs, run)
		if !run.well() {
			break
		}
		if run.Witness == "" && o.Var != "" {
			o.say("run %d witnesses no path, so the answer can be no better than unwitnessed: %s", run.Number, run.Doubt)
		}
		if i == 0 {
			if err := o.room(run, len(sides)-1); err != nil {
				r.Why = append(r.Why, err.Error())
				return nil
			}
		}
	}
	return nil
}

// label tells a side by what makes it one.
func (o Options) label(s Side) string {
	if o.Var == "" {
		return fmt.Sprintf("%s: %s", s, strings.Join(o.command(s), " "))
	}
	return fmt.Sprintf("%s: %s=%s", s, o.Var, o.value(s))
}

// after completes a run that has ended: what it left, and what it says of itself.
func (o Options) after(r *Run) (err error) {
	if r.Files, r.Bytes, err = occupied(r.Dir); err != nil {
		r.Fault = fmt.Sprintf("it left what cannot be judged: %s", o.placed(err.Error(), *r))
	}
	return o.testify(r)
}

// judge looks for the strongest objection, and without one compares.
func (o Options) judge(ctx context.Context, r *Result) error {
	if objection, why := o.object(r); objection != "" {
		r.Answer, r.Why = objection, append(r.Why, why...)
		// What was written may still tell a reader why: it is compared, and answers nothing.
		if objection == Failed {
			return nil
		}
	}
	if err := o.compare(ctx, r); err != nil {
		return err
	}
	if len(r.Why) == 0 {
		r.conclude()
	}
	return nil
}

// object says what takes the ground from any comparison; nothing is the empty word.
func (o Options) object(r *Result) (Word, []string) {
	if why := failures(r.Runs); len(why) > 0 {
		if exitsDiffer(r.Runs) {
			return Drifted, append([]string{"the exit codes differ"}, why...)
		}
		return Failed, why
	}
	if len(r.Why) > 0 {
		return Failed, nil
	}
	r.Drift = drift(r.Runs, o.twoCommands())
	if len(r.Drift) > 0 {
		var why []string
		for _, d := range r.Drift {
			why = append(why, d.String())
		}
		return Drifted, why
	}
	if why := o.unwitnessed(r.Runs); len(why) > 0 {
		return Unwitnessed, why
	}
	return "", nil
}

// twoCommands says whether the sides are two programs, and not two settings of one.
func (o Options) twoCommands() bool { return !slices.Equal(o.A, o.B) }

func failures(runs []Run) (why []string) {
	for _, r := range runs {
		switch {
		case r.Ending != "":
			line := fmt.Sprintf("run %d (%s) of %s: %s", r.Number, r.Side, r.Argv[0], r.Ending)
			if words := r.lastWords(); words != "" {
				line += "; its last words:\n" + words
			}
			why = append(why, line)
		case r.Fault != "":
			why = append(why, fmt.Sprintf("run %d (%s): %s", r.Number, r.Side, r.Fault))
		case r.Files == 0:
			why = append(why, fmt.Sprintf("run %d (%s) left nothing in the folder that $%s names", r.Number, r.Side, OutVar))
		}
	}
	return why
}

// exitsDiffer says whether a command that ended well before ended with an error
// later.
func exitsDiffer(runs []Run) bool {
	for _, r := range runs {
		if r.Exit < 0 {
			return false // it never got to an exit code
		}
	}
	return slices.ContainsFunc(runs, func(r Run) bool { return r.Exit != runs[0].Exit })
}

// unwitnessed says why the runs do not show two paths. Where only the commands
// differ there is nothing to show: the commands are what is compared.
func (o Options) unwitnessed(runs []Run) (why []string) {
	if o.Var == "" {
		return nil
	}
	for _, r := range runs {
		if r.Witness == "" {
			why = append(why, fmt.Sprintf("run %d (%s): %s", r.Number, r.Side, r.Doubt))
		}
	}
	if len(why) > 0 {
		return why
	}
	first := map[Side]Run{}
	for _, r := range runs {
		f, seen := first[r.Side]
		if !seen {
			first[r.Side] = r
		} else if f.Witness != r.Witness {
			why = append(why, fmt.Sprintf("side %s took %q in run %d and %q in run %d", r.Side, f.Witness, f.Number, r.Witness, r.Number))
		}
	}
	if a, b := first[A].Witness, first[B].Witness; len(why) == 0 && a == b {
		why = append(why, fmt.Sprintf("every run says that it took the path %q: %s never acted", a, o.Var))
	}
	return why
}

// compare makes the comparisons that the runs allow. What cannot be compared is an
// answer.
func (o Options) compare(ctx context.Context, r *Result) error {
	options := o.Compare
	options.Ignore = append(slices.Clone(options.Ignore), WitnessFile, ManifestFile, report.Marker)
	first := map[Side]Run{}
	for _, run := range r.Runs {
		with, seen := first[run.Side]
		if !seen {
			first[run.Side] = run
			if run.Side == A {
				continue
			}
			with = first[A]
		}
		o.say("comparing run %d with run %d", with.Number, run.Number)
		found, err := compare.Paths(ctx, with.Dir, run.Dir, options)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil: // the programs wrote what is compared
			why := fmt.Sprintf("runs %d and %d cannot be compared: %s", with.Number, run.Number, o.placed(err.Error(), with, run))
			if o.Kept == "" {
				why += "; --out keeps what the runs left"
			}
			r.Answer, r.Why = Failed, append(r.Why, why)
			return nil
		}
		found.A, found.B = o.place(with), o.place(run)
		for i, note := range found.Notes {
			found.Notes[i] = o.placed(note, with, run)
		}
		r.Comparisons = append(r.Comparisons, Comparison{
			Runs: [2]int{with.Number, run.Number}, Sides: [2]Side{with.Side, run.Side}, Report: found,
		})
	}
	return nil
}

// conclude answers from the comparisons alone.
func (r *Result) conclude() {
	for _, c := range r.Comparisons {
		if len(c.Report.Artefacts) == 0 {
			r.Answer = Failed
			r.Why = append(r.Why, "no artefact that can be judged: want .npy, .npz, .safetensors or .pt files, or name others with --bytes")
			return
		}
	}
	for _, c := range r.Comparisons {
		if c.Sides[0] == c.Sides[1] && !c.Report.Equal {
			r.Answer = Nondeterministic
			r.Why = append(r.Why, fmt.Sprintf("runs %d and %d, both %s, differ: %s", c.Runs[0], c.Runs[1], c.Sides[0], where(c.Report)))
		}
	}
	if len(r.Why) > 0 {
		return
	}
	paths := r.Paths()
	if paths == nil {
		r.Answer, r.Why = Failed, append(r.Why, "the two sides were never compared")
		return
	}
	if !paths.Equal {
		r.Answer, r.Why = Divergent, append(r.Why, where(paths))
		return
	}
	r.Answer = Equal
}
