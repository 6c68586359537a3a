// Package rollout drives DreamZero's session state through a synthetic model,
// step after step, on whichever path a deploy config and the environment
// decide. The model has no trained weights and its pictures are noise; its
// shapes, its state and the order of a step are the shipped model's, and its
// arithmetic is real, so that what goes wrong in the state is seen in the
// output. A step is
//
//	a reset, where the state says that one is due
//	three cameras -> one stitched frame -> the frames accumulated
//	the newest frame -> the pending frames -> at four, one chunk to the encoder
//	the encoder with its 24-entry cache -> the encoder stream
//	the stream -> the quantiser -> the latents observed
//	the latents, the last chunk, the prompt -> the denoiser -> a video chunk
//	the video chunk -> an action -> the next cameras
//
// The real encoder's convolutions would take hours in Go: here each is
// depthwise, three taps in time, at the real resolutions, so that each of the
// cache's entries has its real size and decides what comes out.
//
// Outputs are bit-identical on every processor and with any number of
// workers. Every product that meets an addition is rounded first, each output
// is summed in one order, and no function is used whose implementation differs
// between processors.
//
// The state is dreamzero's; nothing here knows one path from the other but the
// choice of where a feature map's memory comes from. Running two rollouts and
// comparing them is not done here.
package rollout
