package main

import "io"

// stdout is standard output as a command sees it. It remembers why something could not
// be written, so that no command has to look at each line that it prints: whoever runs
// the command looks once, where it ends.
type stdout struct {
	w   io.Writer
	err error // the first; nothing is written after it
}

func (s *stdout) Write(text []byte) (n int, err error) {
	if s.err == nil {
		n, s.err = s.w.Write(text)
	}
	return n, s.err
}
