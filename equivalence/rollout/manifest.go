package rollout

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/config"
	"github.com/statespec/statespec/spec/verdict"
)

// A Manifest says of what the artefacts are, in which order they came to be, and
// what made them. It has nothing in it that differs between the two paths of
// one A/B but the environment, and no time.
type Manifest struct {
	Schema     string              `json:"schema"`
	Artefacts  []Listed            `json:"artefacts"` // in the order of a step
	Columns    map[string][]string `json:"columns"`   // what the numbers of a row are
	Incomplete bool                `json:"incomplete,omitempty"`

	Profile   string `json:"profile"`
	Seed      uint64 `json:"seed"`
	Steps     int    `json:"steps"` // asked
	StepsDone int    `json:"steps_done"`
	DType     string `json:"dtype"`
	Fault     Fault  `json:"fault,omitempty"`

	Config      Deploy              `json:"config"`
	Environment verdict.Environment `json:"environment"`
	Build       Build               `json:"build"`
	Host        Host                `json:"host"`
}

// Listed is an artefact in the manifest.
type Listed struct {
	File string   `json:"file"`
	Axes []string `json:"axes"` // what each axis is of
}

// Schema is the version of the manifest's form.
const Schema = "statespec-rollout/1"

// Deploy is the deploy config of a rollout.
type Deploy struct {
	SHA256      string `json:"sha256"` // of the file's bytes; of no bytes where there is no file
	MaxSessions int    `json:"max_sessions"`
}

// Build is what the program was made of.
type Build struct {
	Go       string            `json:"go"`
	Module   string            `json:"module"`
	Version  string            `json:"version"`
	Settings map[string]string `json:"settings"` // those that decide what the code does
}

// Host is what it ran on.
type Host struct {
	Processor string `json:"processor"` // empty where the system does not say
}

// A Witness says which path a rollout took: asked of the store that it worked
// on, not of the setting that should have decided.
type Witness struct {
	Path  string            `json:"path"`
	Why   string            `json:"why"`
	Facts map[string]string `json:"facts"` // what must not differ between two runs of one A/B
}

// Manifest returns the manifest of a rollout, but for what Artefacts fills in.
func (r *Rollout) Manifest(document []byte, resolved config.Resolution, environ []string) Manifest {
	o := r.options
	return Manifest{
		Schema: Schema, Profile: o.Profile.Name, Seed: o.Seed, Steps: o.Steps, DType: o.DType.String(), Fault: o.Fault,
		Config:      Deploy{SHA256: digestOf(document), MaxSessions: resolved.MaxSessions},
		Environment: verdict.Surroundings(environ, verdict.Harmless),
		Build:       build(), Host: Host{Processor: processor()},
	}
}

// Witness returns what the rollout says of its path. Why is what decided.
func (r *Rollout) Witness(m Manifest, why string) Witness {
	facts := map[string]string{"config": "sha256:" + m.Config.SHA256, "profile": m.Profile, "dtype": m.DType}
	if m.Fault != NoFault {
		facts["fault"] = string(m.Fault)
	}
	return Witness{Path: r.Path(), Why: why, Facts: facts}
}

// Why says in a sentence what decides the path: the variable where it is a
// switch, else the config, else the default.
func Why(cfg config.Config, lookup func(string) (string, bool)) string {
	text, set := lookup(config.EnableVar)
	on := config.Resolve(config.Config{EnableSessionStateManager: new(true)}, lookup, nil).Enabled
	off := config.Resolve(config.Config{EnableSessionStateManager: new(false)}, lookup, nil).Enabled
	switch {
	case set && on == off:
		return config.EnableVar + "=" + strings.TrimSpace(text) + " decides, whatever the config says"
	case cfg.EnableSessionStateManager != nil:
		return "the deploy config decides: " + config.EnableField + " is " + map[bool]string{true: "true", false: "false"}[*cfg.EnableSessionStateManager]
	}
	return "neither the environment nor the deploy config decides, and the manager is off by default: " + dreamzero.BespokePath
}

func digestOf(document []byte) string {
	sum := sha256.Sum256(document)
	return hex.EncodeToString(sum[:])
}

// build is read from the binary itself.
func build() Build {
	b := Build{Settings: map[string]string{}}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Go, b.Module, b.Version = info.GoVersion, info.Main.Path, info.Main.Version
	for _, s := range info.Settings {
		if slices.Contains([]string{"GOARCH", "GOOS", "GOAMD64", "GOARM64", "-race", "-gcflags", "-tags", "CGO_ENABLED", "vcs.revision", "vcs.modified"}, s.Key) {
			b.Settings[s.Key] = s.Value
		}
	}
	return b
}

// processor is the first that /proc/cpuinfo names, where there is one.
func processor() string {
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if name, value, _ := strings.Cut(lines.Text(), ":"); strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
