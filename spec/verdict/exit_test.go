package verdict_test

import (
	"testing"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/verdict"
)

const unclaimedLayers = "; adapter, pipeline, config-loader not claimed"

func TestTheExitCodeSaysWhatHappened(t *testing.T) {
	with := func(change func(*verdict.Input), outcomes ...verdict.Outcome) verdict.Input {
		in := allHeld(outcomes...)
		change(&in)
		return in
	}
	selecting := func(expr string, ids ...string) verdict.Input {
		in := verdict.Input{Rows: rows(), SuiteVersion: "0.1", Subject: hello(), Selection: expr, Selected: only(ids...)}
		for _, id := range ids {
			if id != "EVI-09" && id != "ACC-17" && id != "EQV-01" {
				in.Outcomes = append(in.Outcomes, out(id, verdict.Held))
			}
		}
		return in
	}
	for _, test := range []struct {
		name string
		in   verdict.Input
		exit verdict.Exit
		line string
	}{
		{"all held", allHeld(), 0, "conforms: manager" + unclaimedLayers},
		{"a MUST broken", allHeld(out("EVI-02", verdict.Broken)), 1, "does not conform: 1 MUST broken (EVI-02)" + unclaimedLayers},
		{"a MUST crashed and one hung", allHeld(out("EVI-02", verdict.Crashed), out("EVI-01", verdict.Hung)), 1,
			"does not conform: 1 MUST crashed (EVI-02); 1 MUST hung (EVI-01)" + unclaimedLayers},
		{"a claimed OPT broken", with(func(in *verdict.Input) { in.Subject = hello(spec.CanDrop) }, out("EVI-09", verdict.Broken)), 1,
			"does not conform: 1 OPT broken (EVI-09)" + unclaimedLayers},
		{"a SHOULD broken is a warning", allHeld(out("ACC-11.set", verdict.Broken)), 0,
			"conforms: manager; 1 SHOULD broken (ACC-11.set)" + unclaimedLayers},
		{"a SHOULD broken, strictly", with(func(in *verdict.Input) { in.Policy.Strict = true }, out("ACC-11.set", verdict.Broken)), 1,
			"does not conform: 1 SHOULD broken (ACC-11.set)" + unclaimedLayers},
		{"a required row unclaimed", with(func(in *verdict.Input) { in.Policy.Require = only("EVI-09") }), 1,
			"not as expected: 1 required row unclaimed (EVI-09)" + unclaimedLayers},
		{"a required row held", with(func(in *verdict.Input) { in.Policy.Require = only("EVI-01") }), 0,
			"conforms: manager" + unclaimedLayers},
		{"a row that cannot be told is listed", allHeld(out("EVI-01", verdict.CannotTell)), 0,
			"conforms: manager; 1 row cannot be told (EVI-01)" + unclaimedLayers},
		{"no MUST that can be told", with(func(in *verdict.Input) {
			in.Rows = in.Rows[:1]
			in.Outcomes = []verdict.Outcome{out("EVI-01", verdict.CannotTell)}
		}), 3,
			"no verdict: no MUST that was asked can be told; 1 row cannot be told (EVI-01)" + unclaimedLayers},
		{"a driver error", allHeld(out("EVI-01", verdict.DriverError)), 3,
			"no verdict: 1 row without a subject that answers (EVI-01)" + unclaimedLayers},
		{"a harness error", allHeld(out("EVI-01", verdict.HarnessError)), 4,
			"no verdict: 1 row failed in the harness (EVI-01)" + unclaimedLayers},

		{"nothing selected", selecting("XYZ"), 2, "nothing selected: no row is in the selection" + unclaimedLayers},
		{"a MUST selected and not claimed", selecting("ACC-17", "ACC-17"), 2, "nothing selected: no MUST was asked" + unclaimedLayers},
		{"a MUST not claimed beside a SHOULD that held", selecting("x", "ACC-17", "ACC-11.set"), 2,
			"nothing selected: no MUST was asked" + unclaimedLayers},
		{"a MUST that is asked later", selecting("EQV", "EQV-01"), 2, "nothing selected: no MUST was asked" + unclaimedLayers},
		{"an OPT selected and not claimed", selecting("OPT", "EVI-09"), 2, "nothing selected: no row was asked" + unclaimedLayers},
		{"a SHOULD selected alone", selecting("ACC-11.set", "ACC-11.set"), 0, "conforms in what was asked: manager" + unclaimedLayers},
		{"an empty shard", with(func(in *verdict.Input) {
			in.Selected, in.Outcomes, in.Shard = only(), nil, verdict.Shard{Index: 7, Of: 8}
		}), 0, "shard 7/8 conforms in what was asked: adapter, pipeline, config-loader not claimed"},
	} {
		t.Run(test.name, func(t *testing.T) { wantSummary(t, verdict.Fold(test.in), test.exit, test.line) })
	}
}

func TestTheExitCodeOfTheGravestReasonWins(t *testing.T) {
	in := allHeld()
	in.Policy.Require = only("EVI-09")
	in.Outcomes = nil
	in.Specs = map[string]int{}
	in.Outcomes = []verdict.Outcome{out("EVI-01", verdict.DriverError), out("ACC-11", verdict.Held),
		out("ACC-11.set", verdict.Held), out("ACC-11.record", verdict.Held), out("EVI-02", verdict.Held)}

	steps := []struct {
		exit   verdict.Exit
		change func()
	}{
		{verdict.Failure, func() {}}, // a required row is unclaimed, and a driver error
		{verdict.OwnFault, func() { in.Faults = []string{"a worker wrote nonsense"} }},
		{verdict.Interrupted, func() { in.Interrupted = true }},
	}
	for _, step := range steps {
		step.change()
		if got := verdict.Fold(in).Summary.Exit; got != step.exit {
			t.Errorf("exit = %d, want %d", got, step.exit)
		}
	}
	in.Policy = verdict.Policy{}
	in.Faults, in.Interrupted = nil, false
	if got := verdict.Fold(in).Summary.Exit; got != verdict.NoVerdict {
		t.Errorf("exit = %d, want %d", got, verdict.NoVerdict)
	}
}

func TestARunOfNothingButUnclaimedRowsConformsToNothing(t *testing.T) {
	in := verdict.Input{Rows: rows(), SuiteVersion: "0.1", Subject: &spec.Hello{Protocol: 1, Name: "mute"}}
	wantSummary(t, verdict.Fold(in), verdict.Unusable, "nothing selected: no MUST was asked")
}

func TestTheSummaryCountsRowsByWordAndLevel(t *testing.T) {
	s := verdict.Fold(allHeld(out("ACC-11.set", verdict.Broken))).Summary
	if got, want := s.Words[verdict.Held], 4; got != want {
		t.Errorf("words[held] = %d, want %d", got, want)
	}
	if got, want := s.Levels[catalogue.Should][verdict.Broken], 1; got != want {
		t.Errorf("levels[SHOULD][broken] = %d, want %d", got, want)
	}
	if n, ok := s.Levels[catalogue.Must][verdict.Broken]; n != 0 || !ok {
		t.Errorf("levels[MUST][broken] = %d, %t, want an explicit 0: a case of another level is no MUST", n, ok)
	}
}

func TestAShardReadsWhatItWrites(t *testing.T) {
	for _, text := range []string{"", "1/1", "2/8", "8/8"} {
		s, err := verdict.ParseShard(text)
		if err != nil || s.String() != text {
			t.Errorf("ParseShard(%q) = %q, %v, want it back", text, s, err)
		}
	}
	for _, text := range []string{"0/8", "9/8", "2", "2/", "/8", "-1/2", "1/2/3", "a/b", " 1/2"} {
		if s, err := verdict.ParseShard(text); err == nil {
			t.Errorf("ParseShard(%q) = %v, want an error", text, s)
		}
	}
}
