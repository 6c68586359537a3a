//go:build !unix

package benchmarks

import "github.com/statespec/statespec/ci/paired"

// mapped is a file's content, mapped, which is done on Unix alone here.
func mapped(string) (b []byte, end func() error, err error) {
	return nil, nil, paired.Unavailable{Why: "files are not mapped on this system"}
}
