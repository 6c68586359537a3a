package rollout

import (
	"encoding/binary"
	"fmt"

	"github.com/statespec/statespec/fixtures/fill"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
)

// busy sessions have every second step between them where there are many; the
// others take turns, so that with more than a manager retains each comes back
// to find its state gone.
const busy = 3

// serves returns the session that a step is of.
func (p Profile) serves(step int) int {
	switch {
	case p.Sessions <= busy:
		return step % p.Sessions
	case step%2 == 0:
		return step / 2 % busy
	}
	return busy + step/2%(p.Sessions-busy)
}

// SessionID returns the id of a session.
func SessionID(session int) string { return fmt.Sprintf("session-%03d", session) }

// A client is who a session is of: three cameras, a prompt, and what it did so
// far. It outlives its session's state, of whose loss it learns nothing.
type client struct {
	session int
	cameras [Cameras]camera
	steps   int
	actions Shift // all of them
}

func newClient(o Options, session int) *client {
	c := &client{session: session}
	for which := range c.cameras {
		c.cameras[which] = newCamera(o.Profile, o.Seed, session, which)
	}
	return c
}

// prompt returns the number of the prompt that a client has by now.
func (c *client) prompt(p Profile) int {
	if p.PromptSteps == 0 {
		return 0
	}
	return c.steps / p.PromptSteps
}

// restarts says whether the client sends a single frame, as if for the first
// time.
func (c *client) restarts(p Profile) bool {
	return p.RestartSteps > 0 && c.steps%p.RestartSteps == p.RestartSteps-1
}

// promptTokens is how many text tokens a prompt has.
const promptTokens = 16

// tokens returns the text tokens of the client's prompt, (1, promptTokens) of int64.
func (c *client) tokens(o Options) (*tensor.Tensor, error) {
	s := stream(o.Seed, ofPrompt, uint64(c.session), uint64(c.prompt(o.Profile)))
	b := make([]byte, 0, 8*promptTokens)
	for range promptTokens {
		b = binary.LittleEndian.AppendUint64(b, s.Uint64()%50_000)
	}
	return tensor.FromBytes(dtype.Int64, b, 1, promptTokens)
}

// embed stands for the text encoder: a value a latent channel, (1, channels)
// of bfloat16, each of one token.
func embed(tokens *tensor.Tensor) (*tensor.Tensor, error) {
	b := tokens.AppendBytes(nil)
	values := make([]float32, LatentChannels/2)
	for c := range values {
		token := binary.LittleEndian.Uint64(b[8*(c%promptTokens):])
		values[c] = drawSmall(fill.Seeded(token), 1, 1)[0]
	}
	return rowOf(values)
}

// imageFeatures stands for an image encoder: a value a latent channel of pixels
// here and there, (1, channels) of bfloat16.
func imageFeatures(frame *tensor.Tensor, table *[256]float32, from int) (*tensor.Tensor, error) {
	const apart = 7919 // prime: pixels of all rows, columns and colours
	b := frame.AppendBytes(nil)
	values := make([]float32, LatentChannels/2)
	for c := range values {
		values[c] = table[b[(from+c)*apart%len(b)]]
	}
	return rowOf(values)
}

// rowOf returns values that are bfloat16 already as a tensor (1, n).
func rowOf(values []float32) (*tensor.Tensor, error) {
	b := make([]byte, 2*len(values))
	write(b, values)
	return tensor.FromBytes(dtype.BFloat16, b, 1, len(values))
}
