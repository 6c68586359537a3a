package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/statespec/statespec/equivalence/ab"
	"github.com/statespec/statespec/equivalence/rollout"
	"github.com/statespec/statespec/reference/config"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/spec/regular"
	"github.com/statespec/statespec/spec/report"
	"github.com/statespec/statespec/spec/verdict"
)

// outVar is where the folder of artefacts is named when --out is not given.
const outVar = ab.OutVar

// rolloutFlags are the flags of rollout, as they were given.
type rolloutFlags struct {
	config, profile, dtype, fault, out string
	seed                               uint64
	steps, dumpAt                      int
}

func newRollout() *cobra.Command {
	var f rolloutFlags
	cmd := &cobra.Command{
		Use: "rollout", Short: "One rollout of a world model's state, as artefacts", Args: cobra.NoArgs,
		Long: `Drive DreamZero's session state through a rollout of a synthetic model and write
what comes of every step as artefacts. The deploy config and the environment decide
the path, bespoke or managed, as they do where the state is served:

  OMNI_DIFFUSION_SESSION_STATE_MANAGER               a switch, stronger than the config
  OMNI_DIFFUSION_SESSION_STATE_MANAGER_MAX_SESSIONS  sessions retained, on both paths

Arithmetic and shapes are real, weights and pictures are noise from the seed. The
same options give the same bits on every machine.

  tiny     66 sessions, more than the usual cap; seconds, 150 MiB
  small    one session of 96 steps; seconds, 70 MiB
  shipped  one session of 400 steps at the shipped sizes; minutes, 1.6 GiB

Artefacts are .npy arrays whose first axis is the step, in the order of
manifest.json. witness.json says which path was taken. bytes_held.json, the memory
that the state holds, is the one thing in which the paths are meant to differ.

  exit 3   memory is short
  exit 130 interrupted; the steps done are written, and marked incomplete`,
		Example: `  statespec rollout --out bespoke
  OMNI_DIFFUSION_SESSION_STATE_MANAGER=1 statespec rollout --out managed
  statespec rollout --profile shipped --config deploy.yaml --out artefacts`,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.rollout(cmd) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.config, "config", "", "deploy config `FILE`; none is an empty one")
	fl.StringVar(&f.profile, "profile", rollout.Small.Name, "size: tiny, small or shipped")
	fl.StringVar(&f.dtype, "dtype", dtype.BFloat16.String(), "of the quantiser and its latents: bfloat16 or float32")
	fl.StringVar(&f.fault, "fault", "", "a fault of the quantiser: order-by-size or split-rounded")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of weights, pictures and prompts")
	fl.IntVar(&f.steps, "steps", 0, "steps of all sessions together; 0: the profile's")
	fl.IntVar(&f.dumpAt, "dump-at", rollout.NoDump, "write the whole feature map at this `STEP`, from 0; -1: at none")
	fl.StringVar(&f.out, "out", "", "write artefacts into `DIR`, replacing an earlier run's; else $"+outVar)
	completeWords(cmd, "profile", profileNames()...)
	completeWords(cmd, "dtype", dtype.BFloat16.String(), dtype.Float32.String())
	completeWords(cmd, "fault", string(rollout.OrderBySize), string(rollout.SplitRounded))
	return cmd
}

// profileNames are the words of --profile.
func profileNames() (names []string) {
	for _, p := range rollout.Profiles() {
		names = append(names, p.Name)
	}
	return names
}

// completeWords completes a flag that takes one of some words.
func completeWords(cmd *cobra.Command, flag string, words ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // a flag that the command does not have
	}
}

// deployed is a deploy config, read and resolved.
type deployed struct {
	document []byte
	config   config.Config
	resolved config.Resolution
}

func (f *rolloutFlags) rollout(cmd *cobra.Command) error {
	if f.out == "" {
		f.out = os.Getenv(outVar)
	}
	if f.out == "" {
		return usage(fmt.Errorf("--out: want a folder for the artefacts, or $%s", outVar))
	}
	d, err := f.deployed(cmd)
	if err != nil {
		return usage(err)
	}
	o, err := f.options()
	if err != nil {
		return usage(err)
	}
	r, err := rollout.New(d.resolved, o)
	if err != nil {
		return usage(err)
	}
	if last := r.Options().Steps - 1; f.dumpAt < rollout.NoDump || f.dumpAt > last {
		return usage(fmt.Errorf("--dump-at %d: want a step from 0 to %d", f.dumpAt, last))
	}
	if err := f.room(cmd, r); err != nil {
		return err
	}
	folder, err := openOut(f.out)
	if err != nil {
		return err
	}
	defer folder.Discard()
	return f.run(cmd, r, d, folder)
}

// maxConfig bounds a deploy config, in bytes.
const maxConfig = 1 << 20

// deployed reads the deploy config. What it makes of the environment it says
// where complaints go.
func (f *rolloutFlags) deployed(cmd *cobra.Command) (d deployed, err error) {
	if f.config != "" {
		if d.document, err = regular.Read(f.config, maxConfig); err != nil {
			return d, fmt.Errorf("--config: %w", err)
		}
		if d.config, err = config.ParseDeploy(d.document); err != nil {
			return d, fmt.Errorf("--config: %s: %w", f.config, err)
		}
	}
	d.resolved = config.Resolve(d.config, os.LookupEnv, slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil)))
	return d, nil
}

func (f *rolloutFlags) options() (o rollout.Options, err error) {
	o.Seed, o.Steps = f.seed, f.steps
	if f.steps < 0 || f.steps > rollout.MaxSteps {
		return o, fmt.Errorf("--steps %d: want 1 to %d, or 0 for the profile's", f.steps, rollout.MaxSteps)
	}
	if o.Profile, err = rollout.ProfileNamed(f.profile); err != nil {
		return o, fmt.Errorf("--profile: %w", err)
	}
	if o.DType, err = dtype.Parse(f.dtype); err != nil || o.DType != dtype.BFloat16 && o.DType != dtype.Float32 {
		return o, fmt.Errorf("--dtype %q: want %v or %v", f.dtype, dtype.BFloat16, dtype.Float32)
	}
	if o.Fault, err = rollout.FaultNamed(f.fault); err != nil {
		return o, fmt.Errorf("--fault: %w", err)
	}
	return o, nil
}

// room says what a rollout will take, where that is much, and refuses to begin
// one that memory is short for.
func (f *rolloutFlags) room(cmd *cobra.Command, r *rollout.Rollout) error {
	large, growth := r.Options().Profile.Name == rollout.Shipped.Name, heapGrowth()
	if large && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(rollout.GCPercent)
		growth = rollout.GCPercent
	}
	e := r.Estimate(growth)
	available, known := rollout.Available(os.DirFS("/"))
	if large {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s, %s path, %d steps: %v\n", f.profile, r.Path(), r.Options().Steps, e)
		if !known {
			fmt.Fprintln(cmd.ErrOrStderr(), "how much memory is available is not known here")
		}
	}
	if short := e.Short(available); known && short != "" {
		return &exit{verdict.NoVerdict, fmt.Errorf("%s: %s; fewer steps or a smaller profile need less", f.profile, short)}
	}
	return nil
}

// heapGrowth is the collector's setting, which can only be read by setting it.
func heapGrowth() int {
	growth := debug.SetGCPercent(rollout.GCPercent)
	debug.SetGCPercent(growth)
	return growth
}

// run does the rollout and writes it. One that is interrupted between two steps
// is written as far as it came.
func (f *rolloutFlags) run(cmd *cobra.Command, r *rollout.Rollout, d deployed, folder *report.Folder) error {
	a, err := rollout.NewArtefacts(folder, r.Options(), f.dumpAt)
	if err != nil {
		return &exit{verdict.OwnFault, err}
	}
	defer a.Abort()
	p, chunks := newProgress(cmd.ErrOrStderr()), 0
	ran := r.Run(cmd.Context(), func(s *rollout.Step) error {
		chunks = s.Chunks
		p.show(fmt.Sprintf("%d chunks", s.Chunks), fmt.Sprintf("step %d of %d", s.Index+1, r.Options().Steps))
		return a.Step(s)
	})
	p.done()
	interrupted := errors.Is(ran, context.Canceled) || errors.Is(ran, context.DeadlineExceeded)
	if ran == nil {
		ran = r.Videos(a.Video)
	} else if interrupted {
		ran = nil
	}
	m := r.Manifest(d.document, d.resolved, os.Environ())
	m.Incomplete = interrupted
	if ran == nil {
		ran = a.Close(m, r.Witness(m, rollout.Why(d.config, os.LookupEnv)))
	}
	if ran == nil {
		ran = folder.Commit()
	}
	if ran != nil {
		return &exit{verdict.OwnFault, ran}
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s path, %s, seed %d, %s: %d chunks encoded; artefacts in %s\n", r.Path(), f.profile, f.seed, f.dtype, chunks, line(strings.TrimSpace(f.out)))
	if interrupted {
		return &exit{verdict.Interrupted, nil}
	}
	return nil
}
