package driver

import (
	"bufio"
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

	"github.com/statespec/statespec/spec/op"
)

// process is the transport to a driver in a process of its own.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.Closer
	lines  chan line
	writes chan []byte
	stop   chan struct{} // closed when nobody asks any more
	output *Tail
	ended  sync.Once
}

// A line is one that the driver wrote, or why none comes any more.
type line struct {
	text []byte
	err  error
}

// exitGrace is how long a driver may take to leave after its input has ended.
const exitGrace = 2 * time.Second

// The descriptors on which a process of our own speaks: standard output belongs
// to the implementation, and to whatever it links.
const (
	requestsFD = 3
	answersFD  = 4
)

// start runs a driver that speaks on its descriptors 3 and 4.
func start(env []string, name string, args ...string) (op.Transport, error) {
	requests, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, answers, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, requests.Close(), in.Close())
	}
	cmd := exec.Command(name, args...)
	cmd.SysProcAttr = attributes()
	cmd.Env = env
	cmd.WaitDelay = exitGrace // a grandchild may hold its output open
	t := &process{cmd: cmd, in: in, out: out, lines: make(chan line), writes: make(chan []byte), stop: make(chan struct{}), output: &Tail{}}
	cmd.Stdout, cmd.Stderr = t.output, t.output
	cmd.ExtraFiles = []*os.File{requests, answers}
	err = cmd.Start()
	requests.Close()
	answers.Close()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", name, err), in.Close(), out.Close())
	}
	go t.read(out)
	go t.write()
	return t, nil
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
	request, err := json.Marshal(q)
	if err != nil {
		return op.Response{}, t.fail(op.Garbled, q, "the request cannot be written: "+err.Error())
	}
	request = append(request, '\n')
	writes := t.writes
	for {
		select {
		case writes <- request:
			writes = nil
		case l := <-t.lines:
			if l.err == nil {
				return t.understood(q, l.text)
			}
			if errors.Is(l.err, io.EOF) {
				return op.Response{}, t.fail(op.Crashed, q, "its output ended")
			}
			return op.Response{}, t.fail(op.Garbled, q, l.err.Error())
		case <-t.stop:
			return op.Response{}, &op.Failure{Fate: op.Garbled, Request: q.Call, Detail: "it has been closed"}
		case <-ctx.Done():
			return op.Response{}, t.fail(op.Hung, q, "no answer within the deadline")
		}
	}
}

func (t *process) understood(q op.Request, text []byte) (op.Response, error) {
	var a op.Response
	if err := json.Unmarshal(text, &a); err != nil {
		return a, t.fail(op.Garbled, q, fmt.Sprintf("it answered %.200q: %v", text, err))
	}
	if a.ID != q.ID {
		return a, t.fail(op.Garbled, q, fmt.Sprintf("it answered request %d, want %d", a.ID, q.ID))
	}
	return a, nil
}

// fail ends the process and says what happened, with the end of what it printed.
func (t *process) fail(fate op.Fate, q op.Request, detail string) error {
	t.end(0)
	if state := t.cmd.ProcessState; fate == op.Crashed && state != nil {
		detail += " (" + state.String() + ")"
	}
	if said := t.output.String(); said != "" {
		detail += "\nit had printed:\n" + said
	}
	return &op.Failure{Fate: fate, Request: q.Call, Detail: detail}
}

// end waits for the process, ends it when its time is up, and takes with it
// whatever it left in its group.
func (t *process) end(grace time.Duration) {
	t.ended.Do(func() {
		close(t.stop)
		t.in.Close()
		group := -t.cmd.Process.Pid
		late := time.AfterFunc(grace, func() { syscall.Kill(group, syscall.SIGKILL) })
		t.cmd.Wait()
		late.Stop()
		syscall.Kill(group, syscall.SIGKILL)
		t.out.Close()
	})
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
