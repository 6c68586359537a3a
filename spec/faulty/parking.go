package faulty

import (
	"slices"
	"sync"

	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/object"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/reference/tensor/devicetest"
	"github.com/statespec/statespec/spec"
)

// parking holds faults of moving a session's bytes to the host and back, and of a
// planner that frees memory.
func parking() []Fault { return slices.Concat(parkedMoves(), parkedReads(), plans()) }

// testDevice is a device made of the host's memory. A real one may stand beside it.
const testDevice tensor.Device = "test:0"

// beside is a subject with a device beside the host, made of the host's memory.
func beside(made parts) parts {
	return func() subject.Parts {
		p := made()
		p.Devices = append(p.Devices, devicetest.New(testDevice, 1<<30))
		return p
	}
}

// parkedMoves are faults of the move itself.
func parkedMoves() []Fault {
	return []Fault{
		{
			Name: "flips a bit of what it parks", Breaks: []string{"PRK-01"}, Follows: []string{"PRK-02"},
			Parts: parks(func(p *parker, name string) (int64, error) {
				n, err := p.Session.Park(name)
				if n > 0 {
					p.storages(name)[0].Bytes()[0] ^= 1
				}
				return n, err
			}),
		}, {
			Name: "parks the first tensor of a list and leaves the others", Breaks: []string{"PRK-01"},
			Parts: parks(func(p *parker, name string) (int64, error) {
				v, set := p.own().Attr(name)
				if list, is := v.(*[]any); set && is {
					return object.Park((*list)[0])
				}
				return p.Session.Park(name)
			}),
		}, {
			Name: "parks a copy and keeps what it copied", Breaks: []string{"PRK-01"},
			Parts: func() subject.Parts {
				var mu sync.Mutex
				var kept []*tensor.Tensor
				return parks(func(p *parker, name string) (int64, error) {
					if v, _ := p.own().Attr(name); v != nil {
						if t, is := v.(*tensor.Tensor); is {
							if c, err := t.Copy(); err == nil {
								mu.Lock()
								kept = append(kept, c)
								mu.Unlock()
							}
						}
					}
					return p.Session.Park(name)
				})()
			},
		}, {
			Name: "says that it parked twice the bytes", Breaks: []string{"PRK-01"},
			Parts: parks(func(p *parker, name string) (int64, error) {
				n, err := p.Session.Park(name)
				return 2 * n, err
			}),
		}, {
			Name: "parks nothing and says that it did", Breaks: []string{"PRK-01"},
			Parts: parks(func(p *parker, name string) (int64, error) {
				n, err := p.Session.Park(name)
				object.Unpark(anys(p.storages(name))...)
				return n, err
			}),
		}, {
			Name: "leaves on the host what it is to bring back", Breaks: []string{"PRK-01"},
			Parts: beside(fronted(func(_ *subject.Subject, own spec.Session) spec.Session { return stranded{own} })),
		}, {
			Name: "takes an unknown name for something that is parked", Breaks: []string{"PRK-01"},
			Parts: parks(func(p *parker, name string) (int64, error) {
				n, err := p.Session.Park(name)
				if spec.KindOf(err) == spec.NotFound {
					return 0, nil
				}
				return n, err
			}),
		}, {
			Name: "counts what is parked on the device that it left", Breaks: []string{"PRK-01"}, Follows: []string{"PRK-03"},
			Parts: beside(each(func(s *sight) {
				if s.st != nil && s.st.Parked() {
					s.device = testDevice
				}
			})),
		}, {
			Name: "counts what is parked in both places", Breaks: []string{"PRK-01"},
			Parts: beside(counting(func(ss []sight) []sight {
				for _, s := range ss {
					if s.st != nil && s.st.Parked() {
						ss = append(ss, sight{device: tensor.CPU, bytes: int64(s.st.Len()), apart: "parked"})
					}
				}
				return ss
			})),
		}, {
			Name: "does not count what is parked", Breaks: []string{"PRK-01"},
			Parts: beside(counting(func(ss []sight) []sight {
				return slices.DeleteFunc(ss, func(s sight) bool { return s.st != nil && s.st.Parked() })
			})),
		},
	}
}

// parks is a subject with a device whose sessions park in another way.
func parks(park func(p *parker, name string) (int64, error)) parts {
	return beside(fronted(func(_ *subject.Subject, own spec.Session) spec.Session { return &parker{own, park} }))
}

type parker struct {
	spec.Session
	park func(p *parker, name string) (int64, error)
}

func (p *parker) Park(name string) (int64, error) { return p.park(p, name) }

func (p *parker) own() *manager.Session { return subject.SessionOf(p.Session) }

// storages are those of the object or else the attribute of a name, wherever they
// are. It does not bring back what is parked.
func (p *parker) storages(name string) []*tensor.Storage {
	if o, err := p.own().Object(name); err == nil {
		if h, is := o.(account.Holder); is {
			var held []any
			h.VisitHeld(func(v any) { held = append(held, v) })
			return account.Storages(held...)
		}
	}
	return p.own().Storages(name)
}

func anys(sts []*tensor.Storage) (vs []any) {
	for _, st := range sts {
		vs = append(vs, st)
	}
	return vs
}

type stranded struct{ spec.Session }

func (l stranded) Unpark(name string) (int64, error) {
	n, err := l.Session.Unpark(name)
	if err == nil && n > 0 {
		_, err = l.Session.Park(name)
	}
	return n, err
}
