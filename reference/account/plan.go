package account

import (
	"reflect"

	"github.com/statespec/statespec/reference/tensor"
)

// A plan is what the walk does with the values of one type. It is worked out
// once a type.
type plan struct {
	step    step
	pointer bool  // the step's interface is implemented by *T, not by T
	fields  []int // of stepFields: those that can hold something
}

// A step is one way to open a value.
type step uint8

const (
	stepNothing      step = iota // can keep no countable memory alive
	stepTensor                   // tensor.Tensor
	stepStorage                  // tensor.Storage
	stepRoot                     // says for itself, later
	stepSteady                   // says for itself, under its guard
	stepHolder                   // says for itself
	stepOpaque                   // says that it cannot
	stepArray                    // an array of plain numbers
	stepNumbers                  // a slice of plain numbers
	stepElements                 // a slice or an array of anything else
	stepMap                      // keys and values
	stepFields                   // a struct
	stepPointer                  //
	stepInterface                //
	stepUnmeasurable             // a channel, a function, an unsafe pointer
)

var (
	tensorType  = reflect.TypeFor[tensor.Tensor]()
	tensorsElem = reflect.TypeFor[*tensor.Tensor]()
	storageType = reflect.TypeFor[tensor.Storage]()
)

// asked are the interfaces by which a type speaks for itself, in order: what
// embeds a Holder and is a Root is walked as a Root.
var asked = [...]struct {
	t    reflect.Type
	step step
}{
	{reflect.TypeFor[Root](), stepRoot},
	{reflect.TypeFor[Steady](), stepSteady},
	{reflect.TypeFor[Holder](), stepHolder},
	{reflect.TypeFor[Opaque](), stepOpaque},
}

func (w *Walker) plan(t reflect.Type) *plan {
	p, known := w.plans[t]
	if !known {
		made := makePlan(t)
		p = &made
		w.plans[t] = p
	}
	return p
}

// opens reports whether values of the type are worth opening.
func (w *Walker) opens(t reflect.Type) bool { return w.plan(t).step != stepNothing }

func makePlan(t reflect.Type) plan {
	if p, ok := special(t); ok {
		return p
	}
	if !holds(t) {
		return plan{}
	}
	switch t.Kind() {
	case reflect.Array:
		if plain(t) {
			return plan{step: stepArray}
		}
		return plan{step: stepElements}
	case reflect.Slice:
		if plain(t.Elem()) {
			return plan{step: stepNumbers}
		}
		return plan{step: stepElements}
	case reflect.Map:
		return plan{step: stepMap}
	case reflect.Struct:
		p := plan{step: stepFields}
		for i := range t.NumField() {
			if holds(t.Field(i).Type) {
				p.fields = append(p.fields, i)
			}
		}
		return p
	case reflect.Pointer:
		return plan{step: stepPointer}
	case reflect.Interface:
		return plan{step: stepInterface}
	}
	return plan{step: stepUnmeasurable}
}

// special are the types that are known by name or speak for themselves.
func special(t reflect.Type) (plan, bool) {
	switch t {
	case tensorType:
		return plan{step: stepTensor}, true
	case storageType:
		return plan{step: stepStorage}, true
	}
	if t.Kind() == reflect.Interface {
		return plan{}, false
	}
	for _, a := range asked {
		if t.Implements(a.t) {
			return plan{step: a.step}, true
		}
		if reflect.PointerTo(t).Implements(a.t) {
			return plan{step: a.step, pointer: true}, true
		}
	}
	return plan{}, false
}

// holds reports whether a value of the type can keep countable memory alive.
// It looks through arrays and structs only: whatever refers to more is opened
// to see, which also keeps recursive types from going round here.
func holds(t reflect.Type) bool {
	if _, ok := special(t); ok {
		return true
	}
	switch t.Kind() {
	case reflect.Array:
		return t.Len() > 0 && (plain(t.Elem()) || holds(t.Elem()))
	case reflect.Struct:
		for i := range t.NumField() {
			if holds(t.Field(i).Type) {
				return true
			}
		}
		return false
	case reflect.Slice:
		return !scalar(t.Elem()) || t.Elem().Kind() != reflect.String
	case reflect.Map:
		return !scalar(t.Key()) || !scalar(t.Elem())
	case reflect.Pointer:
		return !scalar(t.Elem())
	}
	return !scalar(t)
}

// scalar reports whether the type is a lone number or a string, and silent.
func scalar(t reflect.Type) bool {
	if t.Kind() != reflect.String && !number(t) {
		return false
	}
	_, speaks := special(t)
	return !speaks
}

func number(t reflect.Type) bool {
	return t.Kind() >= reflect.Bool && t.Kind() <= reflect.Complex128
}

// plain reports whether the type is numbers through and through, so that a
// slice of it is a host array.
func plain(t reflect.Type) bool {
	if _, speaks := special(t); speaks {
		return false
	}
	switch t.Kind() {
	case reflect.Array:
		return plain(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !plain(t.Field(i).Type) {
				return false
			}
		}
		return t.NumField() > 0
	}
	return number(t)
}
