package rollout

import (
	"fmt"
	"strings"
)

// A Profile is a size of rollout: the pictures, the encoder's width, who takes
// part and for how long.
type Profile struct {
	Name                      string
	CameraHeight, CameraWidth int // pixels of each of three cameras
	Base                      int // channels of the encoder's first level
	Sessions                  int
	Steps                     int // of all sessions together, unless asked otherwise

	PromptSteps  int // own steps of a session after which its prompt changes; 0: never
	RestartSteps int // own steps after which its client sends a single frame and so starts over; 0: never
	EndEvery     int // steps after which the close hook ends the session just served; 0: never

	// SwitchAt is the size at which the faults change their order: the real
	// one where pictures have their real size, else scaled so that it is
	// crossed at the same length, 15 latent frames.
	SwitchAt int
}

// The profiles. Tiny serves more sessions than the usual cap retains, Small
// one session for long enough to see the faults, Shipped one session at the
// sizes of the shipped deploy config.
var (
	Tiny = Profile{Name: "tiny", CameraHeight: 28, CameraWidth: 40, Base: 16, Sessions: 66, Steps: 264,
		PromptSteps: 31, RestartSteps: 23, EndEvery: 29, SwitchAt: 2784}
	Small   = Profile{Name: "small", CameraHeight: 28, CameraWidth: 40, Base: 96, Sessions: 1, Steps: 96, PromptSteps: 92, SwitchAt: 2784}
	Shipped = Profile{Name: "shipped", CameraHeight: 180, CameraWidth: 320, Base: 96, Sessions: 1, Steps: 400, PromptSteps: 512, SwitchAt: 20480}
)

// Profiles returns all of them, smallest first.
func Profiles() []Profile { return []Profile{Tiny, Small, Shipped} }

// ProfileNamed returns the profile of a name.
func ProfileNamed(name string) (Profile, error) {
	names := make([]string, 0, 3)
	for _, p := range Profiles() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Profile{}, fmt.Errorf("profile %q: there are %s", name, strings.Join(names, ", "))
}

// cropped is the rows that stitching cuts off a camera's picture, half of them
// above and half below.
const cropped = 4

// Height returns the rows of the stitched frame.
func (p Profile) Height() int { return 2 * (p.CameraHeight - cropped) }

// Width returns the columns of the stitched frame.
func (p Profile) Width() int { return 2 * p.CameraWidth }

// The model's fixed numbers.
const (
	Cameras        = 3
	ColourChannels = 3
	LatentChannels = 32 // of the encoder output; the quantiser's mean half is LatentChannels/2
	LatentScale    = 8  // pixels of a frame, along each side, to one of a latent frame
	LatentFrames   = 2  // latent frames of a step, which is num_frame_per_block too
	LocalAttention = 24 // latent frames of the attention window: a window reset every 12 steps
)

// FrameShape returns the shape of a stitched frame, (H, W, C) of uint8.
func (p Profile) FrameShape() []int { return []int{p.Height(), p.Width(), ColourChannels} }

// LatentFrameShape returns the shape of one frame of encoder output, (B, C, T, H, W) of bfloat16.
func (p Profile) LatentFrameShape() []int {
	return []int{1, LatentChannels, 1, p.Height() / LatentScale, p.Width() / LatentScale}
}

// ObservedShape returns the shape of the latents observed in a step, (B, C, T, H, W).
func (p Profile) ObservedShape() []int {
	return []int{1, LatentChannels / 2, LatentFrames, p.Height() / LatentScale, p.Width() / LatentScale}
}

// ChunkShape returns the shape of a video chunk, (B, T, C, H, W) of bfloat16.
func (p Profile) ChunkShape() []int {
	return []int{1, LatentFrames, LatentChannels / 2, p.Height() / LatentScale, p.Width() / LatentScale}
}
