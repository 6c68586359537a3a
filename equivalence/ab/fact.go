package ab

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/statespec/statespec/spec/verdict"
)

// A Fact is something that must be the same in every run. Its value is short and
// holds no secret: a digest where the thing itself is long or private.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`

	// Own says that it belongs to the command, and so may differ between sides
	// where two commands are compared.
	Own bool `json:"own,omitempty"`
}

// before gathers what can be known before a run.
func (o Options) before(s Side) []Fact {
	facts := append(ownFacts(o.command(s)), o.variables(s)...)
	facts = append(facts, host()...)
	for _, dir := range o.Caches {
		facts = append(facts, Fact{Name: "cache " + dir, Value: stateOf(dir)})
	}
	return facts
}

// ownFacts are those of a command: its words, its program and its files.
func ownFacts(argv []string) []Fact {
	return append([]Fact{{Name: "arguments", Value: strings.Join(argv, "\x00"), Own: true}}, files(argv)...)
}

// ofShell are variables in which a shell keeps what it did last and how deep it is
// in others: no more than how a command was typed. The folder, which PWD names, is
// a fact of its own, whatever started the command.
var ofShell = []string{"_", "SHLVL", "OLDPWD", "PWD"}

// variables are the environment's, but for the one that differs on purpose and
// those that a shell sets about itself.
func (o Options) variables(s Side) (facts []Fact) {
	for _, v := range verdict.Surroundings(o.environ(s), verdict.Harmless).Variables {
		if v.Name == o.Var || slices.Contains(ofShell, v.Name) {
			continue
		}
		value := v.Value
		if v.SHA256 != "" {
			value = "sha256:" + v.SHA256 + "…"
		}
		facts = append(facts, Fact{Name: "variable " + v.Name, Value: value})
	}
	return facts
}

// files are the program and whatever arguments name files, by digest: a config, a
// script, weights.
func files(argv []string) (facts []Fact) {
	if program, err := exec.LookPath(argv[0]); err == nil {
		facts = append(facts, Fact{Name: "program " + program, Value: digest(program), Own: true})
	}
	for _, arg := range argv[1:] {
		for _, path := range []string{arg, arg[strings.IndexByte(arg, '=')+1:]} {
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				facts = append(facts, Fact{Name: "file " + path, Value: digest(path), Own: true})
				break
			}
		}
	}
	return facts
}

// wholeFile is up to what size, in bytes, a file is read for its digest. Of larger
// ones size and time of change have to do: weights take longer to read than to use.
const wholeFile = 256 << 20

func digest(path string) string {
	file, err := os.Open(path)
	if err != nil {
		return err.Error()
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err.Error()
	}
	if info.Size() > wholeFile {
		return fmt.Sprintf("%d bytes, changed %s", info.Size(), info.ModTime().UTC().Format("2006-01-02T15:04:05.000000000Z"))
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return err.Error()
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}

// host describes the machine, as far as it decides what a program computes, and
// where on it the program is run.
func host() []Fact {
	name, err := os.Hostname()
	if err != nil {
		name = err.Error()
	}
	folder, err := os.Getwd()
	if err != nil {
		folder = err.Error()
	}
	facts := []Fact{
		{Name: "host", Value: name},
		{Name: "folder", Value: folder},
		{Name: "system", Value: runtime.GOOS + "/" + runtime.GOARCH},
		{Name: "processors", Value: strconv.Itoa(runtime.NumCPU())},
	}
	for _, f := range []Fact{{Name: "processor", Value: processor()}, {Name: "devices", Value: devices()}} {
		if f.Value != "" {
			facts = append(facts, f)
		}
	}
	return facts
}

// processor is its model, where the system has a file that says so.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if name, model, found := strings.Cut(line, ":"); found && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(model)
		}
	}
	return ""
}

// devices are the accelerators and their CUDA driver, as its own tool lists them;
// empty where there is no such tool.
func devices() string {
	out, err := exec.Command("nvidia-smi", "--query-gpu=uuid,name,driver_version,mig.mode.current", "--format=csv,noheader").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// A Difference is a fact that was not the same in two runs.
type Difference struct {
	Name string `json:"name"`
	Run  int    `json:"run"` // the earlier run
	Was  string `json:"was"` // "nothing" where there was no such fact
	Than int    `json:"than"`
	Is   string `json:"is"`
}

func (d Difference) String() string {
	return fmt.Sprintf("%s: %s in run %d, %s in run %d", d.Name, d.Was, d.Run, d.Is, d.Than)
}

// drift lists what differed between the first run and the others, or, of facts
// that belong to a command, between the first run of a side and the others of it.
func drift(runs []Run, twoCommands bool) (all []Difference) {
	for i, r := range runs {
		for _, own := range []bool{false, true} {
			first := 0
			if own && twoCommands {
				first = slices.IndexFunc(runs, func(f Run) bool { return f.Side == r.Side })
			}
			if first < i {
				all = append(all, differences(runs[first], r, own)...)
			}
		}
	}
	return all
}

func differences(a, b Run, own bool) (all []Difference) {
	was, is := named(a.Facts, own), named(b.Facts, own)
	names := make([]string, 0, len(was))
	for name := range was {
		names = append(names, name)
	}
	for name := range is {
		if _, both := was[name]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if x, y := shown(was, name), shown(is, name); x != y {
			all = append(all, Difference{Name: name, Run: a.Number, Was: x, Than: b.Number, Is: y})
		}
	}
	return all
}

func named(facts []Fact, own bool) map[string]string {
	m := map[string]string{}
	for _, f := range facts {
		if f.Own == own {
			m[f.Name] = f.Value
		}
	}
	return m
}

func shown(facts map[string]string, name string) string {
	value, there := facts[name]
	switch {
	case !there:
		return "nothing"
	case name == "arguments":
		return strconv.Quote(strings.ReplaceAll(value, "\x00", " "))
	}
	return strconv.Quote(value)
}
