//go:build cuda

package faulty

import (
	"sync"

	"github.com/statespec/statespec/gpu"
	"github.com/statespec/statespec/reference/account"
	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
)

// A Fault is the reference on a device with one promise broken.
type Fault struct {
	Name   string
	Breaks []string // rows that it is there to break; others may not hold beside it
	Sim    string   // options of simulated CUDA under which it shows; empty: any
	Races  bool     // on a GPU it is a race, and may not show

	parts func(gpu.Device) subject.Parts
}

// Parts are what differs from the reference on a device.
func (f Fault) Parts(d gpu.Device) func() subject.Parts {
	return func() subject.Parts { return f.parts(d) }
}

// All lists the faults.
func All() []Fault {
	return []Fault{
		{
			Name: "reads what a copy to the host has not brought yet", Breaks: []string{"ATT-01", "RNG-03", "EQV-06"}, Races: true,
			parts: altered(memory{read: readEarly}),
		}, {
			Name: "copies on the NULL stream, beside the device's own", Breaks: []string{"RNG-03", "EQV-09"}, Sim: "copies=late", Races: true,
			parts: altered(memory{move: moveOnNullStream}),
		}, {
			Name: "quantises on a stream that nobody waits for", Breaks: []string{"RNG-07", "EQV-09"}, Races: true,
			parts: quantising(func(q *gpu.Quantiser) { q.Unordered = true }),
		}, {
			Name: "quantises in an order that depends on the length", Breaks: []string{"RNG-07"},
			parts: quantising(func(q *gpu.Quantiser) { q.ByLength = 64 }),
		}, {
			Name: "writes half of what it is given", Breaks: []string{"RNG-01", "EQV-09"},
			parts: altered(memory{write: writeHalf}),
		}, {
			Name: "gives memory back that is still shown", Breaks: []string{"ATT-01"},
			parts: altered(memory{read: readAndRelease}),
		}, {
			Name: "gives memory back twice", Breaks: []string{"EVI-15", "ACC-18"},
			parts: altered(memory{made: freeTwice}),
		}, {
			Name: "leaks device memory", Breaks: []string{"EVI-15", "ACC-18", "PRK-01"},
			parts: func(d gpu.Device) subject.Parts {
				var mu sync.Mutex
				var kept []tensor.Memory
				return altered(memory{made: func(_ gpu.Device, m tensor.Memory) {
					mu.Lock()
					defer mu.Unlock()
					kept = append(kept, m)
				}, release: func() {}})(d)
			},
		}, {
			Name: "counts the bytes of a device as the host's", Breaks: []string{"ACC-01", "PRK-01"},
			parts: measured(func(d tensor.Device, r *account.Report, _ []*manager.Session) {
				r.ByDevice[tensor.CPU] += r.ByDevice[d]
				delete(r.ByDevice, d)
			}),
		}, {
			Name: "counts what is parked on the host and on the device", Breaks: []string{"PRK-01"},
			parts: measured(func(d tensor.Device, r *account.Report, sessions []*manager.Session) {
				for _, s := range sessions {
					for _, name := range s.AttrNames() {
						for _, st := range s.Storages(name) {
							if st.Parked() {
								r.ByDevice[d] += int64(st.Len())
								r.Total += int64(st.Len())
							}
						}
					}
				}
			}),
		},
	}
}

// quantising changes the quantiser on the device.
func quantising(change func(*gpu.Quantiser)) func(gpu.Device) subject.Parts {
	return func(d gpu.Device) subject.Parts { return subject.Parts{Quantiser: d.Quantiser(change)} }
}

// measured changes what is counted.
func measured(change func(d tensor.Device, r *account.Report, sessions []*manager.Session)) func(gpu.Device) subject.Parts {
	return func(d gpu.Device) subject.Parts {
		return subject.Parts{Measure: func(sessions ...*manager.Session) account.Report {
			r := manager.BytesOf(sessions...)
			change(d.Device(), &r, sessions)
			return r
		}}
	}
}
