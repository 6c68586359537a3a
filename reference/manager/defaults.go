package manager

import "reflect"

// shares reports whether copies of the value would share a container.
func shares(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return !v.IsNil()
	case reflect.Interface:
		return !v.IsNil() && shares(v.Elem())
	}
	return false
}

// copyContainers copies slices and maps, and those inside them.
func copyContainers(v reflect.Value) reflect.Value {
	if !shares(v) {
		return v
	}
	switch v.Kind() {
	case reflect.Slice:
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			c.Index(i).Set(copyContainers(v.Index(i)))
		}
		return c
	case reflect.Map:
		c := reflect.MakeMapWithSize(v.Type(), v.Len())
		for entry := v.MapRange(); entry.Next(); {
			c.SetMapIndex(entry.Key(), copyContainers(entry.Value()))
		}
		return c
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(copyContainers(v.Elem()))
	return c
}
