package faulty

import (
	"strings"
	"sync"

	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// An attrHolder is one of several holders of a session, with values of its own.
type attrHolder struct {
	spec.Session
	sub *subject.Subject

	mu  sync.Mutex
	own map[string]any
}

func (h *attrHolder) keep(name string, v any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.own[name] = v
}

func (h *attrHolder) kept(name string) (any, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	v, kept := h.own[name]
	return v, kept
}

func (h *attrHolder) forget(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.own, name)
}

// let returns what was kept, and forgets it.
func (h *attrHolder) let() map[string]any {
	h.mu.Lock()
	defer h.mu.Unlock()
	own := h.own
	h.own = map[string]any{}
	return own
}

func (h *attrHolder) Reset() error {
	h.let()
	return h.Session.Reset()
}

// heldBy is a subject whose sessions' holders are not all alike.
func heldBy(as func(*attrHolder) spec.Session) func() subject.Parts {
	return fronted(func(s *subject.Subject, own spec.Session) spec.Session {
		return as(&attrHolder{Session: own, sub: s, own: map[string]any{}})
	})
}

// severalHolders holds faults of what a second holder of a session sees.
func severalHolders() []Fault {
	return []Fault{
		{
			Name: "reads counters from a cache of the holder", Breaks: []string{"ATT-03"},
			Parts: heldBy(func(h *attrHolder) spec.Session { return cachingHolder{h} }),
		}, {
			Name: "writes counters when the holder lets go", Breaks: []string{"ATT-03"},
			Parts: heldBy(func(h *attrHolder) spec.Session { return lateHolder{h} }),
		}, {
			Name: "takes counters along when their writer lets go", Breaks: []string{"ATT-03"},
			Parts: heldBy(func(h *attrHolder) spec.Session { return departingHolder{h} }),
		}, {
			// It hangs.
			Name: "locks counters until their writer lets go", Breaks: []string{"ATT-03"},
			Parts: func() subject.Parts {
				var locks attrMemory[*sync.Mutex]
				return heldBy(func(h *attrHolder) spec.Session { return lockingHolder{h, &locks} })()
			},
		}, {
			Name: "clears for one holder alone", Breaks: []string{"ATT-03"},
			Parts: heldBy(func(h *attrHolder) spec.Session { return clingingHolder{h} }),
		},
	}
}

// counterOf is an integer in an attribute that is named as a count: few specs
// write one, and marks that tell sessions apart are none.
func counterOf(name string, v spec.Value) (n int64, is bool) {
	if v == nil || !strings.HasSuffix(name, "count") {
		return 0, false
	}
	n, is = subject.Content(v).(int64)
	return n, is
}

// cachingHolder reads a counter that it has read or written no second time.
type cachingHolder struct{ *attrHolder }

func (c cachingHolder) Attr(name string) (spec.Value, error) {
	if n, kept := c.kept(name); kept {
		return c.sub.Wrap(n), nil
	}
	v, err := c.Session.Attr(name)
	if n, is := counterOf(name, v); err == nil && is {
		c.keep(name, n)
	}
	return v, err
}

func (c cachingHolder) SetAttr(name string, v spec.Value) error {
	c.forget(name)
	if n, is := counterOf(name, v); is {
		c.keep(name, n)
	}
	return c.Session.SetAttr(name, v)
}

// lateHolder writes a counter when it lets go of the session.
type lateHolder struct{ *attrHolder }

func (l lateHolder) Attr(name string) (spec.Value, error) {
	if n, kept := l.kept(name); kept {
		return l.sub.Wrap(n), nil
	}
	return l.Session.Attr(name)
}

func (l lateHolder) SetAttr(name string, v spec.Value) error {
	l.forget(name)
	if n, is := counterOf(name, v); is {
		l.keep(name, n)
		return nil
	}
	return l.Session.SetAttr(name, v)
}

func (l lateHolder) Release() error {
	for name, n := range l.let() {
		if err := l.Session.SetAttr(name, l.sub.Wrap(n)); err != nil {
			return err
		}
	}
	return l.Session.Release()
}

// departingHolder clears the counters that it wrote when it lets go of the session.
type departingHolder struct{ *attrHolder }

func (t departingHolder) SetAttr(name string, v spec.Value) error {
	t.forget(name)
	if n, is := counterOf(name, v); is {
		t.keep(name, n)
	}
	return t.Session.SetAttr(name, v)
}

func (t departingHolder) Release() error {
	for name := range t.let() {
		if err := t.Session.SetAttr(name, nil); err != nil {
			return err
		}
	}
	return t.Session.Release()
}

// lockingHolder has a counter that it wrote to itself until it lets go.
type lockingHolder struct {
	*attrHolder
	locks *attrMemory[*sync.Mutex]
}

func (l lockingHolder) lock(name string) *sync.Mutex {
	return l.locks.getOrMake(l.Session, name, func() *sync.Mutex { return &sync.Mutex{} })
}

func (l lockingHolder) Attr(name string) (spec.Value, error) {
	if _, mine := l.kept(name); !mine {
		lock := l.lock(name)
		lock.Lock()
		defer lock.Unlock()
	}
	return l.Session.Attr(name)
}

func (l lockingHolder) SetAttr(name string, v spec.Value) error {
	if n, is := counterOf(name, v); is {
		if _, mine := l.kept(name); !mine {
			l.lock(name).Lock()
			l.keep(name, n)
		}
	}
	return l.Session.SetAttr(name, v)
}

func (l lockingHolder) Release() error {
	for name := range l.let() {
		l.lock(name).Unlock()
	}
	return l.Session.Release()
}

// clingingHolder still reads a tensor that it wrote and another holder cleared.
type clingingHolder struct{ *attrHolder }

func (c clingingHolder) Attr(name string) (spec.Value, error) {
	_, set := subject.SessionOf(c.Session).Attr(name)
	if t, kept := c.kept(name); kept && !set {
		return c.sub.Wrap(t), nil
	}
	return c.Session.Attr(name)
}

func (c clingingHolder) SetAttr(name string, v spec.Value) error {
	c.forget(name)
	if v != nil {
		if t, is := subject.Content(v).(*tensor.Tensor); is {
			c.keep(name, t)
		}
	}
	return c.Session.SetAttr(name, v)
}
