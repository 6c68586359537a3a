package spec

// Paths of a model's state.
const (
	Bespoke = "bespoke"
	Managed = "managed"
)

// ModelSpec says which model's state to make, and on which path.
type ModelSpec struct {
	Model   string  `json:"model"`          // "dreamzero", "cosmos3"
	Path    string  `json:"path,omitempty"` // Bespoke, Managed; "": as Config and the environment say
	Config  Config  `json:"config,omitzero"`
	Cap     *int    `json:"cap,omitempty"`    // of the bespoke stores, where they have one
	Window  *int    `json:"window,omitempty"` // num_frame_per_block, at least 1; nil: the shipped 2
	Quant   string  `json:"quant,omitempty"`  // "identity" (the default), "pointwise"
	Manager Manager `json:"-"`                // what a managed path works on, and a bespoke path must not touch
}

// Model is a model's per-session state, on one of the two paths.
type Model interface {
	// Path is what the model says it took. A spec also looks for the traces:
	// sessions in the manager, or none.
	Path() (string, error)

	// Open finds or makes a session's state, as the start of a forward does.
	Open(id ...string) (State, error)

	// End is the model's close hook for a session. [pipeline]
	End(id string) error

	Handle
}

// State is one session's state as the model sees it, held.
type State interface {
	// Do carries out one step of the model's vocabulary and returns its
	// output, nil for none.
	Do(Step) (Value, error)

	Handle
}

// Step is one call of the model on its state. Names and arguments are those of
// the recordings.
//
// DreamZero (values in With, the rest in Args):
//
//	accumulate_frames {frames}              → tensor (T, H, W, C)
//	append_video_latents {latents}          latents (B, T, C, H, W)
//	concatenated_video_latents              → tensor (B, C, T, H, W), nil when there are none
//	clear_video_latents
//	seed_encoder {chunk}                    chunk (B, C, T, H, W)
//	append_encoder_chunk {chunk}
//	observe_latents frames=n                → tensor (B, C, n, H, W), the quantised window
//	encoder_frames                          → int, latent frames held
//	encode_newest {clip}                    [shipped-encoder] clip (T, H, W, C) as accumulated, of the
//	                                        shipped size; its last frame goes to the model's own encoder,
//	                                        or waits for a chunk
//	set name=… {value}                      an absent value clears
//	get name=…                              → value, nil when unset
//	reset_reason num_video_frames=… local_attn_size=… {text_tokens} → text "session", "inference", or nil
//	window_reset, session_reset
//	bytes name=…                            → int, storage bytes of one documented value
//
// Names for set, get and bytes are those of the document's table:
// vae_enc_feat_map, clip_feas, ys, language, prompt_embeds,
// vae_pending_body_frames, call_count, current_start_frame,
// vae_stream_initialized; bytes also takes video_latents_across_time,
// stitched_buffer and vae_encoder_out.
//
// Cosmos3, which a subject may have on the managed path alone (branch is "positive"
// or "negative"; kv is a list of layers, each a list of its keys and its values;
// freqs is a list of tensors):
//
//	capture branch=… {kv, freqs}            nothing where the branch is captured
//	set_branch branch=… {kv}                layers in the stead of those that it has
//	load branch=…                           → list of kv and freqs, each none where there is none
//	initialized branch=…                    → bool
//	evict_layer branch=… layer=n            → int, bytes freed; nil where there is no such layer
//	reset                                   both branches
//	bytes branch=…                          → int, storage bytes of the branch
type Step struct {
	Do   string           `json:"do"`
	Args map[string]any   `json:"args,omitempty"`
	With map[string]Value `json:"-"`
}
