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
func New(ctx context.Context, p spec.Process) (spec.Subject, error) {
	return Assemble(func() Parts { return Parts{} })(ctx, p)
}

// Subject is the reference, or what was put together from [Parts], behind the
// port.
type Subject struct {
	spec.MinimalSubject
	env     map[string]string
	threads int
	log     *slog.Logger
	census  *census
	parts   Parts

	// contents is locked while a value is edited in place, and read-locked
	// while one is walked or read: the library leaves a caller's own containers
	// to the caller.
	contents sync.RWMutex
}

// Hello says that the reference claims every layer and capability, or there
// would be rows that nothing can break.
func (s *Subject) Hello() spec.Hello {
	buffers := []spec.BoundUnit{spec.Unbounded, spec.Payloads, spec.Frames}
	h := spec.Hello{
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
			spec.CanBorrow, spec.CanSnapshot, spec.CanSessionBytes, spec.CanDreamZero,
			spec.CanCosmos3, spec.CanEncodeOnce, spec.CanPark, spec.CanPlan},
		Holds: []spec.ValueKind{spec.KindNone, spec.KindBool, spec.KindInt, spec.KindFloat, spec.KindText,
			spec.KindTensor, spec.KindArray, spec.KindList, spec.KindTuple, spec.KindMap, spec.KindMapKey, spec.KindSet,
			spec.KindRecord, spec.KindInstance, spec.KindStored, spec.KindOpaque},
		Environment: "call", Use: "lookup", Views: "until-next-write", Extend: "prefix", Drop: "nothing", Staged: "counted", Parked: "unparks",
		DTypes: []string{"bfloat16", "float32"}, Lengths: 64,
	}
	for _, d := range s.parts.Devices {
		h.Devices = append(h.Devices, string(d.Device()))
	}
	if s.parts.Encode != nil {
		h.Can = append(h.Can, spec.CanShippedEncoder)
	}
	if s.parts.Hello != nil {
		s.parts.Hello(&h)
	}
	return h
}

// Resolve reads the environment at each call.
func (s *Subject) Resolve(c spec.Config) (spec.Resolution, error) {
	r, err := s.resolved(c)
	if err != nil {
		return spec.Resolution{}, told(err)
	}
	out := spec.Resolution{Enabled: r.Enabled, Cap: strconv.Itoa(r.MaxSessions)}
	if s.parts.Resolution != nil {
		s.parts.Resolution(&out)
	}
	return out, nil
}

func (s *Subject) resolved(c spec.Config) (config.Resolution, error) {
	parsed, err := s.parsed(c)
	if err != nil {
		return config.Resolution{}, err
	}
	resolve := config.Resolve
	if s.parts.Resolve != nil {
		resolve = s.parts.Resolve
	}
	return resolve(parsed, s.lookup, s.log), nil
}

func (s *Subject) parsed(c spec.Config) (config.Config, error) {
	parse, from := config.ParseDeploy, config.FromFields
	if s.parts.ParseDeploy != nil {
		parse = s.parts.ParseDeploy
	}
	if s.parts.FromFields != nil {
		from = s.parts.FromFields
	}
	if c.File != "" {
		return parse([]byte(c.File))
	}
	return from(c.Fields)
}

func (s *Subject) lookup(name string) (string, bool) {
	v, ok := s.env[name]
	return v, ok
}

// Memory collects twice: the second cycle takes what finalizers of the first
// had kept.
func (s *Subject) Memory() (spec.Memory, error) {
	m, err := s.census.collect(s.parts.Devices)
	if err != nil {
		return spec.Memory{}, told(err)
	}
	if s.parts.Memory != nil {
		s.parts.Memory(&m)
	}
	return m, nil
}
