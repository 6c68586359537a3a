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

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// process is the transport to a driver in a process of its own.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	lines  chan []byte
	broken chan error // why no further line comes
	stderr *Tail
	ended  sync.Once
}

// exitGrace is how long a driver may take to leave after its input has ended.
const exitGrace = 2 * time.Second

// Start runs a driver in the environment that a process asks for. Every
// variable but those of the feature is inherited.
func Start(p spec.Process, extra []string, name string, args ...string) (op.Transport, error) {
	cmd := exec.Command(name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Env = append(environment(os.Environ(), p.Env), extra...)
	cmd.WaitDelay = exitGrace
	t := &process{cmd: cmd, lines: make(chan []byte, 1), broken: make(chan error, 1), stderr: &Tail{}}
	cmd.Stderr = t.stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	t.in = in
	go t.read(out)
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
		t.lines <- append([]byte(nil), lines.Bytes()...)
	}
	err := lines.Err()
	if err == nil {
		err = io.EOF
	}
	t.broken <- err
}

// Do writes a request and waits for its answer.
func (t *process) Do(ctx context.Context, q op.Request) (op.Response, error) {
	line, err := json.Marshal(q)
	if err != nil {
		return op.Response{}, t.fail(op.Garbled, q, "the request cannot be written: "+err.Error())
	}
	if _, err := t.in.Write(append(line, '\n')); err != nil {
		return op.Response{}, t.fail(op.Crashed, q, "its input is closed")
	}
	select {
	case got := <-t.lines:
		return t.understood(q, got)
	case err := <-t.broken:
		if errors.Is(err, io.EOF) {
			return op.Response{}, t.fail(op.Crashed, q, "its output ended")
		}
		return op.Response{}, t.fail(op.Garbled, q, err.Error())
	case <-ctx.Done():
		return op.Response{}, t.fail(op.Hung, q, "no answer within the deadline")
	}
}

func (t *process) understood(q op.Request, line []byte) (op.Response, error) {
	var a op.Response
	if err := json.Unmarshal(line, &a); err != nil {
		return a, t.fail(op.Garbled, q, fmt.Sprintf("it answered %.200q: %v", line, err))
	}
	if a.ID != q.ID {
		return a, t.fail(op.Garbled, q, fmt.Sprintf("it answered request %d, want %d", a.ID, q.ID))
	}
	return a, nil
}

// fail ends the process and says what happened, with the end of its standard
// error.
func (t *process) fail(fate op.Fate, q op.Request, detail string) error {
	t.kill()
	if state := t.cmd.ProcessState; fate == op.Crashed && state != nil {
		detail += " (" + state.String() + ")"
	}
	if said := t.stderr.String(); said != "" {
		detail += "\nits standard error ended with:\n" + said
	}
	return &op.Failure{Fate: fate, Request: q.Call, Detail: detail}
}

func (t *process) kill() {
	t.ended.Do(func() {
		t.in.Close()
		// Its own group, so that what it started goes with it.
		syscall.Kill(-t.cmd.Process.Pid, syscall.SIGKILL)
		t.cmd.Wait()
	})
}

// Close ends the input, at which a driver leaves; one that does not is ended.
func (t *process) Close() error {
	t.ended.Do(func() {
		t.in.Close()
		late := time.AfterFunc(exitGrace, func() { syscall.Kill(-t.cmd.Process.Pid, syscall.SIGKILL) })
		defer late.Stop()
		t.cmd.Wait()
	})
	return nil
}
