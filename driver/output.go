package driver

import (
	"io"
	"os"
	"time"
)

// output is what a process prints, read as it comes so that it never waits for us.
type output struct {
	Tail
	from *os.File
	done chan struct{}
}

func follow(from *os.File) *output {
	o := &output{from: from, done: make(chan struct{})}
	go func() {
		defer close(o.done)
		io.Copy(&o.Tail, from)
	}()
	return o
}

// drain is how long what an ended process printed may take to arrive. Its pipe
// ends with it, unless somebody else holds the pipe open.
const drain = 100 * time.Millisecond

func (o *output) close() {
	select {
	case <-o.done:
	case <-time.After(drain):
	}
	o.from.Close()
}
