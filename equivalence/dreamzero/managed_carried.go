package dreamzero

import (
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/tensor"
)

// Set is State's.
func (m *Managed) Set(name string, value any) error {
	v, err := carry(name, value)
	if err != nil {
		return err
	}
	switch {
	case !isCarried(name):
		return carriedError("set", name)
	case value == nil:
		m.session.ClearAttr(name)
	case name == CallCount:
		callCount.Set(m.session, v.(int))
	case name == CurrentStartFrame:
		currentStartFrame.Set(m.session, v.(int))
	case name == StreamInitialized:
		streamInitialized.Set(m.session, v.(bool))
	default:
		carriedAttr(name).Set(m.session, v)
	}
	return nil
}

// Get is State's.
func (m *Managed) Get(name string) (any, error) {
	switch {
	case !isCarried(name):
		return nil, carriedError("get", name)
	case name == CallCount:
		return readAny(m.session, callCount)
	case name == CurrentStartFrame:
		return readAny(m.session, currentStartFrame)
	case name == StreamInitialized:
		return readAny(m.session, streamInitialized)
	}
	return readAny(m.session, carriedAttr(name))
}

// ResetReason is State's.
func (m *Managed) ResetReason(textTokens *tensor.Tensor, numVideoFrames, localAttnSize int) (Reason, error) {
	calls, err := read(m.session, callCount)
	if err != nil {
		return NoReset, err
	}
	start, err := read(m.session, currentStartFrame)
	if err != nil {
		return NoReset, err
	}
	return situation{language: language.Get(m.session), callCount: calls, currentStartFrame: start,
		textTokens: textTokens, numVideoFrames: numVideoFrames, localAttnSize: localAttnSize}.reason()
}

// read returns an attribute, its default when it is not set. That somebody set
// it to another type through the session is an error, not a default.
func read[T any](s *manager.Session, a manager.Attr[T]) (T, error) {
	v, _, err := a.Lookup(s)
	return v, err
}

// readAny is read for a caller that takes any type.
func readAny[T any](s *manager.Session, a manager.Attr[T]) (any, error) {
	v, err := read(s, a)
	if err != nil {
		return nil, err
	}
	return v, nil
}
