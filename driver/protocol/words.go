package protocol

import "github.com/statespec/statespec/spec"

// kinds say when an answer is of a kind of error.
var kinds = map[spec.Kind]string{
	spec.NotAllocated:     "used before it was allocated, or after it was evicted",
	spec.NotReady:         "read before it was written, or captured in part",
	spec.NotFound:         "no object of that name",
	spec.OverRead:         "more than the bound can ever retain was asked for",
	spec.InvalidArgument:  "nothing would make that argument right",
	spec.ShapeMismatch:    "another shape than is there",
	spec.TypeMismatch:     "another dtype, or kind of object, than is there",
	spec.Immutable:        "an edit that the language has no way to make; never a refusal",
	spec.AdmissionRefused: "a new session at the cap, under the refuse policy",
	spec.SessionLost:      "continued, and no longer retained",
	spec.OutOfMemory:      "a device or the host has no memory left",
	spec.Unsupported:      "this driver or its language cannot ask that; never a refusal",
	spec.Raised:           "the implementation raised, for a cause unknown: a refusal like those above",
	spec.Internal:         "the driver's own failure, or a request that makes no sense; never a refusal",
}

// capabilities say what each one claims.
var capabilities = map[spec.Capability]string{
	spec.CanDrop:           "`drop` ends a session",
	spec.CanRaiseCap:       "`raise_cap`",
	spec.CanRefuse:         "`manager_spec.refuse`: a new session at the cap is refused, not another evicted",
	spec.CanContinue:       "`continue`: a session that is not retained is refused, not made anew",
	spec.CanStage:          "`stage` and `discard`",
	spec.CanPromote:        "`commit` without values promotes what is staged, and `view` can include it",
	spec.CanRecompute:      "`object` in `ensure` and `new_object`: what an object can be recomputed from",
	spec.CanRace:           "safe for concurrent use: `race` with more than one list",
	spec.CanCollect:        "`memory`, and tracked recipes",
	spec.CanSpy:            "objects of kind `spy`, whose `state` lists the calls that they got",
	spec.CanFail:           "recipes of step `source`: payloads, and then a failure",
	spec.CanBorrow:         "recipes of step `borrow`: arrays over memory that something else owns",
	spec.CanSnapshot:       "`stats` is one consistent cut over all sessions, always or with `manager_spec.snapshot`",
	spec.CanSessionBytes:   "`contents` has `bytes` by device, of that session alone",
	spec.CanDreamZero:      "DreamZero's state: `new_model` with `\"model\": \"dreamzero\"`",
	spec.CanCosmos3:        "Cosmos3's conditioning: `new_model` with `\"model\": \"cosmos3\"`, on the managed path at least",
	spec.CanEncodeOnce:     "objects of kind `encode-once`",
	spec.CanShippedEncoder: "the step `encode_newest` of DreamZero, with the model's own encoder at its shipped size",
	spec.CanPark:           "`park` and `unpark`",
	spec.CanPlan:           "`free`: objects that are parked, or evicted where they can be recomputed",
}

// members say what hello's members mean.
var members = map[string]string{
	"protocol":       "1",
	"name":           "of the subject, as reports have it: `\"my-manager\"`",
	"implementation": "the package or repository that is tested",
	"version":        "of the implementation",
	"language":       "of the implementation",
	"layers":         "of `manager`, `adapter`, `pipeline`, `config-loader`",
	"devices":        "at least `cpu`; a recipe may name any of them",
	"kinds":          "of state objects: `kind` (`latent-buffer`, `encode-once`, `spy`); `appends` or replaces; `resident` from `allocate` or `first-commit`; `staging` does something; `keeps` a `copy` of a payload or a `reference` to it; `bounds` that allocate takes (`\"\"`, `payloads`, `frames`)",
	"can":            "capabilities",
	"holds":          "what an attribute can hold: `none` `bool` `int` `float` `text` `tensor` `array` `list` `tuple` `map` `map-key` (a tensor as a map's key) `set` `record` `instance` `stored` `opaque`",
	"blind":          "of those, what the implementation's accounting does not see into. What is there is not asked: it is known",
	"environment":    "read once a `process`, or at each `call`",
	"use":            "what counts as use of a session: a `lookup` alone, or `access` to a held one, too",
	"views":          "what `view` returned keeps its bits `always`, or `until-next-write`",
	"extend":         "an extend that fails midway leaves `all`, `none` or the `prefix`",
	"drop":           "leaves a holder with `its-state` or `nothing`",
	"staged":         "bytes that are staged are `counted` or `not-counted`",
	"parked":         "[park] a read of what is parked `unparks` it, or is `refused`",
	"dtypes":         "of latents, that the quantiser takes; `bfloat16` and `float32` unless said",
	"lengths":        "the longest history that the quantiser is asked with, in latent frames",
}

// A recipe is one step of make.
type recipe struct{ step, takes, makes string }

// recipes are all steps of make.
var recipes = []recipe{
	{"none", "", "the language's nothing"},
	{"bool", "`int`, 0 or 1", "a flag"},
	{"int", "`int`, or `text` beyond 53 bits", "a whole number"},
	{"float", "`text`: 16 hex digits", "a float64, by its bits, most significant first"},
	{"text", "`text`", "a text"},
	{"tensor", "`dtype`, `shape`, and `seed`, or `raw` in base64, or `file`; `device`, `tag`, `host`", "a tensor with a storage of its own; with `host` an array of the language's host library instead"},
	{"narrow", "`axes`: axis, start, length; from a tensor", "a view of part of an axis"},
	{"transpose", "`axes`: two axes; from a tensor", "a view with these exchanged"},
	{"expand", "`shape`; from a tensor", "a view, broadcast to a shape"},
	{"retype", "`dtype`; from a tensor", "a view of the same bits as another dtype"},
	{"reshape", "`shape`; from a tensor", "a view of another shape, without a copy"},
	{"alias", "from a tensor", "a second tensor object over the same storage"},
	{"borrow", "`text`, `axes`: start, length in bytes", "[borrow] by `text`: `export`, a host array over a tensor's storage (from a tensor); `buffer`, one over an immutable buffer; `part-of-array`, a tensor over bytes of a host array (from an array); `mapped-file`, a host array over a mapped file"},
	{"list", "from any", "a list"},
	{"tuple", "from any", "a list that cannot be changed"},
	{"set", "from any", "a set"},
	{"map", "from key, value, key, value", "a map"},
	{"record", "`fields`; from as many", "a value of a type with named fields"},
	{"instance", "`fields`; from as many", "an object of a class of the driver's own, with attributes"},
	{"nest", "`int`; from one", "the value inside so many lists"},
	{"item", "`axes`: the index; from a container", "its item, itself and not a copy"},
	{"stored", "`object`", "a state object as a value"},
	{"source", "from payloads", "[extend-iterable] yields them, then fails; for `commit`"},
	{"opaque", "", "a thing that holds storage which no accounting can measure"},
}

// fills are the dtypes whose first elements the document shows.
var fills = []string{"uint8", "int16", "int64", "bool", "float32", "bfloat16", "float16", "float64", "complex64"}
