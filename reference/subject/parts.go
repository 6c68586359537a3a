package subject

import (
	"context"
	"log/slog"

	"github.com/statespec/statespec/equivalence/cosmos3"
	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/config"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// Parts are what the reference behind the port is put together from. Each one
// that is set takes the place of the reference's own, or stands in front of it;
// the zero Parts are the reference. A subject that differs from it in one
// promise replaces one part.
type Parts struct {
	// Hello changes what the subject says about itself.
	Hello func(*spec.Hello)

	// ParseDeploy, FromFields and Resolve are those of package config.
	ParseDeploy func(document []byte) (config.Config, error)
	FromFields  func(fields map[string]any) (config.Config, error)
	Resolve     func(c config.Config, lookup func(string) (string, bool), log *slog.Logger) config.Resolution

	// Resolution changes what Resolve answers, and nothing that is done.
	Resolution func(*spec.Resolution)

	// Choose is dreamzero.Choose: DreamZero's path, where its spec leaves it open.
	// It and the stores of its paths are not asked about another model's.
	Choose func(config.Resolution, dreamzero.Sessions, dreamzero.Options) (dreamzero.Store, error)

	// ManagedStore and BespokeStore are dreamzero.NewManagedStore and
	// dreamzero.NewBespokeStore, where DreamZero's spec asks for that path.
	ManagedStore func(dreamzero.Sessions, dreamzero.Options) (dreamzero.Store, error)
	BespokeStore func(dreamzero.Options) (dreamzero.Store, error)

	// Table makes the table of sessions, in the stead of manager.New.
	Table func(o manager.Options) (Table, error)

	// StateObject takes the place of an object that was just made, or embeds
	// it; one that is of no kind of package object says its Kind. The objects
	// that DreamZero makes for itself are not asked about.
	StateObject func(kind spec.ObjectKind, made object.StateObject) object.StateObject

	// Options are added to those of every object, DreamZero's excepted.
	Options []object.Option

	// Measure counts what sessions keep alive together: for the statistics all
	// that are retained, for the contents of a session that one.
	Measure func(sessions ...*manager.Session) account.Report

	// Store stands in front of DreamZero's store of states, and Quantiser is its
	// quantiser.
	Store     func(dreamzero.Store) dreamzero.Store
	Quantiser func(name string, threads int) (dreamzero.Quantiser, error)

	// Encode hands the newest frame of a clip, (T, H, W, C) of uint8 at the shipped
	// size, to the model's encoder. The reference has none of its own, since it
	// takes seconds and more than a gigabyte: a subject with this part claims
	// spec.CanShippedEncoder.
	Encode func(st dreamzero.State, clip *tensor.Tensor) error

	// Cosmos3 stands in front of Cosmos3's store of states.
	Cosmos3 func(cosmos3.Store) cosmos3.Store

	// Devices are devices beside the host that a recipe may name.
	Devices []Device

	// Made changes what a recipe made. Element refills of Edit are not asked
	// about.
	Made func(r spec.Recipe, content any) any

	// Each of these stands in front of a handle of the port: it answers what it
	// wants to, and hands on the rest.
	Manager func(*Subject, spec.Manager) spec.Manager
	Session func(*Subject, spec.Session) spec.Session
	Object  func(*Subject, spec.Object) spec.Object
	Value   func(*Subject, spec.Value) spec.Value
	Model   func(*Subject, spec.Model) spec.Model
	State   func(*Subject, spec.State) spec.State

	// Memory changes what is said to live after a collection.
	Memory func(*spec.Memory)
}

// A Device is a device beside the host: what gives out its memory, and counts it.
type Device interface {
	tensor.Allocator

	// InUse returns the bytes that are allocated on the device, as its own
	// allocator counts them.
	InUse() (int64, error)
}

// Table is a table of retained sessions: *manager.Manager is the reference's.
type Table interface {
	dreamzero.Sessions
	Continue(id string) (*manager.Session, error)
	Contains(id string) bool
	RaiseCap(n int) (bool, error)
	Free(device tensor.Device, n int64) ([]manager.Freed, error)
	ByteBudget() (int64, bool)
	Stats() manager.Stats
}

var _ Table = (*manager.Manager)(nil)

// Assemble is a factory of subjects that are put together from parts. The
// function makes the parts of one subject, for those that remember something.
func Assemble(parts func() Parts) spec.Factory {
	return func(_ context.Context, p spec.Process) (spec.Subject, error) {
		return &Subject{env: p.Env, threads: p.Threads, log: slog.New(&records{to: p.Log}), census: &census{}, parts: parts()}, nil
	}
}

// table makes a table of sessions.
func (s *Subject) table(o manager.Options) (Table, error) {
	if s.parts.Table != nil {
		return s.parts.Table(o)
	}
	return manager.New(o)
}

// measured replaces the bytes of statistics where there is another measure.
func (s *Subject) measured(t Table, st manager.Stats) manager.Stats {
	if s.parts.Measure == nil {
		return st
	}
	var retained []*manager.Session
	for _, id := range t.Retained() {
		if held, ok := t.Peek(id); ok {
			retained = append(retained, held)
		}
	}
	r := s.parts.Measure(retained...)
	st.TotalBytes, st.BytesByDevice, st.Unmeasured = r.Total, r.ByDevice, r.Unmeasured
	return st
}

// bytesOfOne is a session's own figure.
func (s *Subject) bytesOfOne(held *manager.Session) map[tensor.Device]int64 {
	if s.parts.Measure != nil {
		return s.parts.Measure(held).ByDevice
	}
	return held.Bytes().ByDevice
}
