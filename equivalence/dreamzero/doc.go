// Package dreamzero is DreamZero's non-KV session state, implemented twice:
// Bespoke keeps it in plain fields that grow and are concatenated, Managed over
// a session of the reference manager. Both are a State, and to its caller they
// are the same, refusals included, but for two things that the document
// intends: the encoder history of Managed is a ring, so that EncoderFrames ends
// at its window, and reading past that window is refused where Bespoke pads.
//
//	value                                     Bespoke          Managed
//	video_latents_across_time                 list of chunks   LatentBuffer, unbounded
//	stitched_buffer                           list of frames   LatentBuffer, 4 frames
//	vae_encoder_out                           one tensor       LatentBuffer, num_frame_per_block frames
//	vae_enc_feat_map, clip_feas, ys,          field            attribute
//	language, prompt_embeds,
//	vae_pending_body_frames, call_count,
//	current_start_frame, vae_stream_initialized
//
// A Store finds the state of a session id on one path; Choose picks the path
// from a resolved config. A Quantiser stands for the model's 1×1×1 convolution.
// Attention KV is the engine's and appears nowhere here. Neither do an encoder,
// a denoiser or a rollout, which call this package.
package dreamzero
