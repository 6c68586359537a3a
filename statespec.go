// Package statespec runs the conformance suite of session state managers from a
// Go test of one's own:
//
//	func TestConformance(t *testing.T) {
//		statespec.Run(t, newSubject)
//	}
//
// where newSubject starts one's manager behind the port of package spec. Every
// guarantee is a sub-test, its cases are sub-tests of that:
//
//	go test -run 'TestConformance/EVI-05' -count 20
//	go test -run 'TestConformance/ACC-11/set'
//
// Here is only that door. The port is in package spec, a manager that passes in
// package reference, the command in cmd/statespec.
package statespec

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/families"
	"github.com/statespec/statespec/spec/run"
	"github.com/statespec/statespec/spec/selection"
	"github.com/statespec/statespec/spec/verdict"
)

// Run runs the suite on the factory's subjects and makes each guarantee that is
// asked a sub-test of t, each case a sub-test of its guarantee.
//
// A sub-test fails when a MUST or OPT row is broken, crashed or hung; a broken
// SHOULD is logged, and fails under [Strict]. What the subject does not claim is
// skipped, with the word "unclaimed". A run in which no MUST was asked fails.
//
// The specs run in a process of their own, this test binary run again as far as
// this same test, so that a subject that ends its process takes only one spec
// with it. Tests and specs of the caller's own in the binary do not run there,
// but TestMain does, and so does a Ginkgo suite's BeforeSuite. What failed specs
// keep, a picture of a history for instance, goes where go test -artifacts puts
// the files of tests.
func Run(t *testing.T, f spec.Factory, opts ...Option) {
	t.Helper()
	become(f)
	o := options{seed: 1}
	for _, opt := range opts {
		opt(&o)
	}
	rows, err := selection.Select(o.only, catalogue.All())
	if err != nil {
		t.Fatalf("statespec.Only: %v", err)
	}
	policy, expectations := o.policy(t)
	part := wanted(t.Name(), rows)
	if len(part) == 0 {
		t.Log("no guarantee is among what -run and -skip let through")
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatalf("find this test binary, to run it again: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if deadline, ok := t.Deadline(); ok { // so that what is known by then is told
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-reserve))
		defer cancel()
	}
	in := run.Run(ctx, run.Options{
		Command: append([]string{self}, again(t.Name())...),
		Rows:    part, Device: o.device, Seed: o.seed, Timeout: o.timeout, Jobs: o.jobs, Keep: keeper(t),
		Reproduce: func(row string) string {
			parts := append(strings.Split(t.Name(), "/"), strings.Split(row, ".")...)
			for i, p := range parts {
				parts[i] = exactly(p)
			}
			return "go test -run '" + strings.Join(parts, "/") + "'"
		},
	})
	in.Selection = o.only
	if len(part) < len(rows) {
		in.Selection = strings.TrimSpace(o.only + " -run " + lookup("test.run"))
	}
	in.Policy, in.Expectations = policy, expectations(in.Subject, in.Device)
	judge(t, verdict.Fold(in), policy)
}

// reserve is the time before the test binary's own deadline that is kept for
// telling what came of the run.
const reserve = 10 * time.Second

// Main is for a TestMain whose set-up the suite's own processes have no use for:
// it takes those processes over, and else runs the tests of m. It is for a test
// binary in which all calls of [Run] have the same factory.
func Main(m *testing.M, f spec.Factory) {
	become(f)
	os.Exit(m.Run())
}

// become takes this process over if it was started to be a worker or a fresh
// subject.
func become(f spec.Factory) {
	driver.ServeIfAsked(f)
	run.WorkIfAsked(run.Of(f), families.Specs)
}

// An Option changes what [Run] asks or how it judges.
type Option func(*options)

type options struct {
	only, require, expect string
	device                string
	strict                bool
	seed                  uint64
	jobs                  int
	timeout               time.Duration
}

// Only selects the rows of an expression: "EVI && MUST", "!RNG-08". See package
// selection.
func Only(expr string) Option { return func(o *options) { o.only = expr } }

// Require fails rows of an expression that the subject does not claim.
func Require(expr string) Option { return func(o *options) { o.require = expr } }

// Expect names an expectation file: what is known to be broken, and why. See
// package expect.
func Expect(file string) Option { return func(o *options) { o.expect = file } }

// Device has tensors made on a device that the subject names, "cuda:0" for
// instance, wherever a spec does not say another.
func Device(name string) Option { return func(o *options) { o.device = name } }

// Strict makes a broken SHOULD fail.
func Strict() Option { return func(o *options) { o.strict = true } }

// Seed is that of whatever specs generate; 1 unless given.
func Seed(n uint64) Option { return func(o *options) { o.seed = n } }

// Jobs is how many processes run specs side by side; 1 unless given.
func Jobs(n int) Option { return func(o *options) { o.jobs = n } }

// Timeout is how long one request to the subject may take; 10 s unless given. A
// start may take six times as long, and a spec twelve times.
func Timeout(d time.Duration) Option { return func(o *options) { o.timeout = d } }
