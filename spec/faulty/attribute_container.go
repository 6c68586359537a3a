package faulty

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/reference/tensor"
)

// carriedContainers holds faults of a container that is carried in an attribute:
// of its kind, its order and what is in it.
func carriedContainers() []Fault {
	read := func(name string, as func(v any) any) Fault {
		return Fault{Name: name, Breaks: []string{"ATT-01.container"}, Parts: readsAs(as)}
	}
	assign := func(name string, as func(before, v any) any) Fault {
		return Fault{Name: name, Breaks: []string{"ATT-01.container"}, Parts: holdsAs(as)}
	}
	return []Fault{
		read("reads a list of tensors as a tuple", ofLists(func(list []any) any {
			if !allTensors(list) {
				return &list
			}
			return tupleOf(list)
		})),
		read("reads a list of tensors backwards", ofLists(func(list []any) any {
			if allTensors(list) {
				slices.Reverse(list)
			}
			return &list
		})),
		read("leaves out what is empty in a list", ofLists(func(list []any) any {
			list = slices.DeleteFunc(list, func(v any) bool { return v == nil })
			return &list
		})),
		read("reads lists in a list as one", ofLists(func(list []any) any {
			var all []any
			for _, v := range list {
				if in, is := v.(*[]any); is {
					all = append(all, *in...)
				} else {
					all = append(all, v)
				}
			}
			return &all
		})),
		read("reads the first of three tensors for each", ofLists(func(list []any) any {
			for i := range list {
				if len(list) == 3 && allTensors(list) {
					list[i] = list[0]
				}
			}
			return &list
		})),
		read("reads a boolean in a list as a number", ofLists(func(list []any) any {
			for i, v := range list {
				if v == true {
					list[i] = int64(1)
				}
			}
			return &list
		})),
		read("reads a tuple as a list", func(v any) any {
			if at := reflect.ValueOf(v); at.Kind() == reflect.Array {
				return listOf(at)
			}
			return v
		}),
		read("reads a map's keys as texts", func(v any) any {
			m, is := v.(map[any]any)
			if !is {
				return v
			}
			texts := map[any]any{}
			for k, v := range m {
				texts[fmt.Sprint(k)] = v
			}
			return texts
		}),
		read("reads a map as its values", func(v any) any {
			if m, is := v.(map[any]any); is {
				return new(slices.Collect(maps.Values(m)))
			}
			return v
		}),
		read("reads a set as a list", func(v any) any {
			if m, is := v.(map[any]struct{}); is {
				return new(slices.Collect(maps.Keys(m)))
			}
			return v
		}),
		read("reads a record as a tuple", func(v any) any {
			if at := reflect.ValueOf(v); at.Kind() == reflect.Struct {
				return tupleOf(*fieldsOf(at))
			}
			return v
		}),
		read("reads an object of a class as a map", func(v any) any {
			o, is := v.(*subject.Instance)
			if !is {
				return v
			}
			m := map[any]any{}
			for name, v := range o.Attrs {
				m[name] = v
			}
			return m
		}),
		assign("takes an empty list for nothing", func(_, v any) any {
			if list, is := v.(*[]any); is && len(*list) == 0 {
				return nil
			}
			return v
		}),
		// It crashes.
		assign("compares a list with a longer one that was there", func(before, v any) any {
			list, is := v.(*[]any)
			if was, too := before.(*[]any); is && too {
				for i := range *was {
					if (*was)[i] != (*list)[i] {
						return v
					}
				}
				return before
			}
			return v
		}),
		assign("extends the list that was there", func(before, v any) any {
			list, is := v.(*[]any)
			if was, too := before.(*[]any); is && too {
				return new(slices.Concat(*was, *list))
			}
			return v
		}),
		assign("keeps the end of a longer list that was there", func(before, v any) any {
			list, is := v.(*[]any)
			if was, too := before.(*[]any); is && too && len(*was) > len(*list) {
				return new(slices.Concat(*list, (*was)[len(*list):]))
			}
			return v
		}),
	}
}

// ofLists is a change of what a list reads as; the list itself is left.
func ofLists(as func(list []any) any) func(any) any {
	return func(v any) any {
		if list, is := v.(*[]any); is {
			return as(slices.Clone(*list))
		}
		return v
	}
}

// allTensors says whether a list has tensors and nothing else.
func allTensors(list []any) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(v any) bool { _, is := v.(*tensor.Tensor); return !is })
}

// tupleOf is a tuple as the subject makes one: an array.
func tupleOf(list []any) any {
	a := reflect.New(reflect.ArrayOf(len(list), reflect.TypeFor[any]())).Elem()
	for i, v := range list {
		if v != nil {
			a.Index(i).Set(reflect.ValueOf(v))
		}
	}
	return a.Interface()
}

func listOf(array reflect.Value) *[]any {
	list := make([]any, array.Len())
	for i := range list {
		list[i] = array.Index(i).Interface()
	}
	return &list
}

func fieldsOf(record reflect.Value) *[]any {
	list := make([]any, record.NumField())
	for i := range list {
		list[i] = record.Field(i).Interface()
	}
	return &list
}
