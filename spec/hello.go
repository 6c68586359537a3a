package spec

// ProtocolVersion is the version of the port and of its wire form.
const ProtocolVersion = 1

// Hello is what a subject says about itself. The behaviours are checked, not
// believed: a spec takes the declared branch and holds the subject to it.
type Hello struct {
	Protocol       int    `json:"protocol"`
	Name           string `json:"name"` // of the subject: "reference"
	Implementation string `json:"implementation"`
	Version        string `json:"version"`
	Language       string `json:"language"`

	Layers  []Layer      `json:"layers"`
	Devices []string     `json:"devices"` // "cpu", "cuda:0"
	Kinds   []KindInfo   `json:"kinds"`   // of state objects
	Can     []Capability `json:"can"`

	Holds []ValueKind `json:"holds"` // what an attribute can hold
	Blind []ValueKind `json:"blind"` // of those, what accounting does not see into

	// Behaviours that the document leaves free.
	Environment string `json:"environment"` // read once a "process", or at each "call"
	Use         string `json:"use"`         // what counts as use: "lookup", "access" (work on a held session too)
	Views       string `json:"views"`       // what View returned keeps its bits: "always", "until-next-write"
	Extend      string `json:"extend"`      // a source that fails midway leaves "all", "none", "prefix"
	Drop        string `json:"drop"`        // leaves a holder with "its-state", "nothing"
	Staged      string `json:"staged"`      // bytes are "counted", "not-counted"
	Parked      string `json:"parked"`      // a read of what is parked "unparks" it, or is "refused" [park]

	// DTypes and Lengths bound what RNG-07 asks of the quantiser: dtypes that
	// a latent may have, and the longest history in latent frames.
	DTypes  []string `json:"dtypes,omitempty"`
	Lengths int      `json:"lengths,omitempty"`
}

// A Layer is what a guarantee is asked of.
type Layer string

const (
	LayerManager  Layer = "manager"
	LayerAdapter  Layer = "adapter"       // a model's state over the manager
	LayerPipeline Layer = "pipeline"      // the reader and the stores of states
	LayerConfig   Layer = "config-loader" // of deploy files
)

// Layers lists every layer.
func Layers() []Layer { return []Layer{LayerManager, LayerAdapter, LayerPipeline, LayerConfig} }

// KindInfo is one kind of state object and its declared semantics.
type KindInfo struct {
	Kind     ObjectKind  `json:"kind"`
	Appends  bool        `json:"appends"`  // else a commit replaces
	Resident string      `json:"resident"` // from "allocate", "first-commit"
	Staging  bool        `json:"staging"`  // stage does something
	Keeps    string      `json:"keeps"`    // of a payload: "copy", "reference"
	Bounds   []BoundUnit `json:"bounds"`   // that allocate takes
}

// A Capability is something beyond the document's floor, claimed by name.
type Capability string

const (
	CanDrop           Capability = "drop"
	CanRaiseCap       Capability = "raise-cap"
	CanRefuse         Capability = "admission"
	CanContinue       Capability = "continuation"
	CanStage          Capability = "stage"
	CanPromote        Capability = "stage-promote"
	CanRecompute      Capability = "recompute"
	CanRace           Capability = "threads" // safe for concurrent use: a race of more than one list
	CanCollect        Capability = "collect"
	CanSpy            Capability = "spy"             // objects of kind Spy
	CanFail           Capability = "extend-iterable" // sources that fail midway
	CanBorrow         Capability = "borrow"          // host arrays over another value's memory
	CanSnapshot       Capability = "snapshot"        // stats is one consistent cut
	CanSessionBytes   Capability = "session-bytes"   // a session's own figure
	CanDreamZero      Capability = "dreamzero"
	CanCosmos3        Capability = "cosmos3"
	CanEncodeOnce     Capability = "encode-once"
	CanShippedEncoder Capability = "shipped-encoder"
	CanPark           Capability = "park"
	CanPlan           Capability = "planner"
)

// Capabilities lists every capability.
func Capabilities() []Capability {
	return []Capability{CanDrop, CanRaiseCap, CanRefuse, CanContinue, CanStage, CanPromote, CanRecompute, CanRace,
		CanCollect, CanSpy, CanFail, CanBorrow, CanSnapshot, CanSessionBytes, CanDreamZero, CanCosmos3,
		CanEncodeOnce, CanShippedEncoder, CanPark, CanPlan}
}
