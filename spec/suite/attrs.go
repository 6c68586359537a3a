package suite

import "github.com/statespec/statespec/spec"

// Attrs declares attributes that read as nothing before they are written.
func Attrs(names ...string) []spec.AttrDecl {
	ds := make([]spec.AttrDecl, len(names))
	for i, n := range names {
		ds[i] = spec.AttrDecl{Name: n, Default: spec.Nothing()}
	}
	return ds
}
