package gpu

import (
	"github.com/statespec/statespec/equivalence/dreamzero"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
)

// Parts are the parts of a subject with this device beside the host: it names the
// device, says in its name what kind it is, and quantises there what lies there.
func (d Device) Parts(own func() subject.Parts) func() subject.Parts {
	return func() subject.Parts {
		p := own()
		if len(p.Devices) == 0 || p.Devices[len(p.Devices)-1].Device() != d.Device() { // or a fault's own
			p.Devices = append(p.Devices, d)
		}
		hello, quantiser := p.Hello, p.Quantiser
		p.Hello = func(h *spec.Hello) {
			if hello != nil {
				hello(h)
			}
			h.Name += " with " + d.Kind()
		}
		if quantiser == nil { // a fault's own stays
			p.Quantiser = d.Quantiser(nil)
		}
		return p
	}
}

// Quantiser is [subject.Parts.Quantiser] on this device. Change, if any, alters what
// it makes.
func (d Device) Quantiser(change func(*Quantiser)) func(name string, threads int) (dreamzero.Quantiser, error) {
	return func(name string, threads int) (dreamzero.Quantiser, error) {
		host, err := subject.Quantiser(name, threads)
		if name != "pointwise" || err != nil {
			return host, err
		}
		q := NewQuantiser(d, host)
		if change != nil {
			change(q)
		}
		return q, nil
	}
}
