package driver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/statespec/statespec/driver/reap"
	"github.com/statespec/statespec/spec/op"
)

// process is the transport to a driver in a process of its own.
type process struct {
	cmd    *exec.Cmd
	mark   string // in its environment, and in that of whatever it starts
	in     io.WriteCloser
	out    io.Closer
	lines  chan line
	writes chan []byte
	stop   chan struct{} // closed when nobody asks any more
	exited chan struct{} // closed when the process has been waited for
	output *output
	pipes  [2]string // of requests and answers
	last   int64     // number of the last request: several clients may ask in turn
	ended  sync.Once

	// Of a process in a [Pool]: where the implementation reads its environment, and
	// what it was started in.
	reads string
	env   map[string]string
	cores int
}

// A line is one that the driver wrote, or why none comes any more.
type line struct {
	text []byte
	err  error
}

// exitGrace is how long a driver may take to leave after its input has ended, and
// crashGrace how long after it has closed its output.
const (
	exitGrace  = 2 * time.Second
	crashGrace = 200 * time.Millisecond
)

// A channel is where a driver reads requests and writes answers.
type channel int

const (
	// onStandard is standard input and output: what a driver in any language has.
	onStandard channel = iota

	// onOwn is descriptors 3 and 4, of a process of our own: there standard output
	// belongs to the implementation, and to whatever it links.
	onOwn
)

const (
	requestsFD = 3
	answersFD  = 4
)

// start runs a driver.
func start(cmd *exec.Cmd, on channel, mark string) (*process, error) {
	var files []*os.File
	for range 3 {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(files...)
			return nil, err
		}
		files = append(files, r, w)
	}
	requests, in, out, answers, printed, prints := files[0], files[1], files[2], files[3], files[4], files[5]
	switch on {
	case onOwn:
		cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = prints, prints, []*os.File{requests, answers}
	case onStandard:
		cmd.Stdin, cmd.Stdout, cmd.Stderr = requests, answers, prints
	}
	err := reap.Start(cmd)
	closeAll(requests, answers, prints)
	if err != nil {
		closeAll(in, out, printed)
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	t := &process{cmd: cmd, mark: mark, in: in, out: out, lines: make(chan line), writes: make(chan []byte), stop: make(chan struct{}),
		exited: make(chan struct{}), output: follow(printed)}
	for i, end := range []*os.File{in, out} {
		if info, err := end.Stat(); err == nil {
			t.pipes[i] = fmt.Sprintf("pipe:[%d]", info.Sys().(*syscall.Stat_t).Ino)
		}
	}
	go func() {
		cmd.Wait()
		close(t.exited)
	}()
	go t.read(out)
	go t.write()
	return t, nil
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		f.Close()
	}
}

// environment is an environment with the feature's variables replaced.
func environment(environ []string, feature map[string]string) (env []string) {
	for _, kv := range environ {
		if k, _, _ := strings.Cut(kv, "="); !isFeature(k) {
			env = append(env, kv)
		}
	}
	for k, v := range feature {
		env = append(env, k+"="+v)
	}
	return env
}

func (t *process) read(out io.Reader) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, maxLine)
	lines.Split(wholeLines)
	for lines.Scan() {
		if !t.pass(line{text: append([]byte(nil), lines.Bytes()...)}) {
			return
		}
	}
	err := lines.Err()
	if err == nil {
		err = io.EOF
	}
	t.pass(line{err: err})
}

// wholeLines splits as bufio.ScanLines does, but takes no line without its end.
func wholeLines(data []byte, atEnd bool) (advance int, line []byte, err error) {
	if atEnd && len(data) > 0 && bytes.IndexByte(data, '\n') < 0 {
		return 0, nil, io.ErrUnexpectedEOF
	}
	return bufio.ScanLines(data, atEnd)
}

// pass hands a line to whoever asks.
func (t *process) pass(l line) bool {
	select {
	case t.lines <- l:
		return true
	case <-t.stop:
		return false
	}
}

// write sends requests on a goroutine of its own: a driver that does not read
// would else hold up whoever waits for the deadline.
func (t *process) write() {
	for {
		select {
		case request := <-t.writes:
			if _, err := t.in.Write(request); err != nil {
				return // the end of its output tells why
			}
		case <-t.stop:
			return
		}
	}
}

// Do writes a request and waits for its answer.
func (t *process) Do(ctx context.Context, q op.Request) (op.Response, error) {
	t.last++
	asked := q.ID
	q.ID = t.last
	q, clean, err := byFile(q)
	if err != nil {
		return op.Response{}, err
	}
	defer clean()
	request, err := json.Marshal(q)
	if err != nil {
		return op.Response{}, t.fail(op.Garbled, q, "the request cannot be written: "+err.Error())
	}
	a, err := t.exchange(ctx, q, request)
	a.ID = asked
	return a, err
}

// fits is how long a request may be to fit into an empty pipe on every system.
const fits = 4096

// exchange writes the line of a request and waits for the one that answers it.
func (t *process) exchange(ctx context.Context, q op.Request, request []byte) (op.Response, error) {
	request = append(request, '\n')
	writes, exited := t.writes, t.exited
	if len(request) <= fits { // its pipe is empty: what was asked before was answered
		t.in.Write(request) // an error is told by the end of its output
		writes = nil
	}
	var drained <-chan time.Time
	for {
		select {
		case writes <- request:
			writes = nil
		case l := <-t.lines:
			switch {
			case l.err == nil:
				return t.understood(q, l.text)
			case errors.Is(l.err, io.EOF):
				return op.Response{}, t.fail(op.Crashed, q, "its output ended")
			case errors.Is(l.err, io.ErrUnexpectedEOF):
				return op.Response{}, t.fail(op.Crashed, q, "its output ended in the middle of an answer")
			case errors.Is(l.err, bufio.ErrTooLong):
				return op.Response{}, t.fail(op.Garbled, q, fmt.Sprintf("it wrote a line of more than %d MiB", maxLine>>20))
			}
			return op.Response{}, t.fail(op.Garbled, q, l.err.Error())
		case <-exited: // somebody it started may hold its output open
			exited, drained = nil, time.After(drain)
		case <-drained:
			return op.Response{}, t.fail(op.Crashed, q, "it ended")
		case <-t.stop:
			return op.Response{}, &op.Failure{Fate: op.Garbled, Request: q.Call, Detail: "it has been closed"}
		case <-ctx.Done():
			return op.Response{}, t.fail(op.Hung, q, "no answer within the deadline")
		}
	}
}

// understood is the answer that a line is, to the request that was made last.
func (t *process) understood(q op.Request, text []byte) (a op.Response, err error) {
	switch err := json.Unmarshal(text, &a); {
	case !utf8.Valid(text):
		return a, t.fail(op.Garbled, q, fmt.Sprintf("it answered %.200q, which is not UTF-8", text))
	case err != nil:
		return a, t.fail(op.Garbled, q, fmt.Sprintf("it answered %.200q: %v", text, err))
	case a.ID == q.ID:
		return a, nil
	case a.ID > 0 && a.ID < q.ID:
		return a, t.fail(op.Garbled, q, fmt.Sprintf("it answered request %d again, or late, in place of request %d", a.ID, q.ID))
	}
	return a, t.fail(op.Garbled, q, fmt.Sprintf("it answered request %d, want %d", a.ID, q.ID))
}

// fail ends the process and says what happened, with the end of what it printed.
func (t *process) fail(fate op.Fate, q op.Request, detail string) error {
	grace := time.Duration(0)
	if fate == op.Crashed {
		grace = crashGrace
	}
	t.end(grace)
	if state := t.cmd.ProcessState; fate == op.Crashed && state != nil {
		detail += " (" + state.String() + ")"
	}
	if said := t.output.String(); said != "" {
		detail += "\nit had printed:\n" + said
	}
	return &op.Failure{Fate: fate, Request: q.Call, Detail: detail}
}

// end waits for the process, ends it when its time is up, and takes with it
// whatever it started. It never waits for the end of a pipe: somebody may hold
// that open.
func (t *process) end(grace time.Duration) {
	t.ended.Do(func() {
		close(t.stop)
		t.in.Close()
		group := -t.cmd.Process.Pid
		select {
		case <-t.exited:
		case <-time.After(grace):
		}
		syscall.Kill(group, syscall.SIGKILL)
		<-t.exited
		reap.Forget(t.cmd)
		if t.mark != "" {
			reap.Sweep(t.mark)
		}
		t.out.Close()
		t.output.close()
	})
}

// gone says whether nothing can be asked any more.
func (t *process) gone() bool {
	select {
	case <-t.stop:
		return true
	default:
		return false
	}
}

// Close ends the input, at which a driver leaves; one that does not is ended.
// How it left is an error unless it left well.
func (t *process) Close() error {
	t.end(exitGrace)
	if state := t.cmd.ProcessState; state != nil && !state.Success() {
		return &op.Failure{Fate: op.Crashed, Request: op.Call{Method: "close"},
			Detail: fmt.Sprintf("the process ended with %s; it had printed:\n%s", state, t.output)}
	}
	return nil
}
