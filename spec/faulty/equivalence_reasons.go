package faulty

import (
	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
)

// A request is what a path is asked the reason for a reset of.
type request struct {
	tokens         *tensor.Tensor
	frames, window int
}

// partedReasons are faults of why a path would reset a session.
func partedReasons() []Fault {
	return []Fault{
		{
			Name: "looks at the attention window first on the managed path", Breaks: []string{"EQV-05"}, Follows: []string{"EQV-06"},
			Parts: reasoning(managedPath, func(s *alteredState, r request) (dreamzero.Reason, error) {
				prompt, err := s.State.Get(dreamzero.Language)
				if reached(s, r) && prompt != nil && err == nil {
					return dreamzero.InferenceReason, nil
				}
				return s.State.ResetReason(r.tokens, r.frames, r.window)
			}),
		}, {
			Name: "looks at the attention window before it looks for a prompt on the bespoke path", Breaks: []string{"EQV-05"}, Follows: []string{"EQV-06"},
			Parts: reasoning(bespokePath, func(s *alteredState, r request) (dreamzero.Reason, error) {
				if prompt, err := s.State.Get(dreamzero.Language); reached(s, r) && prompt == nil && err == nil {
					return dreamzero.InferenceReason, nil
				}
				return s.State.ResetReason(r.tokens, r.frames, r.window)
			}),
		}, {
			Name: "does not look at single frames on the managed path", Breaks: []string{"EQV-05"}, Follows: []string{"EQV-06"},
			Parts: reasoning(managedPath, func(s *alteredState, r request) (dreamzero.Reason, error) {
				return s.State.ResetReason(r.tokens, max(r.frames, 2), r.window)
			}),
		}, {
			Name: "reaches the attention window a frame late on the bespoke path", Breaks: []string{"EQV-05"},
			Parts: reasoning(bespokePath, func(s *alteredState, r request) (dreamzero.Reason, error) {
				if r.window >= 0 {
					r.window++
				}
				return s.State.ResetReason(r.tokens, r.frames, r.window)
			}),
		}, {
			Name: "never reaches an attention window below one on the managed path", Breaks: []string{"EQV-05"},
			Parts: reasoning(managedPath, func(s *alteredState, r request) (dreamzero.Reason, error) {
				if r.window < 1 {
					r.window = -1
				}
				return s.State.ResetReason(r.tokens, r.frames, r.window)
			}),
		}, {
			Name: "takes the same prompt of another dtype for another one on the managed path", Breaks: []string{"EQV-05"},
			Parts: reasoning(managedPath, func(s *alteredState, r request) (dreamzero.Reason, error) {
				prompt, err := s.State.Get(dreamzero.Language)
				if err != nil {
					return dreamzero.NoReset, err
				}
				if p, is := prompt.(*tensor.Tensor); is && r.tokens != nil && p.DType() != r.tokens.DType() {
					return dreamzero.SessionReason, nil
				}
				return s.State.ResetReason(r.tokens, r.frames, r.window)
			}),
		}, {
			Name: "compares a prompt by its bytes on the bespoke path", Breaks: []string{"EQV-05"},
			Parts: reasoning(bespokePath, func(s *alteredState, r request) (dreamzero.Reason, error) {
				prompt, err := s.State.Get(dreamzero.Language)
				if err != nil {
					return dreamzero.NoReset, err
				}
				if p, is := prompt.(*tensor.Tensor); is && r.tokens != nil && p.DType() == dtype.Float32 {
					if string(p.AppendBytes(nil)) != string(r.tokens.AppendBytes(nil)) {
						return dreamzero.SessionReason, nil
					}
					r.tokens = nil
				}
				return s.State.ResetReason(r.tokens, r.frames, r.window)
			}),
		}, {
			Name: "compares as much of a prompt as both have on the managed path", Breaks: []string{"EQV-05"},
			Parts: reasoning(managedPath, func(s *alteredState, r request) (dreamzero.Reason, error) {
				prompt, err := s.State.Get(dreamzero.Language)
				if err != nil {
					return dreamzero.NoReset, err
				}
				if p, is := prompt.(*tensor.Tensor); is && r.tokens != nil && p.Rank() == 2 && r.tokens.Rank() == 2 && p.DType() == r.tokens.DType() {
					n := min(p.Dim(1), r.tokens.Dim(1)) * p.DType().Size()
					if string(p.AppendBytes(nil)[:n]) == string(r.tokens.AppendBytes(nil)[:n]) && p.Dim(1) != r.tokens.Dim(1) {
						r.tokens = nil
					}
				}
				return s.State.ResetReason(r.tokens, r.frames, r.window)
			}),
		},
	}
}

// reasoning is a subject that reasons in another way on a path.
func reasoning(path string, reason func(s *alteredState, r request) (dreamzero.Reason, error)) parts {
	return statesOn(path, func(s *alteredState) {
		s.reason = func(tokens *tensor.Tensor, frames, window int) (dreamzero.Reason, error) {
			return reason(s, request{tokens, frames, window})
		}
	})
}

// reached says whether a session has reached a request's attention window.
func reached(s *alteredState, r request) bool {
	start, err := s.State.Get(dreamzero.CurrentStartFrame)
	return err == nil && r.window != -1 && start.(int) >= r.window
}
