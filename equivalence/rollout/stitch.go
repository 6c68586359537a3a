package rollout

import (
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
)

// stitch joins three pictures to one frame (H, W, C) of uint8: the wrist camera
// on top, each of its columns twice, and the two exterior ones side by side
// below. Of each picture the outermost rows are cut off. The real pipeline
// crops to 95 % and resizes before it does so, which is left out here.
func stitch(p Profile, cameras [Cameras]camera, step int, actions Shift) (*tensor.Tensor, error) {
	frame, err := tensor.New(dtype.UInt8, p.FrameShape()...)
	if err != nil {
		return nil, err
	}
	pixels, _ := frame.Bytes()
	row, half := p.Width()*ColourChannels, p.CameraWidth*ColourChannels
	wrist := make([]byte, half)
	for y := range p.Height() / 2 {
		from := y + cropped/2
		cameras[0].at(wrist, from, moved(0, step, actions))
		widenColumns(pixels[y*row:][:row], wrist)
		below := pixels[(y+p.Height()/2)*row:]
		cameras[1].at(below[:half], from, moved(1, step, actions))
		cameras[2].at(below[half:row], from, moved(2, step, actions))
	}
	return frame, nil
}

// widenColumns writes each pixel twice.
func widenColumns(dst, src []byte) {
	for i := 0; i < len(src); i += ColourChannels {
		pixel := src[i : i+ColourChannels]
		copy(dst[2*i:], pixel)
		copy(dst[2*i+ColourChannels:], pixel)
	}
}
