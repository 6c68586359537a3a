package account

import (
	"reflect"
	"unsafe"

	"github.com/statespec/statespec/reference/tensor"
)

// drain opens noted values until there are none. No value in the work list
// came through an unexported field as far as reflection knows: fields are
// taken by address.
func (w *Walker) drain() {
	for len(w.work) > 0 {
		last := len(w.work) - 1
		v := w.work[last]
		w.work[last], w.work = reflect.Value{}, w.work[:last]
		w.open(v)
	}
}

// open counts what a value holds itself and notes what it leads to.
func (w *Walker) open(v reflect.Value) {
	p := w.plan(v.Type())
	switch p.step {
	case stepTensor:
		w.addTensor((*tensor.Tensor)(address(v)))
	case stepStorage:
		w.addStorage((*tensor.Storage)(address(v)))
	case stepRoot, stepSteady, stepHolder, stepOpaque:
		w.ask(v, p)
	case stepArray:
		w.addArray(address(v), int(v.Type().Size()))
	case stepNumbers:
		w.addArray(v.UnsafePointer(), v.Cap()*int(v.Type().Elem().Size()))
	case stepElements:
		w.openElements(v)
	case stepMap:
		w.openMap(v)
	case stepFields:
		w.openFields(v, p)
	case stepPointer:
		if !v.IsNil() && w.enter(visit{at: v.UnsafePointer(), t: v.Type()}) {
			w.follow(v.Elem())
		}
	case stepInterface:
		w.follow(v)
	case stepUnmeasurable:
		if !v.IsNil() {
			w.cannotMeasure(typeName(v.Type()))
		}
	}
}

// follow notes an element. What takes one step is counted at once, and the
// holes that lists are full of are skipped.
func (w *Walker) follow(v reflect.Value) {
	if v.Kind() == reflect.Interface {
		if !v.IsNil() {
			w.add(v.Interface())
		}
		return
	}
	if v.Type() == tensorsElem {
		w.addTensor((*tensor.Tensor)(v.UnsafePointer()))
		return
	}
	if w.opens(v.Type()) {
		w.work = append(w.work, v)
	}
}

// ask lets a value say what it holds.
func (w *Walker) ask(v reflect.Value, p *plan) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Func, reflect.Chan, reflect.Slice:
		if v.IsNil() {
			return
		}
	}
	if p.pointer {
		v = reflect.NewAt(v.Type(), address(v))
	}
	switch said := v.Interface(); p.step {
	case stepRoot:
		w.Later(said.(Root))
	case stepSteady:
		if w.enter(visit{at: identity(said), t: v.Type()}) {
			w.setAside(said.(Steady))
		}
	case stepHolder:
		if w.enter(visit{at: identity(said), t: v.Type()}) {
			said.(Holder).VisitHeld(w.note)
		}
	case stepOpaque:
		what := said.(Opaque).Unmeasurable()
		if what == "" {
			what = typeName(v.Type())
		}
		w.cannotMeasure(what)
	}
}

func (w *Walker) openElements(v reflect.Value) {
	if v.Kind() == reflect.Slice {
		if v.Len() == 0 || !w.enter(visit{at: v.UnsafePointer(), n: v.Len(), t: v.Type()}) {
			return
		}
		if v.Type().Elem() == tensorsElem {
			w.addTensors(unsafe.Slice((**tensor.Tensor)(v.UnsafePointer()), v.Len()))
			return
		}
	}
	for i := range v.Len() {
		w.follow(v.Index(i))
	}
}

func (w *Walker) openMap(v reflect.Value) {
	if v.Len() == 0 || !w.enter(visit{at: v.UnsafePointer(), t: v.Type()}) {
		return
	}
	keys, values := w.opens(v.Type().Key()), w.opens(v.Type().Elem())
	for entry := v.MapRange(); entry.Next(); {
		if keys {
			w.follow(entry.Key())
		}
		if values {
			w.follow(entry.Value())
		}
	}
}

// openFields takes the fields by address, which is what makes unexported ones
// readable like any other.
func (w *Walker) openFields(v reflect.Value, p *plan) {
	at := address(v)
	for _, i := range p.fields {
		f := v.Type().Field(i)
		w.follow(reflect.NewAt(f.Type, unsafe.Add(at, f.Offset)).Elem())
	}
}

// address returns where v lies. What was copied out of a map lies nowhere that
// others can reach; a copy of it stands in, and is met once, as the entry is.
func address(v reflect.Value) unsafe.Pointer {
	if v.CanAddr() {
		return v.Addr().UnsafePointer()
	}
	c := reflect.New(v.Type())
	c.Elem().Set(v)
	return c.UnsafePointer()
}

// unbox returns what an interface holds, in place where it can: a struct or an
// array in an interface is reachable by everyone who has a copy of the
// interface. One that is as small as a pointer may lie in the interface itself.
func unbox(v any) reflect.Value {
	r := reflect.ValueOf(v)
	if k := r.Kind(); k != reflect.Struct && k != reflect.Array || r.Type().Size() <= unsafe.Sizeof(uintptr(0)) {
		return r
	}
	data := (*[2]unsafe.Pointer)(unsafe.Pointer(&v))[1] // an interface is its type and its data
	return reflect.NewAt(r.Type(), data).Elem()
}
