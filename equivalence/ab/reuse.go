package ab

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Fitting are the runs of Reuse that stand for runs of this A/B: they ended well,
// and their command, with its program and files, their variable and its value,
// and what was set on both sides are those that are asked for now. Which side a
// run had then decides nothing. If none fits, the error says what differs.
func (o Options) Fitting() (fit []Run, err error) {
	now := o.now()
	for _, run := range o.standIns(now) {
		if run != nil {
			fit = append(fit, *run)
		}
	}
	if len(fit) > 0 {
		return fit, nil
	}
	var why []string
	for _, e := range o.Reuse {
		for _, line := range now[e.Side].unlike(e) {
			if !slices.Contains(why, line) {
				why = append(why, line)
			}
		}
	}
	return nil, errors.New("reuse: none of the earlier runs is one that is asked for now: " + strings.Join(why, "; "))
}

// standIns finds, for each run of this A/B in their order, the one of Reuse that
// stands for it; nil where one is to be made.
func (o Options) standIns(now map[Side]asked) []*Run {
	sides := o.sides()
	all, spare := make([]*Run, len(sides)), slices.Clone(o.Reuse)
	for i, side := range sides {
		at := slices.IndexFunc(spare, func(e Run) bool { return len(now[side].unlike(e)) == 0 })
		if at >= 0 {
			run := spare[at]
			all[i], spare = &run, slices.Delete(spare, at, at+1)
		}
	}
	return all
}

// asked is a run as it would be made: with the facts of its command alone.
type asked Run

// now is what is asked of each side.
func (o Options) now() map[Side]asked {
	all := map[Side]asked{}
	if len(o.Reuse) == 0 {
		return all // whose digests would take their time
	}
	for _, s := range []Side{A, B} {
		a := asked{Argv: o.command(s), Var: o.Var, Env: o.Env, Facts: all[A].Facts}
		if s == A || o.twoCommands() {
			a.Facts = ownFacts(a.Argv)
		}
		if o.Var != "" {
			a.Value = o.value(s)
		}
		all[s] = a
	}
	return all
}

// unlike says why an earlier run does not stand for what is asked.
func (a asked) unlike(e Run) (why []string) {
	differs := func(name string, then, now any) {
		why = append(why, fmt.Sprintf("%s: %v then, %v now", name, then, now))
	}
	if !slices.Equal(e.Argv, a.Argv) {
		differs("command", fmt.Sprintf("%q", e.Argv), fmt.Sprintf("%q", a.Argv))
	} else {
		for _, d := range differences(e, Run(a), true) {
			differs(d.Name, d.Was, d.Is)
		}
	}
	if e.Var != a.Var {
		differs("variable", fmt.Sprintf("%q", e.Var), fmt.Sprintf("%q", a.Var))
	} else if e.Value != a.Value {
		differs(a.Var, fmt.Sprintf("%q", e.Value), fmt.Sprintf("%q", a.Value))
	}
	then, now := settings(e.Env), settings(a.Env)
	names := maps.Clone(then)
	maps.Copy(names, now)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if x, y := shown(then, name), shown(now, name); x != y {
			differs(name+" on both sides", x, y)
		}
	}
	if len(why) == 0 && !e.well() {
		why = append(why, fmt.Sprintf("run %d did not end well", e.Number))
	}
	return why
}

// settings are the entries of an environment by name, of which the last counts.
func settings(env []string) map[string]string {
	all := map[string]string{}
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		all[name] = value
	}
	return all
}

// take makes an earlier run one of this A/B: its path is read anew, for it may be
// asked for elsewhere than it was. Where the runs are kept, so is this one.
func (o Options) take(r Run, s Side, number int) (Run, error) {
	r.Side, r.Number = s, number
	r.Witness, r.Doubt = "", ""
	r.Facts = slices.DeleteFunc(slices.Clone(r.Facts), func(f Fact) bool { return strings.HasPrefix(f.Name, toldPrefix) })
	if err := o.testify(&r); err != nil {
		return r, err
	}
	if !o.KeepReused {
		return r, nil
	}
	home, err := o.home(s, number)
	if err != nil {
		return r, err
	}
	dir, log := filepath.Join(home, artefactDir), filepath.Join(home, logFile)
	if err := errors.Join(linkTree(r.Dir, dir), linkFile(r.Log, log)); err != nil {
		return r, fmt.Errorf("keep run %d, from %s: %w", number, filepath.Dir(r.Dir), err)
	}
	r.Dir, r.Log = dir, log
	return r, r.save(home)
}
