package run

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/spec/verdict"
)

// An ending is how a worker ended.
type ending int

const (
	finished ending = iota // it said so
	died                   // in the middle of a spec, which is the culprit
	hopeless               // before any spec: another one would do the same
)

// maxEvent bounds one line of a worker's stream, in bytes.
const maxEvent = 64 << 20

// watch is one worker being watched.
type watch struct {
	r       *collector
	done    []string // keys of ended specs
	running *Event   // the begin of the spec that runs
	began   time.Time
	said    bool // it finished
	alive   bool // it got as far as its plan
}

// worker runs one worker to its end.
func (w *watch) worker(ctx context.Context, job Job) ending {
	cmd := w.r.command()
	stdin, err := json.Marshal(job)
	if err != nil {
		return w.fault("write a worker's job: " + err.Error())
	}
	cmd.Stdin = bytes.NewReader(stdin)
	output := &driver.Tail{}
	cmd.Stdout, cmd.Stderr = output, output
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = time.Second // a grandchild may hold the pipes open
	events, feed, err := os.Pipe()
	if err != nil {
		return w.fault("open a pipe: " + err.Error())
	}
	defer events.Close()
	cmd.ExtraFiles = []*os.File{feed}
	err = cmd.Start()
	feed.Close()
	if err != nil {
		return w.fault(fmt.Sprintf("start a worker, %s: %v", cmd.Path, err))
	}
	hung := w.follow(ctx, events, cmd)
	// Its group goes with it, whatever it started.
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	cmd.Wait()
	return w.end(ctx, cmd, hung, output.String())
}

func (w *watch) fault(text string) ending {
	w.r.took(Event{Event: "fault", Text: text})
	return hopeless
}

// follow takes events until the worker ends, finishes, or lets a spec outlive
// its limit, which it reports.
func (w *watch) follow(ctx context.Context, events io.Reader, cmd *exec.Cmd) (hung bool) {
	stop := make(chan struct{})
	defer close(stop)
	lines := readLines(events, stop)
	limit := time.NewTimer(w.r.o.Limit)
	defer limit.Stop()
	for {
		select {
		case line, ok := <-lines:
			if !ok || w.take(line) {
				return false
			}
			limit.Reset(w.r.o.Limit)
		case <-limit.C:
			return true
		case <-ctx.Done():
			return false
		}
	}
}

func readLines(events io.Reader, stop <-chan struct{}) <-chan []byte {
	lines := make(chan []byte)
	go func() {
		defer close(lines)
		in := bufio.NewScanner(events)
		in.Buffer(nil, maxEvent)
		for in.Scan() {
			select {
			case lines <- bytes.Clone(in.Bytes()):
			case <-stop:
				return
			}
		}
	}()
	return lines
}

// take folds one line, and says whether it was the last.
func (w *watch) take(line []byte) (last bool) {
	var e Event
	if err := json.Unmarshal(line, &e); err != nil {
		w.r.took(Event{Event: "fault", Text: fmt.Sprintf("a worker wrote %.100q for an event: %v", line, err)})
		return false
	}
	switch e.Event {
	case "begin":
		w.running, w.began = &e, time.Now()
	case "end":
		w.running = nil
		w.done = append(w.done, e.Key)
	case "planned":
		w.alive = true
	case "no-subject", "finished":
		w.said = true
	}
	w.r.took(e)
	return w.said
}

// end says how the worker ended, and makes the outcome of a spec that it died
// in.
func (w *watch) end(ctx context.Context, cmd *exec.Cmd, hung bool, output string) ending {
	switch {
	case w.said:
		return finished
	case ctx.Err() != nil:
		return hopeless
	case w.running == nil && !w.alive:
		what := "ended (" + cmd.ProcessState.String() + ")"
		if hung {
			what = fmt.Sprintf("did nothing for %v", w.r.o.Limit)
		}
		return w.fault(fmt.Sprintf("a worker %s before it ran a spec; its output ended with:\n%s", what, output))
	case w.running == nil && hung:
		return w.fault(fmt.Sprintf("a worker did nothing for %v between two specs; its output ended with:\n%s", w.r.o.Limit, output))
	case w.running == nil:
		w.r.took(Event{Event: "fault", Text: fmt.Sprintf("a worker ended between two specs (%s); its output ended with:\n%s", cmd.ProcessState, output)})
		return died
	}
	o := verdict.Outcome{Spec: w.running.Spec, Row: w.running.Row, Output: output, Seconds: time.Since(w.began).Seconds()}
	if hung {
		o.Outcome = verdict.Hung
		o.Message = fmt.Sprintf("the spec began and did not end within %v", w.r.o.Limit)
	} else {
		o.Outcome = verdict.Crashed
		o.Message = fmt.Sprintf("the process of the subject ended during this spec: %s", cmd.ProcessState)
	}
	w.done = append(w.done, w.running.Key)
	w.r.took(Event{Event: "end", Key: w.running.Key, Outcome: &o})
	return died
}
