package benchmarks

import (
	"os"
	"syscall"
)

// mapped is a file's content, mapped.
func mapped(path string) (b []byte, end func() error, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	b, err = syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	return b, func() error { return syscall.Munmap(b) }, err
}
