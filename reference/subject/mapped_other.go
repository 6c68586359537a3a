//go:build !unix

package subject

import "github.com/statespec/statespec/spec"

func mapped(int) (any, error) { return nil, spec.Refuse(spec.Unsupported, "no mapped files here") }
