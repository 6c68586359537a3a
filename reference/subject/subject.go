package subject

import (
	"context"
	"log/slog"
	"strconv"
	"sync"

	"github.com/statespec/statespec/reference/config"
	"github.com/statespec/statespec/spec"
)

// Version of the reference manager, as reports name it.
const Version = "0.1"

// New starts the reference in an environment. It is a [spec.Factory].
func New(_ context.Context, p spec.Process) (spec.Subject, error) {
	return &subject{env: p.Env, threads: p.Threads, log: slog.New(&records{to: p.Log}), census: &census{}}, nil
}

type subject struct {
	spec.MinimalSubject
	env     map[string]string
	threads int
	log     *slog.Logger
	census  *census

	// contents is locked while a value is edited in place, and read-locked
	// while one is walked or read: the library leaves a caller's own containers
	// to the caller.
	contents sync.RWMutex
}

// Hello says that the reference claims every layer and capability, or there
// would be rows that nothing can break.
func (s *subject) Hello() spec.Hello {
	buffers := []spec.BoundUnit{spec.Unbounded, spec.Payloads, spec.Frames}
	return spec.Hello{
		Protocol: spec.ProtocolVersion, Name: "reference", Implementation: "github.com/statespec/statespec/reference",
		Version: Version, Language: "Go",
		Layers: spec.Layers(), Devices: []string{"cpu"},
		Kinds: []spec.KindInfo{
			{Kind: spec.LatentBuffer, Appends: true, Resident: "allocate", Staging: true, Keeps: "copy", Bounds: buffers},
			{Kind: spec.EncodeOnceKV, Resident: "first-commit", Staging: true, Keeps: "copy", Bounds: []spec.BoundUnit{spec.Unbounded}},
			{Kind: spec.Spy, Appends: true, Resident: "allocate", Staging: true, Keeps: "copy", Bounds: buffers},
		},
		Can: []spec.Capability{spec.CanDrop, spec.CanRaiseCap, spec.CanRefuse, spec.CanContinue, spec.CanStage,
			spec.CanPromote, spec.CanRecompute, spec.CanRace, spec.CanCollect, spec.CanSpy, spec.CanFail,
			spec.CanBorrow, spec.CanSnapshot, spec.CanSessionBytes, spec.CanDreamZero},
		Holds: []spec.ValueKind{spec.KindNone, spec.KindBool, spec.KindInt, spec.KindFloat, spec.KindText,
			spec.KindTensor, spec.KindArray, spec.KindList, spec.KindTuple, spec.KindMap, spec.KindMapKey, spec.KindSet,
			spec.KindRecord, spec.KindInstance, spec.KindStored, spec.KindOpaque},
		Environment: "call", Use: "lookup", Views: "until-next-write", Extend: "prefix", Drop: "nothing", Staged: "counted",
		DTypes: []string{"bfloat16", "float32"}, Lengths: 64,
	}
}

// Resolve reads the environment at each call.
func (s *subject) Resolve(c spec.Config) (spec.Resolution, error) {
	r, err := s.resolved(c)
	if err != nil {
		return spec.Resolution{}, told(err)
	}
	return spec.Resolution{Enabled: r.Enabled, Cap: strconv.Itoa(r.MaxSessions)}, nil
}

func (s *subject) resolved(c spec.Config) (config.Resolution, error) {
	parsed, err := s.parsed(c)
	if err != nil {
		return config.Resolution{}, err
	}
	return config.Resolve(parsed, s.lookup, s.log), nil
}

func (s *subject) parsed(c spec.Config) (config.Config, error) {
	if c.File != "" {
		return config.ParseDeploy([]byte(c.File))
	}
	return config.FromFields(c.Fields)
}

func (s *subject) lookup(name string) (string, bool) {
	v, ok := s.env[name]
	return v, ok
}

// Memory collects twice: the second cycle takes what finalizers of the first
// had kept.
func (s *subject) Memory() (spec.Memory, error) { return s.census.collect(), nil }
