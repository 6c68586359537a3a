package rollout

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/statespec/statespec/equivalence/npy"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
)

// A Folder is where the artefacts of a rollout go: a new file for each name.
// The files are *os.File, or can WriteAt as it can.
type Folder interface {
	Create(name string) (io.WriteCloser, error)
}

// The files of a rollout, in the order in which one step makes what is in
// them: a divergence shows in the first of them that has it.
const (
	CountersFile = "counters.npy"         // int64 [step, counter]
	FrameFile    = "stitched_frame.npy"   // uint8 [step, H, W, C]
	DigestsFile  = "feat_map_digest.npy"  // uint64 [step, entry]
	ObservedFile = "observed_latents.npy" // [step, C, T, H, W], without the batch
	ChunkFile    = "video_chunk.npy"      // bfloat16 [step, T, C, H, W]
	ActionFile   = "action.npy"           // float32 [step, 2]
	PixelsFile   = "action_pixels.npy"    // int64 [step, 2]

	// Then the dump of a feature map, feat_map/00-conv_in.npy and so on, and
	// at the end video_latents/session-000.npy, bfloat16 [1, C, T, H, W].
	dumpFolder  = "feat_map/"
	videoFolder = "video_latents/"

	// Not artefacts: what the paths may differ in, and what the run was.
	HeldFile     = "bytes_held.json"
	ManifestFile = "manifest.json"
	WitnessFile  = "witness.json"
)

// NoDump is no step to dump the feature map at.
const NoDump = -1

// Artefacts writes what a rollout makes, step by step.
type Artefacts struct {
	folder Folder
	dumpAt int

	files  []artefact
	listed []Listed
	held   Curve
	steps  int
}

// An artefact is one file that grows by a row a step.
type artefact struct {
	name string
	to   *npy.Writer
	row  func(*Step) []byte
}

// NewArtefacts opens the files of a rollout. DumpAt is a step whose feature map
// is written whole, or NoDump.
func NewArtefacts(folder Folder, o Options, dumpAt int) (*Artefacts, error) {
	if dumpAt != NoDump && (dumpAt < 0 || dumpAt >= o.Steps) {
		return nil, fmt.Errorf("dump the feature map at step %d: the rollout has steps 0 to %d", dumpAt, o.Steps-1)
	}
	a := &Artefacts{folder: folder, dumpAt: dumpAt, held: Curve{Columns: heldColumns()}}
	p := o.Profile
	for _, f := range []struct {
		name string
		dt   dtype.DType
		row  []int
		axes string // of a row
		of   func(*Step) []byte
	}{
		{CountersFile, dtype.Int64, []int{len(counterColumns)}, "counter", func(s *Step) []byte { return words(s.Counters.list()) }},
		{FrameFile, dtype.UInt8, p.FrameShape(), "row column colour", func(s *Step) []byte { return s.Frame.AppendBytes(nil) }},
		{DigestsFile, dtype.UInt64, []int{Entries}, "entry", func(s *Step) []byte { return words(s.Digests[:]) }},
		{ObservedFile, o.DType, p.ObservedShape()[1:], "channel time row column", func(s *Step) []byte { return s.Observed.AppendBytes(nil) }},
		{ChunkFile, dtype.BFloat16, p.ChunkShape()[1:], "time channel row column", func(s *Step) []byte { return s.Chunk.AppendBytes(nil) }},
		{ActionFile, dtype.Float32, []int{LatentFrames}, "time", func(s *Step) []byte { return floats(s.Action[:]) }},
		{PixelsFile, dtype.Int64, []int{2}, "side", func(s *Step) []byte { return words([]int64{s.Counters.Rows, s.Counters.Columns}) }},
	} {
		to, err := a.open(f.name, "step "+f.axes, f.dt, f.row)
		if err != nil {
			return nil, errors.Join(err, a.Abort())
		}
		a.files = append(a.files, artefact{f.name, to, f.of})
	}
	return a, nil
}

// open makes an array's file and lists it.
func (a *Artefacts) open(name, axes string, dt dtype.DType, row []int) (*npy.Writer, error) {
	file, err := a.folder.Create(name)
	if err != nil {
		return nil, err
	}
	place, ok := file.(npy.Place)
	if !ok {
		return nil, errors.Join(fmt.Errorf("%s: the folder's files are %T, which cannot be written at a place", name, file), file.Close())
	}
	w, err := npy.NewWriter(place, dt, row...)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), file.Close())
	}
	a.listed = append(a.listed, Listed{name, strings.Fields(axes)})
	return w, nil
}

// Step writes a step's row to each file.
func (a *Artefacts) Step(s *Step) error {
	for _, f := range a.files {
		if err := f.to.Append(f.row(s)); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	a.held.Steps = append(a.held.Steps, s.Held.list())
	a.steps++
	if s.Index != a.dumpAt {
		return nil
	}
	for i, e := range s.FeatureMap {
		name := fmt.Sprintf("%s%02d-%s.npy", dumpFolder, i, layoutNames[i])
		if err := a.whole(name, e); err != nil {
			return err
		}
	}
	return nil
}

// Video writes a session's video latents.
func (a *Artefacts) Video(v Video) error { return a.whole(videoFolder+v.Session+".npy", v.Latents) }

// whole writes one tensor, whose first axis is that of the file.
func (a *Artefacts) whole(name string, t *tensor.Tensor) error {
	w, err := a.open(name, "batch channel time row column", t.DType(), t.Shape()[1:])
	if err != nil {
		return err
	}
	for i := range t.Dim(0) {
		part, err := t.Select(0, i)
		if err == nil {
			err = w.Append(part.AppendBytes(nil))
		}
		if err != nil {
			return errors.Join(fmt.Errorf("%s: %w", name, err), w.Abort())
		}
	}
	return w.Close()
}

// Close completes the files and writes what is to be said of them. The
// manifest is filled in with what was written.
func (a *Artefacts) Close(m Manifest, w Witness) error {
	var failed []error
	for _, f := range a.files {
		failed = append(failed, f.to.Close())
	}
	a.files = nil
	m.Artefacts, m.StepsDone = a.listed, a.steps
	m.Columns = map[string][]string{CountersFile: counterColumns[:], DigestsFile: layoutNames[:]}
	failed = append(failed, a.json(HeldFile, a.held), a.json(ManifestFile, m), a.json(WitnessFile, w))
	return errors.Join(failed...)
}

func (a *Artefacts) json(name string, content any) error {
	text, err := json.MarshalIndent(content, "", "  ")
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	file, err := a.folder.Create(name)
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	return errors.Join(err, file.Close())
}

// Abort closes the files as they are. After Close it does nothing.
func (a *Artefacts) Abort() error {
	var failed []error
	for _, f := range a.files {
		failed = append(failed, f.to.Abort())
	}
	a.files = nil
	return errors.Join(failed...)
}

// counterColumns name the counters, in the order of their list.
var counterColumns = [...]string{"session", "session_step", "prompt", "reset", "frames", "pending", "call_count", "current_start_frame", "stream_initialized", "retained"}

func (c Counters) list() []int64 {
	return []int64{c.Session, c.SessionStep, c.Prompt, c.Reset, c.Frames, c.Pending, c.CallCount, c.CurrentStartFrame, c.Stream, c.Retained}
}

// layoutNames are the entries' names, the same in every profile.
var layoutNames = func() (names [Entries]string) {
	for i, e := range Tiny.Layout() {
		names[i] = e.Name
	}
	return names
}()

func words[T int64 | uint64](list []T) []byte {
	b := make([]byte, 0, 8*len(list))
	for _, v := range list {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	return b
}

func floats(list []float32) []byte {
	b := make([]byte, 0, 4*len(list))
	for _, v := range list {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}
