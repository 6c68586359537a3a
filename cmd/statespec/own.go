package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/statespec/statespec/gpu"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/faulty"
)

// own is which of our subjects is meant: the reference, with a fault, with its
// encoder, with a device beside the host.
type own struct {
	fault   string
	shipped bool
	device  string // devices, between commas; tensors are made on the first
}

// beside are the devices that the reference is to have beside the host.
func (o own) beside() (names []string) {
	if o.device == "" {
		return nil
	}
	for name := range strings.SplitSeq(o.device, ",") {
		if name != host {
			names = append(names, name)
		}
	}
	return names
}

// place is the device on which tensors are made. A driver has devices of its own, and
// names them as it likes.
func (t *target) place() string {
	if t.driver != "" {
		return t.device
	}
	first, _, _ := strings.Cut(t.device, ",")
	return first
}

// shippedVar and deviceVar make another process of own ask the same subject, with
// faulty.Var.
const (
	shippedVar = "STATESPEC_SHIPPED"
	deviceVar  = "STATESPEC_DEVICE"
)

// env is the choice for another process of own: what is not the reference as it is.
func (o own) env() map[string]string {
	env := map[string]string{}
	if o.fault != "" {
		env[faulty.Var] = o.fault
	}
	if o.shipped {
		env[shippedVar] = "1"
	}
	if o.device != "" {
		env[deviceVar] = o.device
	}
	return env
}

// ownAsked is the choice that this process was started with.
func ownAsked() own {
	return own{fault: os.Getenv(faulty.Var), shipped: os.Getenv(shippedVar) != "", device: os.Getenv(deviceVar)}
}

// check says what is wrong with a choice, without looking for a device.
func (o own) check() error {
	if o.fault != "" {
		if _, err := faulty.Find(o.fault); err != nil {
			return fmt.Errorf("--fault: %w", err)
		}
	}
	asked := o.beside()
	for i, name := range asked {
		if _, err := gpu.Ordinal(name); err != nil {
			return fmt.Errorf("--%w", err)
		}
		if slices.Contains(asked[:i], name) {
			return fmt.Errorf("--device %s: %s twice", o.device, name)
		}
	}
	switch {
	case o.shipped && o.fault != "":
		return errors.New("--shipped: want it without --fault: a fault of the encoder brings the encoder along")
	case o.shipped && len(asked) > 0:
		return errors.New("--shipped: want it without --device: the encoder of the shipped size is the host's")
	}
	return nil
}

// host is the device that every subject has.
const host = "cpu"

// factory starts the subjects that are meant. Without the device the error says why.
func (o own) factory() (spec.Factory, error) {
	parts := func() subject.Parts { return subject.Parts{} }
	if o.fault != "" {
		f, err := faulty.Find(o.fault)
		if err != nil {
			return nil, err
		}
		parts = f.Named
	}
	if o.shipped {
		return subject.NewShipped, nil
	}
	for _, name := range o.beside() {
		d, err := opened(name)
		if err != nil {
			return nil, err
		}
		parts = d.Parts(parts)
	}
	return subject.Assemble(parts), nil
}

// devices are those that this process opened; it ends with them.
var devices sync.Map

// opened is a device, once for a process: every context costs memory.
func opened(name string) (gpu.Device, error) {
	if d, is := devices.Load(name); is {
		return d.(gpu.Device), nil
	}
	d, err := gpu.Open(name)
	if err == nil {
		devices.Store(name, d)
	}
	return d, err
}
