package driver

import (
	"os"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// byFile is a request whose recipe names a file in place of more bytes than a line
// should carry, and what removes that file once it is answered.
func byFile(q op.Request) (_ op.Request, clean func(), err error) {
	r := q.Params.Recipe
	if r == nil || len(r.Raw) <= spec.ReadLimit {
		return q, func() {}, nil
	}
	f, err := os.CreateTemp("", "statespec-*.raw")
	if err != nil {
		return q, nil, err
	}
	clean = func() { os.Remove(f.Name()) }
	_, err = f.Write(r.Raw)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		clean()
		return q, nil, err
	}
	with := *r
	with.Raw, with.File = nil, f.Name()
	q.Params.Recipe = &with
	return q, clean, nil
}
