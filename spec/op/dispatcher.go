package op

import (
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/statespec/statespec/spec"
)

// Dispatcher answers calls for a subject in this process, and holds what the
// harness holds. It is safe for concurrent use where the subject is.
type Dispatcher struct {
	subject spec.Subject
	rows    map[key]Row

	mu      sync.Mutex
	handles map[Handle]spec.Handle
}

// key is what a row of the table is found by.
type key struct {
	method string
	on     Receiver
}

// NewDispatcher makes a dispatcher that holds nothing yet.
func NewDispatcher(s spec.Subject) *Dispatcher {
	d := &Dispatcher{subject: s, rows: map[key]Row{}, handles: map[Handle]spec.Handle{}}
	for _, r := range Table() {
		d.rows[key{r.Method, r.On}] = r
	}
	d.rows[key{nothing, OnSubject}] = Row{serve: func(*call) error { return nil }}
	for _, r := range Stream() {
		if r.serve != nil {
			d.rows[key{r.Method, OnSubject}] = r
		}
	}
	return d
}

// Serve answers one call. The error, if any, is as the protocol tells it. A
// panic of the subject is not caught here: whoever called knows what it means.
func (d *Dispatcher) Serve(c Call) (*Result, *spec.Error) {
	r := &Result{}
	if err := d.serve(c, r); err != nil {
		return nil, Told(err)
	}
	return r, nil
}

func (d *Dispatcher) serve(c Call, r *Result) error {
	k := call{d: d, p: &c.Params, r: r}
	on := OnSubject
	if c.Params.On != "" {
		if k.on = d.find(c.Params.On); k.on == nil {
			return spec.Refuse(spec.Internal, "%s: params.on: no handle %q is held", c.Method, c.Params.On)
		}
		on = receiver(k.on)
	}
	row, ok := d.rows[key{c.Method, on}]
	if !ok && k.on != nil {
		row, ok = d.rows[key{c.Method, OnAny}]
	}
	if !ok {
		return spec.Refuse(spec.Unsupported, "%s of a %s: no such operation", c.Method, on)
	}
	if missing := row.missing(&c.Params); missing != "" {
		return spec.Refuse(spec.Internal, "%s: params.%s is missing", c.Method, missing)
	}
	return row.serve(&k)
}

// Close ends the subject.
func (d *Dispatcher) Close() error { return d.subject.Close() }

func (d *Dispatcher) find(name Handle) spec.Handle {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.handles[name]
}

func (d *Dispatcher) hold(name Handle, h spec.Handle) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, taken := d.handles[name]; taken {
		return spec.Refuse(spec.Internal, "params.as: the handle %q is taken", name)
	}
	d.handles[name] = h
	return nil
}

func (d *Dispatcher) forget(name Handle) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.handles, name)
}

// receiver is the kind of a held thing. The order matters only for a type that
// is two things at once, which no subject has reason to make.
func receiver(h spec.Handle) Receiver {
	switch h.(type) {
	case spec.Manager:
		return OnManager
	case spec.Session:
		return OnSession
	case spec.Object:
		return OnObject
	case spec.Value:
		return OnValue
	case spec.Model:
		return OnModel
	case spec.State:
		return OnState
	}
	return OnAny
}

// missing names the first required parameter that is not there.
func (r Row) missing(p *Params) string {
	v := reflect.ValueOf(p).Elem()
	for _, q := range r.Params {
		if !q.Required || q.Name == "name" { // a name may be empty
			continue
		}
		f := v.FieldByIndex(fields[q.Name])
		if f.IsZero() || f.Kind() == reflect.Slice && f.Len() == 0 {
			return q.Name
		}
	}
	return ""
}

// fields finds a field of Params by its name in JSON.
var fields = func() map[string][]int {
	m := map[string][]int{}
	for f := range reflect.TypeFor[Params]().Fields() {
		m[jsonName(f)] = f.Index
	}
	return m
}()

func jsonName(f reflect.StructField) string {
	name := f.Tag.Get("json")
	for i, c := range name {
		if c == ',' {
			return name[:i]
		}
	}
	return name
}

// Told is an error as the protocol tells it: a *spec.Error as it stands, any
// other as raised by the implementation for a cause unknown.
func Told(err error) *spec.Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*spec.Error](err); ok {
		return e
	}
	return &spec.Error{Kind: spec.KindOf(err), Type: fmt.Sprintf("%T", err), Message: err.Error()}
}
