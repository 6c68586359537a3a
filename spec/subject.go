package spec

import "context"

// A Factory starts a subject. It is the one thing an implementer writes a
// function for; everything else hangs on what it returns.
//
// The context bounds the start alone: a subject lives until Close.
type Factory func(ctx context.Context, p Process) (Subject, error)

// Process is the environment in which a subject is started.
type Process struct {
	// Env holds the variables of the feature. A name that is present is set,
	// to the empty string too; a name that is absent is unset, whatever the
	// harness's own environment says. All other variables are inherited.
	Env map[string]string

	// Fresh asks for an operating-system process whose environment is Env from
	// its first instruction on. The harness serves it by running its own
	// binary again and speaking to it over a pipe: a factory never sees it.
	Fresh bool

	// Threads is how many threads arithmetic may use; 0 is the subject's own
	// choice.
	Threads int

	// Log receives what the implementation logs, from its start on. May be nil.
	Log func(Record)
}

// Names of the feature's environment variables.
const (
	EnableVar      = "OMNI_DIFFUSION_SESSION_STATE_MANAGER"
	MaxSessionsVar = "OMNI_DIFFUSION_SESSION_STATE_MANAGER_MAX_SESSIONS"
)

// EnableField is the config field that enables the manager.
const EnableField = "enable_session_state_manager"

// Record is one message that the implementation logged.
type Record struct {
	Level string `json:"level"` // "debug", "info", "warning", "error"
	Text  string `json:"text"`
}

// Subject is one running implementation, in one environment.
type Subject interface {
	// Hello says who the subject is, what it claims and how it behaves where
	// the document leaves it free. It never fails and never changes.
	Hello() Hello

	// Resolve answers what this process would do with a configuration: is the
	// manager on, and what is the cap. It makes nothing.
	Resolve(Config) (Resolution, error)

	// NewManager makes an empty manager.
	NewManager(ManagerSpec) (Manager, error)

	// NewObject makes a state object that is in no session and not allocated.
	NewObject(ObjectSpec) (Object, error)

	// NewModel makes a model's stores of state, over a manager or (the bespoke
	// path) over none. [adapter], [pipeline]
	NewModel(ModelSpec) (Model, error)

	// Make makes a value inside the subject: storage, view, container.
	Make(Recipe) (Value, error)

	// Memory forgets the last answer and error, collects what nothing holds,
	// waits for the devices, and says what is left. [collect]
	Memory() (Memory, error)

	// Close ends the subject and all that it started.
	Close() error
}

// Config is a deploy configuration: as fields (programmatic), or as the text of
// a file for the implementation's own loader [config-loader]. The zero Config
// sets nothing.
type Config struct {
	Fields map[string]any `json:"fields,omitempty"`
	File   string         `json:"file,omitempty"`
}

// Resolution is what the environment and a configuration come to.
type Resolution struct {
	Enabled bool   `json:"enabled"`
	Cap     string `json:"cap"` // decimal text: may exceed any integer of ours
}

// Memory is what is left after a collection.
type Memory struct {
	Alive     []string         `json:"alive"`               // tags of tracked storages that live
	Allocated map[string]int64 `json:"allocated,omitempty"` // live bytes by device, as its allocator counts
}

// A Handle is held until it is released.
type Handle interface {
	Release() error
}
